// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <cstdint>
#include <filesystem>
#include <optional>

/// Where the files of an OTF2 archive lie: NAME.otf2 (anchor), NAME.def, NAME.marker and
/// NAME/LOCATION.{evt,def,snap}.
namespace skein::otf2 {

/// The anchor file of the archive that `path` is or belongs to: an anchor file itself, a folder that holds
/// exactly one, or any member of an archive. nullopt where there is none; never fails.
std::optional<std::filesystem::path> findAnchor(const std::filesystem::path& path, const Task& task);

struct ArchiveFiles {
    std::filesystem::path anchor;

    std::filesystem::path definitions() const;
    std::filesystem::path markers() const;
    std::filesystem::path events(std::uint64_t location) const;
    std::filesystem::path localDefinitions(std::uint64_t location) const;
};

enum class FileState { Absent, Unreadable, Empty, Readable };

/// Whether a file can be opened for reading.
FileState stateOf(const std::filesystem::path& file);

}  // namespace skein::otf2
