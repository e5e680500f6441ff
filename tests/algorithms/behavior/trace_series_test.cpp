// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/trace_series.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "algorithms/timeline/wait_states.h"
#include "core/index/timeline_index.h"
#include "tests/support/catch.h"
#include "tests/support/random_trace.h"

#include <cmath>
#include <numeric>

namespace skein::trace_series_test {

using test::randomExperiment;

namespace {

Experiment indexed(Experiment experiment)
{
    auto index = buildTimelineIndex(*experiment.trace, *experiment.callTree, Task());
    REQUIRE(index);
    experiment.timelineIndex = std::make_shared<const TimelineIndex>(std::move(*index));
    return experiment;
}

SeriesTable seriesOf(const Experiment& experiment, std::string_view quantity, std::size_t bins,
                     SeriesEntity per = SeriesEntity::Location)
{
    TraceSeriesParams params = seriesQuantity(quantity);
    params.per = per;
    params.edges = equalBins(experiment.trace->extent, bins);
    auto table = traceSeries(experiment, params, Task());
    INFO((table ? std::string() : table.error().text()));
    REQUIRE(table);
    return std::move(*table);
}

double sumOf(const SeriesTable& table)
{
    return std::accumulate(table.values.begin(), table.values.end(), 0.0);
}

}  // namespace

TEST_CASE("over all bins series of times and calls add up to the profile, with an index and without")
{
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const Experiment plain =
            randomExperiment(seed, {.threadsPerProcess = 2, .regionsPerProcess = seed % 2 == 0});
        const Experiment withIndex = indexed(plain);
        const auto profile = summarizeTrace(plain, {}, Task());
        REQUIRE(profile);
        for (const RegionRow& row : profileByRegion(plain, *profile, 0)) {
            for (const Experiment* experiment : {&plain, &withIndex}) {
                INFO(seed << " " << row.name << (experiment == &plain ? " without" : " with") << " an index");
                for (const std::size_t bins : {1U, 7U, 100U}) {
                    CHECK(sumOf(seriesOf(*experiment, "exclusive:" + row.name, bins))
                          == row.values.exclusive);
                    CHECK(sumOf(seriesOf(*experiment, "inclusive:" + row.name, bins))
                          == row.values.inclusive);
                    CHECK(sumOf(seriesOf(*experiment, "calls:" + row.name, bins)) == row.values.calls);
                }
            }
        }
        CHECK(sumOf(seriesOf(plain, "calls", 10)) == static_cast<double>(plain.trace->intervalCount()));
    }
}

TEST_CASE("a bin holds what the profile of its window does")
{
    const Experiment experiment = indexed(randomExperiment(8));
    TraceSeriesParams params = seriesQuantity("exclusive");
    params.per = SeriesEntity::Location;
    params.edges = equalBins(experiment.trace->extent, 9);
    const auto table = traceSeries(experiment, params, Task());
    REQUIRE(table);
    for (std::size_t bin = 0; bin < table->rows(); ++bin) {
        SummaryParams window;
        window.window = TimeSpan{params.edges[bin], params.edges[bin + 1]};
        const auto profile = summarizeTrace(experiment, window, Task());
        REQUIRE(profile);
        const auto locations = profileByLocation(experiment, *profile, 0);
        for (std::size_t location = 0; location < locations.size(); ++location)
            CHECK(table->at(bin, location) == locations[location].values.exclusive);
    }
}

TEST_CASE("over all bins series of messages and waits add up to what there is")
{
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        const Experiment experiment = randomExperiment(seed, {.messages = 300});
        const Trace& trace = *experiment.trace;
        CHECK(sumOf(seriesOf(experiment, "sent-messages", 20)) == static_cast<double>(trace.messages.size()));
        CHECK(sumOf(seriesOf(experiment, "received-messages", 20))
              == static_cast<double>(trace.messages.size() - trace.unmatchedSendCount()));
        double bytes = 0.0, waited = 0.0, late = 0.0;
        for (const Message& message : trace.messages) bytes += static_cast<double>(message.bytes);
        CHECK(sumOf(seriesOf(experiment, "sent-bytes", 20)) == bytes);
        const auto waits = findWaitStates(experiment, Task());
        REQUIRE(waits);
        for (const WaitState& state : waits->states) {
            waited += static_cast<double>(state.lengthNs());
            late += state.kind == WaitKind::LateSender ? static_cast<double>(state.lengthNs()) : 0.0;
        }
        CHECK(sumOf(seriesOf(experiment, "wait", 33)) == waited);
        CHECK(sumOf(seriesOf(experiment, "wait:late sender", 33)) == late);
        TraceSeriesParams params = seriesQuantity("wait");
        params.edges = equalBins(trace.extent, 33);
        double apart = 0.0;
        for (const auto effect : {MessageRuleEffect::Keep, MessageRuleEffect::Hide}) {
            params.messages = {{effect, *parseAttributeConditions("tag=1")}};
            double expected = 0.0;
            for (const WaitState& state : waits->states)
                if (state.message == kNoMessage
                    || (trace.messages[state.message].tag == 1) == (effect == MessageRuleEffect::Keep))
                    expected += static_cast<double>(state.lengthNs());
            const auto table = traceSeries(experiment, params, Task());
            REQUIRE(table);
            CHECK(sumOf(*table) == expected);
            apart += expected;
        }
        for (const WaitState& state : waits->states)
            if (state.message == kNoMessage) apart -= static_cast<double>(state.lengthNs());
        CHECK(apart == waited);
    }
}

