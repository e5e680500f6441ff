// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/source_hash.h"

#include "core/base/content_hash.h"
#include "core/base/file_bytes.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace skein {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostHashedFiles = 200'000;
constexpr std::size_t kHashedHeadBytes = std::size_t{64} << 10;
constexpr std::size_t kHashedHeads = 64;
constexpr int kDeepestHashed = 2;

bool isSessionFile(const fs::path& file) { return file.filename().string().ends_with(".session.json"); }

/// False where something cannot be listed, or where there is too much of it.
bool listHashedFiles(const fs::path& folder, int deeper, std::vector<fs::path>& files, const Task& task)
{
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure)) {
        std::error_code ignored;
        if (files.size() >= kMostHashedFiles || task.stopRequested()) return false;
        if (entry->is_regular_file(ignored) && !isSessionFile(entry->path())) files.push_back(entry->path());
        if (deeper > 0 && entry->is_directory(ignored) && !entry->is_symlink(ignored)
            && !listHashedFiles(entry->path(), deeper - 1, files, task))
            return false;
    }
    return !failure;
}

/// What is called like the file up to its dot.
bool listNamesakes(const fs::path& file, std::vector<fs::path>& files, const Task& task)
{
    if (!file.has_extension() || file.stem().string().find('.') != std::string::npos) {
        files.push_back(file);
        return true;
    }
    if (!listHashedFiles(file.parent_path(), 0, files, task)) return false;
    std::erase_if(files, [&](const fs::path& other) { return other.stem() != file.stem(); });
    const fs::path folder = file.parent_path() / file.stem();
    std::error_code ignored;
    return !fs::is_directory(folder, ignored) || listHashedFiles(folder, 0, files, task);
}

}  // namespace

Result<std::string> sourceHash(const fs::path& path, const Task& task)
{
    std::error_code failure;
    const fs::path whole = fs::canonical(path, failure);
    if (failure) return fail(ErrorCode::NotFound, fmt::format("There is no {}.", path.string()));
    const bool folder = fs::is_directory(whole, failure);
    std::vector<fs::path> files;
    const bool listed =
        folder ? listHashedFiles(whole, kDeepestHashed, files, task) : listNamesakes(whole, files, task);
    if (task.stopRequested()) return cancelled();
    if (!listed) return fail(ErrorCode::Io, fmt::format("The files of {} cannot be listed.", path.string()));
    const fs::path base = folder ? whole : whole.parent_path();
    std::sort(files.begin(), files.end());
    std::string text;
    for (std::size_t number = 0; number < files.size(); ++number) {
        if (task.stopRequested()) return cancelled();
        const auto size = fs::file_size(files[number], failure);
        if (failure) return fail(ErrorCode::Io, fmt::format("{} cannot be read.", files[number].string()));
        text += fmt::format("{} {}\n", files[number].lexically_relative(base).string(), size);
        if (number < kHashedHeads)
            text += contentHash(std::string_view(fileHead(files[number], kHashedHeadBytes)));
    }
    return contentHash(std::string_view(text));
}

}  // namespace skein
