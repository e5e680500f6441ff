// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/outlier_points.h"

#include "algorithms/timeline/duration_density.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/random_trace.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace skein::outlier_points_test {

namespace {

/// All calls of an experiment one by one, and what is known of them by definition.
struct ByHand {
    const Experiment& experiment;
    std::map<std::string, std::vector<double>> durations;  ///< of all calls, by the name of their region

    explicit ByHand(const Experiment& of) : experiment(of)
    {
        forEachCall([this](LocationId, std::uint32_t, RegionId region, TimeSpan span) {
            durations[nameOf(region)].push_back(static_cast<double>(span.lengthNs()));
        });
    }
    const std::string& nameOf(RegionId region) const { return experiment.definitions.region(region).name; }

    template <typename Visit>
    void forEachCall(Visit visit) const
    {
        for (std::uint32_t location = 0; location < experiment.trace->locations.size(); ++location) {
            const CallIntervals& calls = experiment.trace->locations[location].intervals;
            for (std::uint32_t call = 0; call < calls.size(); ++call)
                visit(LocationId(location), call,
                      experiment.callTree->region(CallPathId(calls.callPath[call])), calls.span(call));
        }
    }
    /// Mean of the region's calls without one of this duration.
    double usual(RegionId region, double duration) const
    {
        const std::vector<double>& all = durations.at(nameOf(region));
        double sum = -duration;
        for (const double each : all) sum += each;
        return sum / static_cast<double>(all.size() - 1);
    }
    bool isOutlier(RegionId region, double duration) const
    {
        std::vector<double> others = durations.at(nameOf(region));
        if (others.size() < 6) return false;
        others.erase(std::find(others.begin(), others.end(), duration));
        double mean = 0, squares = 0;
        for (const double each : others) mean += each / static_cast<double>(others.size());
        for (const double each : others) squares += (each - mean) * (each - mean);
        return duration > 4 * mean
            && duration > mean + 8 * std::sqrt(squares / static_cast<double>(others.size()));
    }
};

CallChoice choiceOf(const Experiment& experiment, TimeSpan span)
{
    CallChoice choice{span, {}, {}};
    for (std::uint32_t id = 0; id < experiment.trace->locations.size(); ++id)
        choice.locations.emplace_back(id);
    return choice;
}

TimelineIndex indexOf(const Experiment& experiment)
{
    return *buildTimelineIndex(*experiment.trace, *experiment.callTree, firstOfName(experiment.definitions),
                               Task());
}

}  // namespace

TEST_CASE(
    "points of outliers and their sums by location are those of the definition, of the calls that are chosen")
{
    std::size_t points = 0, left = 0;
    for (std::uint32_t seed = 1; seed <= 30; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 200, 4, 5, 3);
        const TimelineIndex index = indexOf(*experiment);
        const CallTotals totals = *callTotals(*experiment, index, Task());
        const ByHand hand(*experiment);
        CallChoice choice = choiceOf(*experiment, experiment->trace->extent);
        if (seed % 3 == 0) choice.span = {choice.span.end / 4, choice.span.end / 2};
        choice.regions.assign(experiment->definitions.regions.size(), 1);
        if (seed % 2 == 0) choice.regions[seed % choice.regions.size()] = 0;
        if (seed % 5 == 0) choice.locations.erase(choice.locations.begin() + 1);
        const OutlierPoints found = *outlierPoints(*experiment, index, totals, choice, 1000, Task());

        std::map<LocationId, LocationOutliers> sums;
        std::size_t next = 0;
        hand.forEachCall([&](LocationId location, std::uint32_t call, RegionId region, TimeSpan span) {
            const auto duration = static_cast<double>(span.lengthNs());
            if (!hand.isOutlier(region, duration)) return;
            const bool chosen = choice.span.contains(span.begin) && choice.regions[region.index()]
                && std::find(choice.locations.begin(), choice.locations.end(), location)
                    != choice.locations.end();
            left += !chosen;
            if (!chosen) return;
            REQUIRE(next < found.calls.size());
            const OutlierCall& point = found.calls[next++];
            CHECK(point.location == location);
            CHECK(point.call == call);
            CHECK(point.region == region);
            CHECK(point.begin == span.begin);
            CHECK(point.durationNs == span.lengthNs());
            CHECK(std::abs(point.usualNs - hand.usual(region, duration)) <= 1e-9 * duration);
            LocationOutliers& sum = sums[location];
            ++sum.calls;
            sum.excessNs += duration - hand.usual(region, duration);
            if (sum.calls == 1 || point.excessNs() > sum.worst.excessNs()) sum.worst = point;
        });
        CHECK(next == found.calls.size());
        points += next;
        REQUIRE(found.locations.size() == sums.size());
        double excess = 0;
        for (const LocationOutliers& location : found.locations) {
            const LocationOutliers& expected = sums.at(location.location);
            CHECK(location.calls == expected.calls);
            CHECK(std::abs(location.excessNs - expected.excessNs) <= 1e-9 * expected.excessNs);
            CHECK(location.worst == expected.worst);
            excess += location.excessNs;
        }
        CHECK(found.total == next);
        CHECK(found.excessNs == excess);
    }
    CHECK(points > 20);
    CHECK(left > 10);
}

