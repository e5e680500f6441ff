// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/archive_files.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace skein::otf2 {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFilesLookedAt = 20'000;

bool isFile(const fs::path& path)
{
    std::error_code ignored;
    return fs::is_regular_file(path, ignored);
}

/// A chunk header of two bytes, then libotf2's mark.
bool hasAnchorContent(const fs::path& path)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    std::array<char, 6> head{};
    const bool complete = ::read(file, head.data(), head.size()) == static_cast<ssize_t>(head.size());
    ::close(file);
    return complete && head[0] == 3 && std::memcmp(head.data() + 2, "OTF2", 4) == 0;
}

/// A file that is an anchor, or is named like one and has an archive's other files beside it.
bool isAnchor(const fs::path& path)
{
    if (path.extension() != ".otf2" || !isFile(path)) return false;
    if (hasAnchorContent(path)) return true;
    return isFile(fs::path(path).replace_extension(".def"));
}

std::optional<fs::path> onlyAnchorIn(const fs::path& folder, const Task& task)
{
    std::optional<fs::path> found;
    std::error_code error;
    std::size_t looked = 0;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        if (++looked > kMostFilesLookedAt) break;
        if (task.stopRequested()) return std::nullopt;
        if (!isAnchor(entry->path())) continue;
        if (found) return std::nullopt;
        found = entry->path();
    }
    return found;
}

bool isMemberName(const fs::path& path)
{
    static constexpr std::array<const char*, 5> kExtensions{".def", ".evt", ".snap", ".marker", ".thumb"};
    return std::find(kExtensions.begin(), kExtensions.end(), path.extension()) != kExtensions.end();
}

/// The anchor of the archive whose folder of locations is `folder`.
std::optional<fs::path> anchorOfLocations(const fs::path& folder)
{
    fs::path anchor = folder;
    anchor += ".otf2";
    return isAnchor(anchor) ? std::optional(anchor) : std::nullopt;
}

std::optional<fs::path> anchorOfMember(const fs::path& member)
{
    const fs::path beside = fs::path(member).replace_extension(".otf2");
    if (isAnchor(beside)) return beside;
    return anchorOfLocations(member.parent_path());
}

/// A path without a slash at its end whose parent is known.
fs::path normalized(const fs::path& path)
{
    std::error_code error;
    fs::path full = fs::absolute(path, error).lexically_normal();
    if (error) return path;
    return full.has_filename() ? full : full.parent_path();
}

fs::path member(const fs::path& anchor, const std::string& name)
{
    return fs::path(anchor).replace_extension() / name;
}

}  // namespace

std::optional<fs::path> findAnchor(const fs::path& path, const Task& task)
{
    std::error_code error;
    const fs::path full = normalized(path);
    if (fs::is_directory(full, error)) {
        if (auto found = onlyAnchorIn(full, task)) return found;
        return anchorOfLocations(full);
    }
    if (isAnchor(full)) return full;
    return isMemberName(full) ? anchorOfMember(full) : std::nullopt;
}

fs::path ArchiveFiles::definitions() const { return fs::path(anchor).replace_extension(".def"); }
fs::path ArchiveFiles::markers() const { return fs::path(anchor).replace_extension(".marker"); }
fs::path ArchiveFiles::events(std::uint64_t location) const
{
    return member(anchor, std::to_string(location) + ".evt");
}
fs::path ArchiveFiles::localDefinitions(std::uint64_t location) const
{
    return member(anchor, std::to_string(location) + ".def");
}

FileState stateOf(const fs::path& file)
{
    std::error_code error;
    if (!fs::exists(file, error)) return FileState::Absent;
    if (::access(file.c_str(), R_OK) != 0 || !fs::is_regular_file(file, error)) return FileState::Unreadable;
    return fs::file_size(file, error) == 0 || error ? FileState::Empty : FileState::Readable;
}

}  // namespace skein::otf2
