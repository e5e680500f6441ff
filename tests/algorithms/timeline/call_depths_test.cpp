// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/call_depths.h"

#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

#include <cmath>

namespace skein::call_depths_test {

namespace {

/// Depth of the innermost call at a time: 1 = outermost, 0 = none; nullopt within 1 ns of an edge.
std::optional<int> depthAt(const CallIntervals& calls, double time)
{
    int depth = 0;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        for (const TimeNs edge : {calls.begin[call], calls.end[call]})
            if (std::abs(time - static_cast<double>(edge)) <= 1) return std::nullopt;
        if (static_cast<double>(calls.begin[call]) <= time && time < static_cast<double>(calls.end[call]))
            depth = calls.depth[call] + 1;
    }
    return depth;
}

}  // namespace

TEST_CASE(
    "call depths are those of the innermost calls, averaged over the locations of a row that call anything")
{
    for (std::uint32_t seed = 1; seed <= 4; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 100, 3);
        const TimelineIndex index = *buildTimelineIndex(*experiment->trace, *experiment->callTree, Task());
        const ColumnGrid grid{static_cast<double>(seed) * 30, 0.25, 1200};
        const std::vector<std::vector<LocationId>> rows{{LocationId(0)}, {LocationId(1), LocationId(2)}};
        std::vector<std::uint32_t> levels(experiment->callTree->size());
        for (std::uint32_t path = 0; path < levels.size(); ++path)
            levels[path] = experiment->callTree->depth(CallPathId(path)) + 1;
        const auto depths = callDepths(*experiment, index, levels, rows, grid, Task());
        REQUIRE(depths);
        for (std::size_t row = 0; row < rows.size(); ++row)
            for (std::uint32_t column = 0; column < grid.count; ++column) {
                const double time = grid.begin + (column + 0.5) * grid.nsPerColumn;
                int sum = 0, active = 0;
                bool edge = false;
                for (const LocationId location : rows[row]) {
                    const auto depth =
                        depthAt(experiment->trace->locations[location.index()].intervals, time);
                    edge = edge || !depth;
                    if (!depth || *depth == 0) continue;
                    sum += *depth;
                    ++active;
                }
                if (edge) continue;
                REQUIRE(depths->at(row, column)
                        == (active == 0 ? 0.0f : static_cast<float>(sum) / static_cast<float>(active)));
            }
    }
}

}  // namespace skein::call_depths_test
