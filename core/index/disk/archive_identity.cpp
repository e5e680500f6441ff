// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/archive_identity.h"

#include "core/base/content_hash.h"
#include "core/base/file_bytes.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <string_view>
#include <sys/stat.h>
#include <vector>

namespace skein::disk {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostIdentityFiles = 200'000;
constexpr std::size_t kIdentityHeadBytes = std::size_t{64} << 10;
/// The times and inodes of the files tell a change already; heads are for file systems on which these are
/// coarse.
constexpr int kMostHeads = 16;
/// So much text is hashed at once, between two looks at the task.
constexpr std::size_t kPieceBytes = std::size_t{128} << 10;

/// Regular files of a folder, and where asked of the folders below it that hold one metric each of a TAU
/// profile; these may be links. False when there are too many, or after a stop request.
bool listArchiveFiles(const fs::path& folder, bool withMetrics, std::vector<fs::path>& files,
                      const Task& task)
{
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        if (files.size() >= kMostIdentityFiles || task.stopRequested()) return false;
        std::error_code ignored;
        if (entry->is_regular_file(ignored)) files.push_back(entry->path());
        else if (withMetrics && entry->path().filename().string().starts_with("MULTI__")
                 && entry->is_directory(ignored) && !listArchiveFiles(entry->path(), false, files, task))
            return false;
    }
    return !failure;
}

/// Files are members by their names or else by what they begin with: logs, and the output of this very
/// command, come and go.
bool belongsTo(const ArchiveCandidate& archive, const fs::path& file, const Task& task)
{
    static constexpr std::array<std::string_view, 4> kExtensions{".edf", ".ppk", ".trc", ".xml"};
    return file.filename().string().starts_with("profile.")
        || std::find(kExtensions.begin(), kExtensions.end(), file.extension().native()) != kExtensions.end()
        || archive.importer->sniff(file, task);
}

bool listMembers(const ArchiveCandidate& archive, const fs::path& path, std::vector<fs::path>& files,
                 const Task& task)
{
    std::error_code ignored;
    const bool folder = fs::is_directory(path, ignored);
    if (!listArchiveFiles(folder ? path : path.parent_path(), folder, files, task)) return false;
    if (archive.importer->id != "otf2") {
        std::erase_if(files, [&](const fs::path& file) { return !belongsTo(archive, file, task); });
        return !task.stopRequested();
    }
    std::erase_if(files, [&](const fs::path& file) { return file.stem() != path.stem(); });
    fs::path locations = path;
    locations.replace_extension();
    return !fs::is_directory(locations, ignored) || listArchiveFiles(locations, false, files, task);
}

bool tellsAll(const fs::path& file)
{
    const auto extension = file.extension();
    return extension == ".otf2"
        || (extension == ".def" && file.stem().string().find_first_not_of("0123456789") != std::string::npos)
        || extension == ".edf" || extension == ".xml";
}

}  // namespace

std::optional<ArchiveIdentity> identify(const ArchiveCandidate& archive, const Task& task)
{
    std::error_code failure;
    ArchiveIdentity identity;
    identity.archive = fs::canonical(archive.archive, failure);
    std::vector<fs::path> files;
    if (failure || !listMembers(archive, identity.archive, files, task)) return std::nullopt;
    // Paths compare part by part, which costs ten times as much as their bytes.
    std::sort(files.begin(), files.end(),
              [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); });
    int heads = 0;
    std::string text = fmt::format("{}\n{}\n", archive.importer->id, identity.archive.string());
    for (const fs::path& file : files) {
        if (task.stopRequested()) return std::nullopt;
        struct stat status {};
        if (stat(file.c_str(), &status) != 0) return std::nullopt;
        text += fmt::format("{} {} {} {}.{} {}.{}\n", file.string(), status.st_size, status.st_ino,
                            status.st_mtim.tv_sec, status.st_mtim.tv_nsec, status.st_ctim.tv_sec,
                            status.st_ctim.tv_nsec);
        if (heads < kMostHeads && tellsAll(file)) {
            text += fileHead(file, kIdentityHeadBytes);
            ++heads;
        }
        if (text.size() > kPieceBytes) text = contentHash(std::string_view(text)) + "\n";
        ++identity.files;
        identity.bytes += static_cast<std::uint64_t>(status.st_size);
    }
    identity.text = contentHash(std::string_view(text));
    return identity;
}

}  // namespace skein::disk
