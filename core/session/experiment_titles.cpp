// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/experiment_titles.h"

#include <algorithm>

namespace skein {
namespace {

bool saysOnlyWhat(const std::string& name)
{
    return name.starts_with("trace") || name.starts_with("profile");
}

/// The folders around the experiment's own name, innermost first.
std::vector<std::string> foldersOf(const Experiment& experiment)
{
    std::vector<std::string> parts;
    for (const auto& part : experiment.path) parts.push_back(part.string());
    std::reverse(parts.begin(), parts.end());
    const auto own = std::find(parts.begin(), parts.end(), experiment.name);
    if (own == parts.end()) return {};
    std::vector<std::string> folders(own + 1, parts.end());
    std::erase_if(folders,
                  [](const std::string& part) { return part.empty() || part == "/" || part == "."; });
    return folders;
}

std::string withFolders(const Experiment& experiment, const std::vector<std::string>& folders,
                        std::size_t count)
{
    std::string title = experiment.name;
    for (std::size_t folder = 0; folder < std::min(count, folders.size()); ++folder)
        title = folders[folder] + "/" + title;
    return title;
}

}  // namespace

std::vector<std::string> experimentTitles(const Session& session)
{
    constexpr std::size_t kMostFolders = 6;
    const auto& experiments = session.experiments;
    std::vector<std::vector<std::string>> folders;
    for (const ExperimentPtr& experiment : experiments) folders.push_back(foldersOf(*experiment));
    std::vector<std::string> titles;
    for (std::size_t count = 0; count <= kMostFolders; ++count) {
        titles.clear();
        for (std::size_t index = 0; index < experiments.size(); ++index)
            titles.push_back(
                withFolders(*experiments[index], folders[index],
                            std::max<std::size_t>(count, saysOnlyWhat(experiments[index]->name) ? 1 : 0)));
        auto sorted = titles;
        std::sort(sorted.begin(), sorted.end());
        if (std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end()) break;
    }
    return titles;
}

}  // namespace skein
