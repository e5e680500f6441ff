// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/repeating_regions.h"

#include <algorithm>

namespace skein {

std::vector<std::string> repeatingRegions(const Experiment& experiment, const Task& task)
{
    constexpr std::size_t kLeast = 20, kMost = 5000, kShown = 20;
    if (!experiment.trace || experiment.trace->locations.empty()) return {};
    const CallIntervals& calls = experiment.trace->locations.front().intervals;
    struct Count {
        std::size_t calls = 0;
        TimeNs time = 0;
    };
    std::vector<Count> counts(experiment.definitions.regions.size());
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i % 65'536 == 0 && task.stopRequested()) return {};
        Count& count = counts[experiment.callTree->region(CallPathId(calls.callPath[i])).index()];
        ++count.calls;
        count.time += calls.span(i).lengthNs();
    }
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < counts.size(); ++i)
        if (counts[i].calls >= kLeast && counts[i].calls <= kMost) found.push_back(i);
    std::stable_sort(found.begin(), found.end(),
                     [&](std::size_t a, std::size_t b) { return counts[a].time > counts[b].time; });
    if (found.size() > kShown) found.resize(kShown);
    std::vector<std::string> names;
    for (const std::size_t region : found)
        names.push_back(displayName(experiment.definitions.regions[region]));
    return names;
}

}  // namespace skein
