// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "core/index/timeline_index.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <cmath>
#include <map>
#include <set>

namespace skein::summarize_test {

namespace {

using test::randomExperiment;

struct Expected {
    double calls = 0, inclusive = 0, exclusive = 0, minimum = 1e300, maximum = 0, sum = 0, squares = 0;
    double cut = 0;
};
using Key = std::pair<std::size_t, std::uint32_t>;  ///< location, item

Experiment withIndex(Experiment experiment)
{
    experiment.timelineIndex = std::make_shared<const TimelineIndex>(
        *buildTimelineIndex(*experiment.trace, *experiment.callTree, Task()));
    return experiment;
}

TimeSpan everything() { return {-1'000'000'000'000, 1'000'000'000'000}; }

/// Asks every call on its own, and every nanosecond's owner by the sums of its direct children.
struct BruteForce {
    std::map<Key, Expected> callPaths, regions;

    BruteForce(const Experiment& experiment, TimeSpan window)
    {
        for (std::size_t location = 0; location < experiment.trace->locations.size(); ++location)
            sum(experiment, location, window);
    }

    void sum(const Experiment& experiment, std::size_t location, TimeSpan window)
    {
        const CallIntervals& calls = experiment.trace->locations[location].intervals;
        const CallTree& tree = *experiment.callTree;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const TimeSpan span = calls.span(i);
            const bool counts = span.empty() ? window.contains(span.begin) : span.overlaps(window);
            if (!counts) continue;
            const double inclusive = static_cast<double>(span.intersected(window).lengthNs());
            double exclusive = inclusive;
            for (std::size_t child = i + 1; child < calls.size() && calls.depth[child] > calls.depth[i];
                 ++child)
                if (calls.depth[child] == calls.depth[i] + 1)
                    exclusive -= static_cast<double>(
                        std::max<TimeNs>(0, calls.span(child).intersected(window).lengthNs()));
            const std::uint32_t path = calls.callPath[i];
            bool outermost = true;
            for (std::size_t above = 0; above < i; ++above) {
                bool contains = calls.depth[above] < calls.depth[i];
                for (std::size_t between = above + 1; between <= i; ++between)
                    contains = contains && calls.depth[between] > calls.depth[above];
                if (contains
                    && tree.region(CallPathId(calls.callPath[above])) == tree.region(CallPathId(path)))
                    outermost = false;
            }
            const bool cut = span.begin < window.begin || span.end > window.end;
            note(callPaths[{location, path}], inclusive, inclusive, exclusive, cut);
            note(regions[{location, tree.region(CallPathId(path)).value()}], inclusive,
                 outermost ? inclusive : 0.0, exclusive, cut);
        }
    }

    static void note(Expected& row, double duration, double inclusive, double exclusive, bool cut)
    {
        ++row.calls;
        row.inclusive += inclusive;
        row.exclusive += exclusive;
        row.cut += cut ? 1 : 0;
        if (cut) return;
        row.sum += duration;
        row.squares += duration * duration;
        row.minimum = std::min(row.minimum, duration);
        row.maximum = std::max(row.maximum, duration);
    }
};

void checkCube(const MetricCube& cube, const std::map<Key, Expected>& expected)
{
    REQUIRE(cube.rows() == expected.size());
    auto next = expected.begin();
    for (std::size_t location = 0; location < cube.locations(); ++location) {
        for (std::size_t row = cube.locationOffsets[location]; row < cube.locationOffsets[location + 1];
             ++row, ++next) {
            REQUIRE(next->first == Key{location, cube.items[row]});
            const Expected& want = next->second;
            REQUIRE(cube.calls[row] == want.calls);
            REQUIRE(cube.inclusive[0][row] == want.inclusive);
            REQUIRE(cube.exclusive[0][row] == want.exclusive);
            REQUIRE(cube.durations.sum[row] == want.sum);
            if (want.cut == want.calls) continue;
            REQUIRE(cube.durations.minimum[row] == want.minimum);
            REQUIRE(cube.durations.maximum[row] == want.maximum);
            REQUIRE((cube.durations.cut.empty() ? 0.0 : cube.durations.cut[row]) == want.cut);
            const double deviations = want.squares - want.sum * want.sum / (want.calls - want.cut);
            REQUIRE(cube.durations.squaredDeviations[row]
                    == Approx(deviations).margin(1e-6 * (1.0 + want.squares)));
        }
    }
}

}  // namespace

TEST_CASE("a trace sums up to what every single call adds")
{
    for (std::uint64_t seed = 0; seed < 30; ++seed) {
        const Experiment experiment =
            randomExperiment(seed, {.processes = 3, .threadsPerProcess = 2, .intervalsPerLocation = 40});
        const Profile profile = summarizeTrace(experiment, {}, Task()).value();
        const BruteForce expected(experiment, everything());
        checkCube(profile.callPaths, expected.callPaths);
        checkCube(profile.regions, expected.regions);
    }
}

