// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/disk/index_cache.h"

#include "core/base/content_hash.h"
#include "core/base/units.h"
#include "core/index/disk/index_reader.h"
#include "core/index/disk/index_writer.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>
#include <sys/stat.h>

namespace skein::disk {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kExtension = ".skein-index";
constexpr std::size_t kKeyDigits = 16;

std::string variable(const char* name)
{
    const char* value = std::getenv(name);
    return value ? value : "";
}

fs::path usualFolder()
{
    if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/'))
        return fs::path(cache) / "skein";
    const std::string home = variable("HOME");
    return home.empty() ? fs::path() : fs::path(home) / ".cache" / "skein";
}

std::int64_t nsOf(const timespec& time) { return time.tv_sec * 1'000'000'000ll + time.tv_nsec; }

/// An index file with its size and last use.
std::optional<IndexEntry> indexEntryOf(const fs::path& file)
{
    struct stat status {
    }, stamp{};
    if (file.extension() != kExtension || lstat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
        return std::nullopt;
    const bool stamped = stat(stampOf(file).c_str(), &stamp) == 0;
    return IndexEntry{file, static_cast<std::uint64_t>(status.st_size),
                      nsOf(stamped ? stamp.st_mtim : status.st_mtim), std::nullopt};
}

bool isMissing(const std::error_code& failure) { return failure == std::errc::no_such_file_or_directory; }

Unexpected refused(std::string_view what, const fs::path& path, const std::error_code& failure)
{
    const bool denied =
        failure == std::errc::permission_denied || failure == std::errc::operation_not_permitted;
    return fail(denied ? ErrorCode::AccessDenied : ErrorCode::Io,
                fmt::format("{} {}: {}.", what, path.string(), failure.message()));
}

Result<std::vector<fs::path>> filesOf(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code failure;
    for (fs::directory_iterator entry(folder, failure), end; !failure && entry != end;
         entry.increment(failure))
        files.push_back(entry->path());
    if (failure && !isMissing(failure)) return refused("The indexes cannot be listed in", folder, failure);
    return files;
}

std::vector<IndexEntry> indexEntriesOf(const std::vector<fs::path>& files)
{
    std::vector<IndexEntry> entries;
    for (const fs::path& file : files)
        if (auto entry = indexEntryOf(file)) entries.push_back(std::move(*entry));
    std::sort(entries.begin(), entries.end(), [](const IndexEntry& a, const IndexEntry& b) {
        return a.usedNs != b.usedNs ? a.usedNs > b.usedNs : a.file < b.file;
    });
    return entries;
}

}  // namespace

IndexSettings settingsFromEnvironment()
{
    IndexSettings settings;
    const std::string folder = variable("SKEIN_INDEX_DIR");
    settings.folder = folder.empty() ? usualFolder() : fs::path(folder);
    settings.enabled = !settings.folder.empty();
    settings.sizeLimit = parseBytes(variable("SKEIN_INDEX_LIMIT")).value_or(kDefaultSizeLimit);
    return settings;
}

fs::path indexFileOf(const fs::path& folder, const fs::path& archive)
{
    const std::string hash = contentHash(archive.string());
    return folder / (hash.substr(hash.find(':') + 1, kKeyDigits) + std::string(kExtension));
}

Result<std::vector<IndexEntry>> listIndexes(const fs::path& folder)
{
    const auto files = filesOf(folder);
    if (!files) return Unexpected(files.error());
    std::vector<IndexEntry> entries = indexEntriesOf(*files);
    for (IndexEntry& entry : entries) {
        auto summary = readSummary(entry.file);
        if (summary) entry.summary = std::move(*summary);
        else entry.failure = summary.error().code;
    }
    return entries;
}

Result<bool> dropIndex(const fs::path& file)
{
    std::error_code ignored, failure;
    fs::remove(stampOf(file), ignored);
    const bool removed = fs::remove(file, failure);
    if (failure && !isMissing(failure)) return refused("The index cannot be removed,", file, failure);
    return removed;
}

std::size_t tidyIndexes(const fs::path& folder, std::uint64_t sizeLimit, const fs::path& keep)
{
    std::size_t removed = 0;
    const auto files = filesOf(folder);
    if (!files) return 0;
    for (const fs::path& file : *files)
        if (isTemporaryIndex(file)) removed += removeAbandoned(file);
    std::vector<IndexEntry> entries = indexEntriesOf(*files);
    std::uint64_t sum = 0;
    for (const IndexEntry& entry : entries) sum += entry.bytes;
    while (sum > sizeLimit && !entries.empty()) {
        const IndexEntry oldest = std::move(entries.back());
        entries.pop_back();
        if (oldest.file == keep) continue;
        removed += dropIndex(oldest.file).value_or(false);
        sum -= oldest.bytes;
    }
    return removed;
}

}  // namespace skein::disk
