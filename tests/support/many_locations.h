// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/row_sampler.h"
#include "tests/support/random_calls.h"

#include <cstddef>
#include <vector>

namespace skein::test {

/// Locations with random calls, as they are sampled together.
struct ManyLocations {
    ExperimentPtr experiment;
    TimelineIndex index;
    CallPathRegions paths;
    std::vector<const CallIntervals*> intervals;
    std::vector<RowSource::Member> members;

    ManyLocations(std::uint32_t seed, std::size_t calls, int count)
        : experiment(experimentOfRandomCalls(seed, calls, count)),
          index(*buildTimelineIndex(*experiment->trace, *experiment->callTree, Task())),
          paths(*experiment->callTree)
    {
        for (std::size_t location = 0; location < static_cast<std::size_t>(count); ++location) {
            intervals.push_back(&experiment->trace->locations[location].intervals);
            members.push_back({intervals.back(), &index.locations[location].skip});
        }
    }

    /// Each location by its own tree.
    std::vector<RowSource> sources(std::size_t first = 0) const
    {
        std::vector<RowSource> each;
        for (std::size_t location = first; location < intervals.size(); ++location)
            each.emplace_back(*intervals[location], index.locations[location]);
        return each;
    }

    BundleTree treeOfFirst(std::size_t count) const
    {
        return *buildBundleTree(std::span(intervals).first(count), paths.region, paths.regionCount, Task());
    }
};

}  // namespace skein::test