TEST_CASE("of more outliers than are wanted those of most excess are listed, and all are summed up")
{
    std::vector<test::Call> calls;
    for (int call = 0; call < 500; ++call)
        calls.push_back({call * 10000, call * 10000 + (call % 100 == 50 ? 5000 + call : 10), "work", 0});
    test::ExperimentBuilder builder("many");
    builder.process("node", calls);
    const ExperimentPtr experiment = builder.finish();
    const TimelineIndex index = indexOf(*experiment);
    const CallTotals totals = *callTotals(*experiment, index, Task());
    const CallChoice choice = choiceOf(*experiment, experiment->trace->extent);
    const OutlierPoints all = *outlierPoints(*experiment, index, totals, choice, 1000, Task());
    const OutlierPoints two = *outlierPoints(*experiment, index, totals, choice, 2, Task());
    REQUIRE(all.calls.size() == 5);
    REQUIRE(two.calls.size() == 2);
    CHECK(two.calls[0] == all.calls[3]);
    CHECK(two.calls[1] == all.calls[4]);
    CHECK(two.total == 5);
    CHECK(two.locations == all.locations);
    std::stop_source stop;
    stop.request_stop();
    CHECK(outlierPoints(*experiment, index, totals, choice, 2, Task(stop.get_token())).error().cancelled());
}

TEST_CASE("regions that every rank defines for itself share their usual duration")
{
    const Experiment experiment = test::randomExperiment(7, {.regionsPerProcess = true});
    const TimelineIndex index = indexOf(experiment);
    const CallTotals totals = *callTotals(experiment, index, Task());
    const ByHand hand(experiment);
    hand.forEachCall([&](LocationId, std::uint32_t, RegionId region, TimeSpan span) {
        const auto duration = static_cast<double>(span.lengthNs());
        CHECK(std::abs(totals.usualNs(region, span.lengthNs()) - hand.usual(region, duration)) <= 1e-6);
        CHECK(totals.hasUsual(region) == (hand.durations.at(hand.nameOf(region)).size() >= 6));
    });
}

TEST_CASE("every chosen call is in the cell of its entry and its duration")
{
    for (std::uint32_t seed = 1; seed <= 10; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 150, 3, 5, 4);
        CallChoice choice = choiceOf(*experiment, experiment->trace->extent);
        choice.span.begin = choice.span.end / 5;
        choice.regions.assign(experiment->definitions.regions.size(), 1);
        choice.regions[0] = 0;
        DurationDensity density{{40, 16, 1, 4000}, choice.span, std::vector<float>(40 * 16), false};
        REQUIRE(addDurations(*experiment, choice, density, Task()));
        std::vector<float> expected(40 * 16);
        ByHand(*experiment).forEachCall([&](LocationId, std::uint32_t, RegionId region, TimeSpan span) {
            if (!choice.span.contains(span.begin) || region.index() == 0) return;
            const auto column = static_cast<std::size_t>(static_cast<double>(span.begin - choice.span.begin)
                                                         * 40 / static_cast<double>(choice.span.lengthNs()));
            const double part =
                std::log(std::max<double>(1, static_cast<double>(span.lengthNs()))) / std::log(4000.0);
            expected[column * 16 + static_cast<std::size_t>(std::min(15.0, part * 16))] += 1;
        });
        CHECK(density.calls == expected);
        CHECK_FALSE(density.sampled);
    }
}

TEST_CASE("of very many calls some stand for all of them, in the cells in which they are")
{
    // 20 locations with 60 000 calls each; short and long ones take turns.
    test::ExperimentBuilder builder("dense");
    for (int location = 0; location < 20; ++location) {
        std::vector<test::Call> calls;
        for (int call = 0; call < 60'000; ++call)
            calls.push_back({call * 1000, call * 1000 + (call % 2 ? 10 : 500), "work", 0});
        builder.process("node", calls);
    }
    const ExperimentPtr experiment = builder.finish();
    const CallChoice choice = choiceOf(*experiment, {0, 60'000'000});
    DurationDensity density{{100, 10, 1, 1000}, choice.span, std::vector<float>(1000), false};
    REQUIRE(addDurations(*experiment, choice, density, Task()));
    CHECK(density.sampled);
    for (std::uint32_t column = 0; column < 100; ++column)
        for (std::uint32_t row = 0; row < 10; ++row) {
            // 600 calls a column and location, half of them of either duration.
            const bool called = row == density.grid.rowOf(10) || row == density.grid.rowOf(500);
            CHECK(std::abs(density.at(column, row) - (called ? 6000.0f : 0.0f)) < 1);
        }
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(addDurations(*experiment, choice, density, Task(stop.get_token())));
}

}  // namespace skein::outlier_points_test
