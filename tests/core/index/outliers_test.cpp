// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/outliers.h"

#include "core/index/timeline_index.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

#include <cmath>

using namespace skein;

namespace {

/// From the definition: mean and deviation of all other calls of the region.
bool isOutlier(const std::vector<double>& all, std::size_t which)
{
    if (all.size() < 6) return false;
    const double others = static_cast<double>(all.size() - 1);
    double mean = 0, squares = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i != which) mean += all[i] / others;
    for (std::size_t i = 0; i < all.size(); ++i)
        if (i != which) squares += (all[i] - mean) * (all[i] - mean);
    return all[which] > 4 * mean && all[which] > mean + 8 * std::sqrt(squares / others);
}

}  // namespace

TEST_CASE("outliers are the calls that lie far from all others of their region")
{
    std::size_t found = 0;
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const ExperimentPtr experiment = test::randomExperiment(seed, 150, 3, 5, 3);
        const TimelineIndex index = *buildTimelineIndex(*experiment->trace, *experiment->callTree, Task());
        std::vector<std::vector<double>> durations(experiment->definitions.regions.size());
        const auto regionOf = [&](std::size_t location, std::uint32_t call) {
            const CallIntervals& calls = experiment->trace->locations[location].intervals;
            return experiment->callTree->region(CallPathId(calls.callPath[call])).index();
        };
        const auto forEachCall = [&](auto visit) {
            for (std::size_t location = 0; location < 3; ++location) {
                const CallIntervals& calls = experiment->trace->locations[location].intervals;
                for (std::uint32_t call = 0; call < calls.size(); ++call)
                    visit(location, call, static_cast<double>(calls.end[call] - calls.begin[call]));
            }
        };
        forEachCall([&](std::size_t location, std::uint32_t call, double duration) { durations[regionOf(location, call)].push_back(duration); });
        std::vector<std::size_t> next(durations.size());
        forEachCall([&](std::size_t location, std::uint32_t call, double) {
            const std::size_t region = regionOf(location, call);
            const auto& outliers = index.locations[location].outliers;
            const bool listed = std::find(outliers.begin(), outliers.end(), call) != outliers.end();
            REQUIRE(listed == isOutlier(durations[region], next[region]++));
            found += listed;
        });
    }
    CHECK(found > 0);
}