TEST_CASE("series of processes and nodes are sums of those of their locations")
{
    const Experiment experiment = randomExperiment(4, {.processes = 3, .threadsPerProcess = 4});
    const SeriesTable locations = seriesOf(experiment, "exclusive", 12);
    const SeriesTable processes = seriesOf(experiment, "exclusive", 12, SeriesEntity::Process);
    const SeriesTable nodes = seriesOf(experiment, "exclusive", 12, SeriesEntity::Node);
    CHECK(locations.columns.size() == 12);
    REQUIRE(processes.columns.size() == 3);
    CHECK(processes.columns[1] == "Rank 1");
    for (std::size_t bin = 0; bin < 12; ++bin) {
        double whole = 0.0;
        for (std::size_t i = 0; i < 12; ++i) whole += locations.at(bin, i);
        double grouped = 0.0, onNodes = 0.0;
        for (std::size_t i = 0; i < 3; ++i) grouped += processes.at(bin, i);
        for (std::size_t i = 0; i < nodes.columns.size(); ++i) onNodes += nodes.at(bin, i);
        CHECK(grouped == whole);
        CHECK(onNodes == whole);
    }
}

TEST_CASE("a million bins, which are made block after block, add up to those of few bins")
{
    const Experiment experiment = indexed(randomExperiment(11, {.messages = 300}));
    const std::size_t locations = experiment.trace->locations.size();
    TraceSeriesParams fine = seriesQuantity("calls");
    fine.per = SeriesEntity::Location;
    // A block holds 2^22 values of locations: of every 120 bins one has a length.
    for (const TimeNs edge : equalBins(experiment.trace->extent, 1'000'000))
        fine.edges.insert(fine.edges.end(), 120, edge);
    REQUIRE(fine.edges.size() > (std::size_t{1} << 22) / locations + 1);
    for (const char* quantity : {"exclusive", "calls", "received-bytes", "wait"}) {
        INFO(quantity);
        const auto asked = seriesQuantity(quantity);
        fine.quantity = asked.quantity;
        TraceSeriesParams coarse = fine;
        coarse.edges.clear();
        constexpr std::size_t kEach = 50'000;
        for (std::size_t i = 0; i + 1 < fine.edges.size(); i += kEach) coarse.edges.push_back(fine.edges[i]);
        coarse.edges.push_back(fine.edges.back());
        const auto many = traceSeries(experiment, fine, Task());
        const auto few = traceSeries(experiment, coarse, Task());
        REQUIRE(many);
        REQUIRE(few);
        std::vector<double> sums(few->values.size(), 0.0);
        for (std::size_t row = 0; row < many->rows(); ++row)
            for (std::size_t column = 0; column < locations; ++column)
                sums[std::min(row / kEach, few->rows() - 1) * locations + column] += many->at(row, column);
        CHECK(sums == few->values);
        CHECK(sumOf(*few) > 0);
    }
}

TEST_CASE("more bins than are held are refused with a sentence that names the sizes")
{
    CHECK(checkSeriesSize(10'000, 64));
    CHECK(checkSeriesSize(0, 0));
    CHECK(checkSeriesSize(std::size_t{1} << 27, 1));
    const auto refused = checkSeriesSize(10'000'000, 64);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().text()
          == "10000000 bins of 64 series take 4.768 GiB, and at most 1 GiB are held: take up to 2097152 "
             "bins, or fewer series.");
}

TEST_CASE("bins by a region begin where its outermost calls do and cover the run")
{
    const Experiment experiment = randomExperiment(15);
    const Region& region = experiment.definitions.region(
        experiment.callTree->region(CallPathId(experiment.trace->locations[0].intervals.callPath[0])));
    const auto edges = binsByRegion(experiment, region.name);
    REQUIRE(edges);
    CHECK(edges->front() == experiment.trace->extent.begin);
    CHECK(edges->back() == experiment.trace->extent.end + 1);
    CHECK(std::is_sorted(edges->begin(), edges->end()));
    TraceSeriesParams params = seriesQuantity("calls");
    params.edges = *edges;
    const auto table = traceSeries(experiment, params, Task());
    REQUIRE(table);
    CHECK(sumOf(*table) == static_cast<double>(experiment.trace->intervalCount()));
}

TEST_CASE("bins of one length cover a run of any length, and are no more than it has nanoseconds")
{
    for (const TimeNs length : {0, 1, 5, 1000}) {
        for (const std::size_t bins : {1U, 3U, 10U}) {
            const auto edges = equalBins({0, length}, bins);
            CHECK(edges.front() == 0);
            CHECK(edges.back() == length + 1);
            CHECK(edges.size() <= bins + 1);
            for (std::size_t i = 1; i < edges.size(); ++i) CHECK(edges[i] > edges[i - 1]);
        }
    }
}

TEST_CASE("what a trace does not hold is refused with a sentence")
{
    const Experiment experiment = randomExperiment(1);
    for (const std::string_view quantity : {"exclusive:none", "wait:none", "no metric", "metric:none"}) {
        TraceSeriesParams params = seriesQuantity(quantity);
        params.edges = equalBins(experiment.trace->extent, 5);
        CHECK_FALSE(traceSeries(experiment, params, Task()));
    }
    CHECK_FALSE(traceSeries(experiment, seriesQuantity("calls"), Task()));
    CHECK_FALSE(binsByRegion(experiment, "none"));
    CHECK_FALSE(traceSeries(Experiment(), seriesQuantity("calls"), Task()));
    CHECK_FALSE(binsByRegion(Experiment(), "none"));
}

}  // namespace skein::trace_series_test
