// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/io/archive_search.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace skein::disk {

/// Tells one state of an archive from every other, without reading it all.
struct ArchiveIdentity {
    std::filesystem::path archive;  ///< absolute, without links
    std::string
        text;  ///< hash over names, sizes, times and inodes of its files and the heads of the first ones
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};

/// Which files belong to an archive: of OTF2 the anchor, what is called like it, and its folder; of a folder
/// all that is in it, two levels deep; otherwise the files beside it. The identity covers of each the name,
/// size, inode, and the times of the last change of contents and of the file, and the first 64 KiB of the
/// first 16 anchors and definitions. nullopt where something cannot be listed, where there are more than 200
/// 000 files, and after a stop request. O(files).
std::optional<ArchiveIdentity> identify(const ArchiveCandidate& archive, const Task& task);

}  // namespace skein::disk