TEST_CASE("a window takes the parts of calls inside it")
{
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
        const Experiment experiment =
            randomExperiment(seed, {.processes = 2, .intervalsPerLocation = seed % 4 == 0 ? 600u : 30u});
        const Experiment indexed = withIndex(experiment);
        // Ends on calls' own borders are where half-open spans go wrong.
        const CallIntervals& calls = experiment.trace->locations[0].intervals;
        const TimeNs from = calls.begin[seed % calls.size()];
        const TimeNs to = std::max(from, calls.end[(seed * 7) % calls.size()]);
        for (const TimeSpan window : {TimeSpan{from, to}, TimeSpan{from, from + 1},
                                      TimeSpan{from - 3, to + 3}, TimeSpan{from, from}}) {
            const BruteForce expected(experiment, window);
            for (const Experiment* asked : {&experiment, &indexed}) {
                const Profile profile = summarizeTrace(*asked, {window, {}}, Task()).value();
                checkCube(profile.callPaths, window.empty() ? std::map<Key, Expected>() : expected.callPaths);
                checkCube(profile.regions, window.empty() ? std::map<Key, Expected>() : expected.regions);
            }
        }
    }
}

TEST_CASE("windows side by side sum up to the whole")
{
    const Experiment experiment = randomExperiment(5);
    const TimeNs end = experiment.trace->extent.end + 1;
    double parts = 0.0, whole = 0.0;
    for (TimeNs from = 0; from < end; from += end / 7 + 1) {
        const Profile part =
            summarizeTrace(experiment, {TimeSpan{from, std::min(end, from + end / 7 + 1)}, {}}, Task())
                .value();
        for (const double value : part.callPaths.exclusive[0]) parts += value;
    }
    const Profile all = summarizeTrace(experiment, {}, Task()).value();
    for (const double value : all.callPaths.exclusive[0]) whole += value;
    CHECK(parts == whole);
}

TEST_CASE("exclusive times sum up to the inclusive time of the roots")
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const Experiment experiment = randomExperiment(seed);
        const Profile profile = summarizeTrace(experiment, {}, Task()).value();
        double exclusive = 0.0, roots = 0.0;
        for (std::size_t row = 0; row < profile.callPaths.rows(); ++row) {
            exclusive += profile.callPaths.exclusive[0][row];
            if (!experiment.callTree->parent(CallPathId(profile.callPaths.items[row])).valid())
                roots += profile.callPaths.inclusive[0][row];
        }
        CHECK(exclusive == roots);
    }
}

TEST_CASE("a summary has the same bits on any number of threads")
{
    const Experiment experiment = randomExperiment(9, {.processes = 16, .intervalsPerLocation = 500});
    const Profile one = summarizeTrace(experiment, {}, Task().withThreads(1)).value();
    const Profile four = summarizeTrace(experiment, {}, Task().withThreads(4)).value();
    const auto same = [](const auto& a, const auto& b) {
        return std::equal(a.begin(), a.end(), b.begin(), b.end());
    };
    CHECK(same(one.callPaths.items, four.callPaths.items));
    CHECK(same(one.callPaths.inclusive[0], four.callPaths.inclusive[0]));
    CHECK(same(one.regions.durations.squaredDeviations, four.regions.durations.squaredDeviations));
}

TEST_CASE("only the wanted locations are summed up, and a stop is obeyed")
{
    const Experiment experiment = randomExperiment(2);
    const Profile profile = summarizeTrace(experiment, {{}, {LocationId(1)}}, Task()).value();
    CHECK(profile.regions.locationOffsets[1] == 0);
    CHECK(profile.regions.locationOffsets[2] > 0);
    CHECK(profile.regions.locationOffsets[4] == profile.regions.locationOffsets[2]);
    std::stop_source stop;
    stop.request_stop();
    CHECK(summarizeTrace(experiment, {}, Task(stop.get_token())).error().cancelled());
}

TEST_CASE("a window on a profile without times is refused in one sentence")
{
    Experiment experiment = randomExperiment(1);
    experiment.profile = std::make_shared<const Profile>(summarizeTrace(experiment, {}, Task()).value());
    CHECK(profileOf(experiment, {}, Task()).value() == experiment.profile);
    CHECK(profileOf(experiment, TimeSpan{0, 10}, Task()).value() != experiment.profile);
    experiment.trace = nullptr;
    CHECK(profileOf(experiment, TimeSpan{0, 10}, Task()).error().code == ErrorCode::InvalidArgument);
    experiment.profile = nullptr;
    CHECK(profileOf(experiment, {}, Task()).error().code == ErrorCode::NotRecorded);
}

}  // namespace skein::summarize_test
