// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/span_statistics.h"

#include "algorithms/profile/summarize.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"

#include <cmath>
#include <map>
#include <random>

namespace skein::span_statistics_test {

namespace {

TimelineIndex indexOf(const Experiment& experiment)
{
    return *buildTimelineIndex(*experiment.trace, *experiment.callTree, Task());
}

/// From the definition: every call of a location with the part that lies in the span.
std::map<std::uint32_t, RegionStatistics> bruteForce(const Experiment& experiment, TimeSpan span,
                                                     std::size_t from, std::size_t to)
{
    std::map<std::uint32_t, RegionStatistics> rows;
    std::map<std::uint32_t, std::vector<TimeNs>> durations;
    const CallTree& tree = *experiment.callTree;
    for (std::size_t location = from; location < to; ++location) {
        const CallIntervals& calls = experiment.trace->locations[location].intervals;
        for (std::size_t i = 0; i < calls.size(); ++i) {
            const bool inside = calls.begin[i] >= span.begin && calls.begin[i] < span.end;
            const bool reachesIn = calls.begin[i] < span.begin && calls.end[i] > span.begin;
            if (!inside && !reachesIn) continue;
            const TimeNs part = std::min(calls.end[i], span.end) - std::max(calls.begin[i], span.begin);
            const CallPathId path(calls.callPath[i]);
            rows[tree.region(path).value()].exclusiveNs += part;
            if (!tree.isRecursive(path)) rows[tree.region(path).value()].inclusiveNs += part;
            if (tree.parent(path).valid()) rows[tree.region(tree.parent(path)).value()].exclusiveNs -= part;
            ++rows[tree.region(path).value()].calls;
            if (part == calls.end[i] - calls.begin[i]) durations[tree.region(path).value()].push_back(part);
            else ++rows[tree.region(path).value()].cut;
        }
    }
    for (auto& [region, row] : rows) {
        const auto& all = durations[region];
        row.region = RegionId(region);
        if (all.empty()) continue;
        row.shortestNs = *std::min_element(all.begin(), all.end());
        row.longestNs = *std::max_element(all.begin(), all.end());
        for (const TimeNs duration : all)
            row.meanNs += static_cast<double>(duration) / static_cast<double>(all.size());
        for (const TimeNs duration : all)
            row.deviationNs += std::pow(static_cast<double>(duration) - row.meanNs, 2);
        row.deviationNs = std::sqrt(row.deviationNs / static_cast<double>(all.size()));
    }
    return rows;
}

void compare(std::span<const RegionStatistics> found,
             const std::map<std::uint32_t, RegionStatistics>& expected)
{
    REQUIRE(found.size() == expected.size());
    auto other = expected.begin();
    for (const RegionStatistics& row : found) {
        const RegionStatistics& wanted = (other++)->second;
        CHECK(row.region == wanted.region);
        CHECK(row.calls == wanted.calls);
        CHECK(row.cut == wanted.cut);
        CHECK(row.inclusiveNs == wanted.inclusiveNs);
        CHECK(row.exclusiveNs == wanted.exclusiveNs);
        CHECK(row.shortestNs == wanted.shortestNs);
        CHECK(row.longestNs == wanted.longestNs);
        CHECK(std::abs(row.meanNs - wanted.meanNs) <= 1e-9 * (1 + wanted.meanNs));
        CHECK(std::abs(row.deviationNs - wanted.deviationNs) <= 1e-6 * (1 + wanted.deviationNs));
    }
}

TimeSpan randomSpan(std::minstd_rand& random, TimeNs end)
{
    const auto time = [&] { return static_cast<TimeNs>(random() % static_cast<std::uint32_t>(end + 3)); };
    const TimeNs a = time(), b = time();
    return {std::min(a, b), std::max(a, b)};
}

}  // namespace

TEST_CASE("statistics of a span are what adding up every call gives")
{
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const ExperimentPtr experiment =
            test::experimentOfRandomCalls(seed, seed % 3 == 0 ? 5000 : 30 * seed, 3);
        const TimelineIndex index = indexOf(*experiment);
        std::minstd_rand random(seed);
        const TimeNs end = experiment->trace->extent.end;
        for (int round = 0; round < 20; ++round) {
            const TimeSpan span = round == 0 ? TimeSpan{0, end + 1}
                : round == 1                 ? TimeSpan{-5, end / 2}
                                             : randomSpan(random, end);
            INFO("seed " << seed << ", span " << span.begin << " to " << span.end);
            const auto statistics =
                spanStatistics(*experiment, index, span, {}, Task().withThreads(round % 2 + 1));
            REQUIRE(statistics);
            compare(statistics->overall, bruteForce(*experiment, span, 0, 3));
            for (std::uint32_t location = 0; location < 3; ++location)
                compare(statistics->of(LocationId(location)),
                        bruteForce(*experiment, span, location, location + 1));
        }
    }
}

TEST_CASE("statistics of a span are those of a summed up window")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(77, 3000, 4);
    const TimelineIndex index = indexOf(*experiment);
    const TimeSpan span{experiment->trace->extent.end / 3, experiment->trace->extent.end / 2};
    const std::vector<LocationId> chosen{LocationId(1), LocationId(3)};
    const Profile profile = summarizeTrace(*experiment, {span, chosen, {}}, Task()).value();
    const SpanStatistics statistics = spanStatistics(*experiment, index, span, chosen, Task()).value();
    const MetricCube& cube = profile.regions;
    REQUIRE(statistics.rows.size() == cube.rows());
    for (std::size_t row = 0; row < cube.rows(); ++row) {
        CHECK(statistics.rows[row].region.value() == cube.items[row]);
        CHECK(static_cast<double>(statistics.rows[row].calls) == cube.calls[row]);
        CHECK(static_cast<double>(statistics.rows[row].inclusiveNs) == cube.inclusive[0][row]);
        CHECK(static_cast<double>(statistics.rows[row].exclusiveNs) == cube.exclusive[0][row]);
        const bool known = statistics.rows[row].wholeCalls() > 0;
        const double longest = cube.durations.maximum[row];
        CHECK((known ? static_cast<double>(statistics.rows[row].longestNs) == longest : longest < 0));
        CHECK(static_cast<double>(statistics.rows[row].cut) == cube.durations.cut[row]);
    }
    CHECK(statistics.of(LocationId(0)).empty());
    CHECK(statistics.of(LocationId(2)).empty());
}

TEST_CASE("deviations of long steady calls are not lost in their squares")
{
    CallSum sum;
    for (int call = 0; call < 1000; ++call) sum.addCall(3'600'000'000'000'000 + call % 2);
    CHECK(std::abs(sum.deviationNs() - 0.5) < 1e-9);
    CallSum none;
    CHECK(none.deviationNs() == 0);
    none.merge(sum);
    CHECK(none == sum);
}

TEST_CASE("statistics need a trace, stop when told to, and of an empty span there are none")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(5, 100, 2);
    const TimelineIndex index = indexOf(*experiment);
    CHECK(spanStatistics(*experiment, index, {50, 50}, {}, Task())->overall.empty());
    std::stop_source stop;
    stop.request_stop();
    CHECK(spanStatistics(*experiment, index, {0, 50}, {}, Task(stop.get_token())).error().cancelled());
    CHECK(spanStatistics(Experiment(), index, {0, 50}, {}, Task()).error().code == ErrorCode::NotRecorded);
}

}  // namespace skein::span_statistics_test
