// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/archive_search.h"

#include <algorithm>

namespace skein {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepestSearched = 4;
constexpr std::size_t kMostSearchedEntries = 20'000;
constexpr std::size_t kMostSearchedFiles = 2'000;

class Search {
public:
    explicit Search(const Task& task) : task_(task) {}

    std::optional<ArchiveSearch> run(const fs::path& folder)
    {
        std::vector<fs::path> level{folder};
        for (int depth = 0; depth < kDeepestSearched && !level.empty(); ++depth) level = lookInto(level);
        if (!level.empty()) result_.complete = false;
        if (task_.stopRequested()) return std::nullopt;
        std::sort(result_.found.begin(), result_.found.end(),
                  [](const auto& a, const auto& b) { return a.archive < b.archive; });
        return std::move(result_);
    }

private:
    bool goesOn()
    {
        if (entries_ > kMostSearchedEntries) result_.complete = false;
        return result_.complete && !task_.stopRequested();
    }

    /// Looks at the entries of some folders; gives the folders below that are no archives.
    std::vector<fs::path> lookInto(const std::vector<fs::path>& folders)
    {
        std::vector<fs::path> below;
        for (const fs::path& folder : folders) {
            std::error_code error;
            std::vector<fs::directory_entry> entries;
            for (fs::directory_iterator entry(folder, error), end; !error && entry != end && goesOn();
                 entry.increment(error)) {
                ++entries_;
                entries.push_back(*entry);
            }
            std::sort(entries.begin(), entries.end());
            for (const fs::directory_entry& entry : entries)
                if (goesOn()) look(entry, below);
        }
        return below;
    }

    void look(const fs::directory_entry& entry, std::vector<fs::path>& below)
    {
        std::error_code error;
        if (entry.is_directory(error) && !entry.is_symlink(error)) {
            if (!take(entry.path())) below.push_back(entry.path());
        } else if (entry.is_regular_file(error)
                   && entry.file_size(error) > 0) {  // files of the kernel say 0, and may never end
            if (++files_ > kMostSearchedFiles) result_.complete = false;
            else take(entry.path());
        }
    }

    bool take(const fs::path& path)
    {
        const auto candidates = recognizeArchive(path, task_);
        const bool traced = !candidates.empty() && candidates.front().importer->kind == ArchiveKind::Trace;
        for (const ArchiveCandidate& candidate : candidates) {
            // It opens with the trace beside it.
            if (traced && candidate.importer->joinsTrace) continue;
            const auto same = [&](const ArchiveCandidate& known) {
                return known.archive.lexically_normal() == candidate.archive.lexically_normal();
            };
            if (std::none_of(result_.found.begin(), result_.found.end(), same))
                result_.found.push_back(candidate);
        }
        return !candidates.empty();
    }

    const Task& task_;
    ArchiveSearch result_;
    std::size_t entries_ = 0, files_ = 0;
};

}  // namespace

std::vector<ArchiveCandidate> recognizeArchive(const fs::path& path, const Task& task)
{
    std::vector<ArchiveCandidate> candidates;
    for (const Importer& importer : builtinImporters())
        if (auto archive = importer.sniff(path, task)) candidates.push_back({&importer, std::move(*archive)});
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const auto& a, const auto& b) { return a.importer->kind < b.importer->kind; });
    return candidates;
}

std::optional<ArchiveSearch> searchArchives(const fs::path& folder, const Task& task)
{
    return Search(task).run(folder);
}

}  // namespace skein
