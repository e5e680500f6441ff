// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>
#include <string>

namespace skein::disk {

/// What an index file says about itself; read without touching its payload.
struct IndexSummary {
    std::string archive;   ///< absolute path of what was imported
    std::string identity;  ///< see ArchiveIdentity
    std::uint64_t archiveFiles = 0;
    std::uint64_t archiveBytes = 0;
    std::uint64_t events = 0;
    std::int64_t createdNs = 0;  ///< Unix time
};

/// An experiment as it lies in an index file.
struct IndexContents {
    IndexSummary summary;
    ExperimentPtr experiment;  ///< with its timelineIndex where it has a trace
};

/// Whether the payload's checksums are held against its bytes.
enum class Verify {
    WhenUnsure,  ///< unless this machine has checked this very file before and it was not touched since
    Always,
};

}  // namespace skein::disk
