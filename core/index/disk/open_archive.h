// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/disk/archive_identity.h"
#include "core/index/disk/index_cache.h"

#include <filesystem>
#include <optional>
#include <string>

namespace skein::disk {

/// What is to be saved so that the archive opens at once the next time. Cheap to copy; may cross threads.
struct PendingIndex {
    ExperimentPtr experiment;
    ArchiveIdentity identity;
};

struct OpenedArchive {
    ExperimentPtr experiment;
    bool fromIndex = false;
    std::optional<PendingIndex> unsaved;  ///< nothing: it is saved already, or not worth it
    std::optional<std::filesystem::path>
        saved;  ///< the index that had to be saved at once, see openArchive()
};

/// Opens what a path names, as openExperiment does, but through its index where there is a good one: one that
/// is whole, of this program and byte order, and of the archive as it is now. Traces come with their
/// timelineIndex and their summary. Where memory is limited and the import took much of it, the index is
/// saved at once and the archive opened through it: a mapped file takes only as much memory as there is.
/// Without settings.enabled it is openExperiment. Errors: those of openExperiment; those of the index never.
Result<OpenedArchive> openArchive(const std::filesystem::path& path, const IndexSettings& settings,
                                  const Task& task);

/// Saves the index of an imported archive, unless the archive has changed since, and makes room for it: those
/// whose last use is longest ago leave. Safe against other processes that do the same.
/// Errors: Io, AccessDenied (the folder cannot be written), Unsupported (larger than the limit), Cancelled.
Result<std::filesystem::path> saveIndex(const PendingIndex& unsaved, const IndexSettings& settings,
                                        const Task& task);

}  // namespace skein::disk
