// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/archive_identity.h"

#include "core/base/content_hash.h"
#include "core/base/file_bytes.h"

#include <algorithm>
#include <fmt/format.h>
#include <sys/stat.h>
#include <vector>

namespace skein::disk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostFiles = 200'000;
constexpr std::size_t kHeadBytes = std::size_t{64} << 10;
constexpr int kDeepest = 2;

/// Regular files of a folder, `deeper` levels of folders below it included. False when there are too many.
bool listFiles(const fs::path& folder, int deeper, std::vector<fs::path>& files)
{
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end; entry.increment(failure)) {
        if (files.size() >= kMostFiles) return false;
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) files.push_back(entry->path());
        else if (deeper > 0 && entry->is_directory(ignored) && !entry->is_symlink(ignored) &&
                 !listFiles(entry->path(), deeper - 1, files))
            return false;
    }
    return !failure;
}

bool listMembers(const ArchiveCandidate& archive, const fs::path& path, std::vector<fs::path>& files)
{
    std::error_code ignored;
    if (fs::is_directory(path, ignored)) return listFiles(path, kDeepest, files);
    if (!listFiles(path.parent_path(), 0, files)) return false;
    if (archive.importer->id != "otf2") return true;
    std::erase_if(files, [&](const fs::path& file) { return file.stem() != path.stem(); });
    fs::path locations = path;
    locations.replace_extension();
    return !fs::is_directory(locations, ignored) || listFiles(locations, 0, files);
}

bool tellsAll(const fs::path& file)
{
    const auto extension = file.extension();
    return extension == ".otf2" || (extension == ".def" && file.stem().string().find_first_not_of("0123456789") != std::string::npos) ||
           extension == ".edf" || extension == ".xml";
}

}  // namespace

std::optional<ArchiveIdentity> identify(const ArchiveCandidate& archive)
{
    std::error_code failure;
    ArchiveIdentity identity;
    identity.archive = fs::canonical(archive.archive, failure);
    std::vector<fs::path> files;
    if (failure || !listMembers(archive, identity.archive, files)) return std::nullopt;
    std::sort(files.begin(), files.end());
    std::string text = fmt::format("{}\n{}\n", archive.importer->id, identity.archive.string());
    for (const fs::path& file : files) {
        struct stat status{};
        if (stat(file.c_str(), &status) != 0) return std::nullopt;
        text += fmt::format("{} {} {} {}.{} {}.{}\n", file.string(), status.st_size, status.st_ino, status.st_mtim.tv_sec,
                            status.st_mtim.tv_nsec, status.st_ctim.tv_sec, status.st_ctim.tv_nsec);
        if (tellsAll(file)) text += fileHead(file, kHeadBytes);
        ++identity.files;
        identity.bytes += static_cast<std::uint64_t>(status.st_size);
    }
    identity.text = contentHash(std::string_view(text));
    return identity;
}

}  // namespace skein::disk
