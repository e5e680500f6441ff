// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/outliers.h"

#include "core/index/timeline_index.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/scenes.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace skein::outliers_test {

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

/// What is listed with the call is the call's.
void checkRow(const CallIntervals& calls, const Column<Outlier>& outliers, std::uint32_t call)
{
    for (const Outlier& outlier : outliers) {
        if (outlier.call != call) continue;
        CHECK(outlier.begin == calls.begin[call]);
        CHECK(outlier.end == calls.end[call]);
        CHECK(outlier.callPath == calls.callPath[call]);
    }
}

}  // namespace

TEST_CASE("outliers are the calls that lie far from all others of their region")
{
    std::size_t found = 0;
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 150, 3, 5, 3);
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
        forEachCall([&](std::size_t location, std::uint32_t call, double duration) {
            durations[regionOf(location, call)].push_back(duration);
        });
        std::vector<std::size_t> next(durations.size());
        forEachCall([&](std::size_t location, std::uint32_t call, double) {
            const std::size_t region = regionOf(location, call);
            const auto& outliers = index.locations[location].outliers;
            const bool listed = std::any_of(outliers.begin(), outliers.end(),
                                            [&](const Outlier& outlier) { return outlier.call == call; });
            REQUIRE(listed == isOutlier(durations[region], next[region]++));
            found += listed;
            if (listed) checkRow(experiment->trace->locations[location].intervals, outliers, call);
        });
    }
    CHECK(found > 0);
}

TEST_CASE("every outlier in a picture has a column that it is in, unless another one has it")
{
    std::size_t narrow = 0, shared = 0;
    for (std::uint32_t seed = 1; seed <= 40; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 120, 1, 6, 3);
        const CallIntervals& calls = experiment->trace->locations[0].intervals;
        std::mt19937 random(seed);
        // Any calls will do.
        std::vector<Outlier> outliers;
        for (std::uint32_t call = 0; call < calls.size(); ++call)
            if (random() % 3 == 0)
                outliers.push_back({calls.begin[call], calls.end[call], call, calls.callPath[call]});
        const double end = static_cast<double>(experiment->trace->extent.end);
        for (const double nsPerColumn : {end / 300, end / 40, end / 7}) {
            const ColumnGrid grid{end * 0.2, nsPerColumn,
                                  static_cast<std::uint32_t>(end * 0.6 / nsPerColumn)};
            std::vector<OutlierColumn> found;
            findOutlierColumns(outliers, grid, 2 * nsPerColumn, found);
            for (const OutlierColumn& one : found) {
                const double begin = static_cast<double>(calls.begin[one.call]),
                             last = static_cast<double>(calls.end[one.call]);
                const double left = grid.begin + one.column * nsPerColumn;
                REQUIRE(one.column < grid.count);
                CHECK(one.callPath == calls.callPath[one.call]);
                CHECK((begin < left + nsPerColumn * 1.001 && last >= left - nsPerColumn * 0.001));
                CHECK(one.isNarrow == (last - begin < 2 * nsPerColumn));
                narrow += one.isNarrow;
            }
            for (const auto& [entry, leave, call, path] : outliers) {
                const double begin = static_cast<double>(calls.begin[call]),
                             last = static_cast<double>(calls.end[call]);
                if (last <= grid.begin || begin >= grid.end()) continue;
                if (std::any_of(found.begin(), found.end(),
                                [call = call](const auto& one) { return one.call == call; }))
                    continue;
                ++shared;
                const auto column =
                    static_cast<std::uint32_t>(std::max(0.0, (begin - grid.begin) / nsPerColumn));
                INFO("seed " << seed << " call " << call << " column " << column);
                CHECK(std::any_of(found.begin(), found.end(), [&](const auto& one) {
                    return one.column == column || one.column == column + 1;
                }));
            }
        }
    }
    CHECK(narrow > 500);
    CHECK(shared > 50);
}

TEST_CASE("a call is compared with all calls of its region's name, whichever rank defined it")
{
    test::ExperimentBuilder builder("ranks");
    for (int rank = 0; rank < 4; ++rank) {
        std::vector<test::Call> calls;
        for (int call = 0; call < 5; ++call) {
            const TimeNs length = rank == 2 && call == 3 ? 900 : 10 + call;
            calls.push_back({call * 1000, call * 1000 + length, "work of " + std::to_string(rank), 0});
        }
        builder.process("node", calls);
    }
    Experiment experiment = *builder.finish();
    const auto outliersOf = [&] {
        const auto index = buildTimelineIndex(*experiment.trace, *experiment.callTree,
                                              firstOfName(experiment.definitions), Task());
        REQUIRE(index);
        std::vector<std::size_t> counts;
        for (const TimelineIndex::Location& location : index->locations)
            counts.push_back(location.outliers.size());
        return counts;
    };
    CHECK(outliersOf() == std::vector<std::size_t>{0, 0, 0, 0});  // five calls have no usual
    for (Region& region : experiment.definitions.regions) region.name = "work";
    CHECK(outliersOf() == std::vector<std::size_t>{0, 0, 1, 0});
}

}  // namespace skein::outliers_test
