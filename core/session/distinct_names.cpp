// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/distinct_names.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>

namespace skein {
namespace {

constexpr std::size_t kMostFolders = 6;

/// The name with the last `folders` folders above it in the experiment's path.
std::string nameWithFolders(const Experiment& experiment, std::size_t folders)
{
    std::vector<std::string> parts;
    for (const auto& part : experiment.path.lexically_normal()) parts.push_back(part.string());
    const auto own = std::find(parts.rbegin(), parts.rend(), experiment.name);
    const auto end = own == parts.rend() ? parts.end() : own.base() - 1;
    std::string name = experiment.name;
    for (auto above = end; above != parts.begin() && folders > 0; --folders) name = *--above + "/" + name;
    return name;
}

bool allDistinct(std::vector<std::string> names)
{
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
}

/// New names for experiments of the same name.
std::vector<std::string> tellApart(const std::vector<ExperimentPtr>& same)
{
    std::vector<std::string> names;
    for (std::size_t folders = 1; folders <= kMostFolders; ++folders) {
        names.clear();
        for (const ExperimentPtr& experiment : same) names.push_back(nameWithFolders(*experiment, folders));
        if (allDistinct(names)) return names;
    }
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = fmt::format("{} ({})", same[i]->name, i + 1);
    return names;
}

}  // namespace

Session withDistinctNames(const Session& session)
{
    Session result = session;
    for (std::size_t first = 0; first < session.experiments.size(); ++first) {
        std::vector<std::size_t> places;
        std::vector<ExperimentPtr> same;
        for (std::size_t i = 0; i < session.experiments.size(); ++i) {
            if (session.experiments[i]->name != session.experiments[first]->name) continue;
            places.push_back(i);
            same.push_back(session.experiments[i]);
        }
        if (same.size() < 2 || places.front() != first) continue;
        const auto names = tellApart(same);
        for (std::size_t i = 0; i < places.size(); ++i) {
            auto renamed = std::make_shared<Experiment>(*same[i]);
            renamed->name = names[i];
            result.experiments[places[i]] = std::move(renamed);
        }
    }
    return result;
}

}  // namespace skein
