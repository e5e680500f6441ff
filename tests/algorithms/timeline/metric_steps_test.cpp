// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/metric_steps.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <bit>
#include <cmath>

namespace skein::metric_steps_test {

namespace {

StepSeries stepsOf(MetricMode mode, const std::vector<TimeNs>& times, const std::vector<double>& values,
                   TimeNs end)
{
    MetricStream stream;
    stream.metrics = {MetricId(0)};
    stream.times = Column<TimeNs>(times);
    std::vector<std::uint64_t> bits;
    for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
    stream.values = Column<std::uint64_t>(bits);
    Metric metric;
    metric.mode = mode;
    metric.valueType = MetricValueType::Double;
    return metricSteps(stream, 0, metric, end);
}

constexpr TimeNs kSecond = 1'000'000'000;

}  // namespace

TEST_CASE("states hold from their sample on, or since the one before")
{
    const StepSeries point = stepsOf(MetricMode::AbsolutePoint, {10, 20, 30}, {5, 7, 6}, 40);
    CHECK(point.at(10) == 5);
    CHECK(point.at(29) == 7);
    CHECK(point.at(39) == 6);
    const StepSeries last = stepsOf(MetricMode::AbsoluteLast, {10, 20, 30}, {5, 7, 6}, 40);
    CHECK(last.at(10) == 7);
    CHECK(last.at(20) == 6);
    CHECK(std::isnan(last.at(30)));
}

TEST_CASE("counters are shown by their growth a second")
{
    const StepSeries total = stepsOf(MetricMode::AccumulatedStart, {0, kSecond, kSecond, 3 * kSecond},
                                     {100, 150, 170, 200}, 9 * kSecond);
    CHECK(total.at(0) == 50);
    CHECK(total.at(2 * kSecond)
          == 25);  // what came at the same time counts for the time up to the next sample
    CHECK(std::isnan(total.at(3 * kSecond)));
    const StepSeries amounts =
        stepsOf(MetricMode::RelativePoint, {0, kSecond, 3 * kSecond}, {9, 10, 40}, 9 * kSecond);
    CHECK(amounts.at(0) == 10);
    CHECK(amounts.at(kSecond) == 20);
    const StepSeries next =
        stepsOf(MetricMode::RelativeNext, {0, kSecond, 3 * kSecond}, {9, 10, 40}, 7 * kSecond);
    CHECK(next.at(0) == 9);
    CHECK(next.at(kSecond) == 5);
    CHECK(next.at(3 * kSecond) == 10);
}

TEST_CASE("a metric that is called a total and falls somewhere is a state on all locations")
{
    for (const bool falling : {false, true}) {
        auto trace = std::make_shared<Trace>();
        Experiment experiment;
        experiment.definitions.metrics.push_back({"m", "", "B", MetricKind::Other,
                                                  MetricMode::AccumulatedStart, MetricValueType::Uint64,
                                                  false, 0});
        const std::vector<std::vector<std::uint64_t>> samples{{5, 9, 11}, {3, 8, falling ? 6u : 10u}};
        for (std::size_t location = 0; location < samples.size(); ++location) {
            experiment.definitions.locations.emplace_back();
            MetricStream stream;
            stream.recorder = LocationId(location);
            stream.metrics = {MetricId(0)};
            stream.times = Column<TimeNs>(std::vector<TimeNs>{0, kSecond, 2 * kSecond});
            stream.values = Column<std::uint64_t>(std::vector<std::uint64_t>(samples[location]));
            trace->metricStreams.push_back(std::move(stream));
        }
        trace->extent = {0, 3 * kSecond};
        experiment.trace = trace;
        const auto lanes = metricLanes(experiment, "m", Task());
        REQUIRE(lanes);
        CHECK(lanes->rate == !falling);
        CHECK(lanes->unit == (falling ? "B" : "B/s"));
        CHECK(lanes->lanes[0].steps.at(0) == (falling ? 5 : 4));
    }
}

TEST_CASE("the lanes of a real metric hold every sample of every location")
{
    const auto experiment =
        openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task()).value();
    const auto names = laneMetricNames(*experiment);
    REQUIRE_FALSE(names.empty());
    CHECK(names.front().find(" => ") == std::string::npos);
    const auto lanes = metricLanes(*experiment, "Message size sent to all nodes", Task());
    REQUIRE(lanes);
    CHECK(lanes->lanes.size() == 16);
    CHECK(lanes->whole.minimum == 2048);
    CHECK(lanes->whole.maximum == 4096);
    std::size_t steps = 0;
    for (const MetricLane& lane : lanes->lanes) steps += lane.steps.steps();
    CHECK(steps == 7200);
    CHECK_FALSE(metricLanes(*experiment, "no such metric", Task()));
}

}  // namespace skein::metric_steps_test
