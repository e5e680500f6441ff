// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/import_report.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/io/tau/tau_names.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace skein::tau {

enum class ProfileKind { None, Text, Snapshot, Merged, Packed };

struct ProfileFile {
    std::filesystem::path path;
    std::string name;  ///< relative to the archive, for the report
    ThreadKey key;     ///< from the file's name; of text profiles only
    ProfileKind kind = ProfileKind::None;
};

/// The files of one profile in the order in which they are joined.
struct ProfileFiles {
    std::filesystem::path archive;
    std::vector<ProfileFile> files;
    ImportReport report;  ///< absent threads, files that were left aside
};

/// What a file is, by its first bytes. None for everything that is no readable regular file.
ProfileKind profileKindOf(const std::filesystem::path& file);

/// The archive that a path is or belongs to: a folder, or a merged or packed file. Looks at a bounded number
/// of files.
std::optional<std::filesystem::path> profileArchiveOf(const std::filesystem::path& path, const Task& task);

/// The members of an archive. In a folder, MULTI__ folders come before text profiles beside them, these
/// before snapshots, these before a merged file: what is left aside is said in the report.
/// Errors: AccessDenied, NotRecognized (nothing there), Cancelled.
Result<ProfileFiles> findProfileFiles(const std::filesystem::path& archive, const Task& task);

}  // namespace skein::tau
