// SPDX-License-Identifier: GPL-3.0-or-later
// Archives of real measurement tools against numbers that independent readers found in them (FACTS.json).
#include "core/io/importer.h"
#include "core/trace/tick_converter.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace skein::otf2_facts_test {

namespace {

struct RegionTime {
    std::uint64_t calls = 0;
    TimeNs inclusive = 0;
    TimeNs exclusive = 0;
    bool operator==(const RegionTime&) const = default;
};

/// Sums over all locations by region name; only the outermost call of a recursion counts as inclusive.
std::map<std::string, RegionTime> timesByName(const Experiment& experiment)
{
    std::map<std::string, RegionTime> times;
    for (const LocationTrace& location : experiment.trace->locations) {
        const CallIntervals& calls = location.intervals;
        std::vector<std::pair<std::string, RegionTime*>> open;
        for (std::size_t index = 0; index < calls.size(); ++index) {
            open.resize(calls.depth[index]);
            const std::string& name =
                experiment.definitions.region(experiment.callTree->region(CallPathId(calls.callPath[index])))
                    .name;
            const TimeNs length = calls.end[index] - calls.begin[index];
            RegionTime& own = times[name];
            ++own.calls;
            own.exclusive += length;
            const bool recursive =
                std::any_of(open.begin(), open.end(), [&](const auto& above) { return above.first == name; });
            if (!recursive) own.inclusive += length;
            if (!open.empty()) open.back().second->exclusive -= length;
            open.emplace_back(name, &own);
        }
    }
    return times;
}

nlohmann::json factsOf(const std::filesystem::path& set)
{
    std::ifstream file(set / "FACTS.json");
    return nlohmann::json::parse(file);
}

void compareEvents(const Experiment& experiment, const nlohmann::json& facts)
{
    const Trace& trace = *experiment.trace;
    CHECK(trace.eventCount() == facts["events_total"]);
    CHECK(trace.intervalCount() == facts["event_counts"]["ENTER"]);
    CHECK(trace.maximumDepth() == facts["max_stack_depth"]);
    CHECK(experiment.definitions.locations.size() == facts["locations"]);
    CHECK(experiment.definitions.clock.originTicks == facts["first_timestamp"]);
    const std::uint64_t ticks =
        facts["last_timestamp"].get<std::uint64_t>() - facts["first_timestamp"].get<std::uint64_t>();
    CHECK(trace.extent
          == TimeSpan{
              0, static_cast<TimeNs>(ticks * 1'000'000'000 / experiment.definitions.clock.ticksPerSecond)});
    for (std::size_t index = 0; index < experiment.definitions.locations.size(); ++index)
        CHECK(trace.locations[index].events
              == facts["events_per_location"]
                      [std::to_string(experiment.definitions.locations[index].originalId)]);
}

void compareMessages(const Experiment& experiment, const nlohmann::json& facts)
{
    std::map<std::pair<std::int64_t, std::int64_t>, std::pair<std::uint64_t, std::uint64_t>> pairs;
    std::uint64_t bytes = 0, matched = 0;
    for (const Message& message : experiment.trace->messages) {
        auto& pair = pairs[{experiment.definitions.location(message.sender).rank,
                            experiment.definitions.location(message.receiver).rank}];
        ++pair.first;
        pair.second += message.bytes;
        bytes += message.bytes;
        matched += message.matched();
    }
    const nlohmann::json& expected = facts["p2p"];
    CHECK(experiment.trace->messages.size() == expected["send_events"]);
    CHECK(bytes == expected["send_bytes"]);
    CHECK(matched == expected["recv_events"]);
    REQUIRE(pairs.size() == expected["pairs"]);
    for (const nlohmann::json& row : expected["send_matrix_src_dst_count_bytes"])
        CHECK(pairs[{row[0], row[1]}] == std::pair<std::uint64_t, std::uint64_t>(row[2], row[3]));
}

void compareRegions(const Experiment& experiment, const nlohmann::json& facts, const std::string& except = {})
{
    const auto times = timesByName(experiment);
    const TimeNs tickNs = static_cast<TimeNs>(1'000'000'000 / experiment.definitions.clock.ticksPerSecond);
    for (const nlohmann::json& row : facts["regions_name_calls_inclusive_exclusive_ticks_all_locations"]) {
        if (row[0] == except) continue;
        INFO(row[0]);
        // The facts call the one undefined region INVALID.
        const auto found = row[0] == "INVALID" ? times.lower_bound("undefined region ") : times.find(row[0]);
        REQUIRE(found != times.end());
        CHECK(found->second
              == RegionTime{row[1], row[2].get<TimeNs>() * tickNs, row[3].get<TimeNs>() * tickNs});
    }
}

void compareAll(const std::filesystem::path& archive, const nlohmann::json& facts)
{
    const auto opened = openExperiment(archive, Task());
    REQUIRE(opened);
    CHECK((*opened)->format == "OTF2");
    compareEvents(**opened, facts);
    compareMessages(**opened, facts);
    compareRegions(**opened, facts);
    CHECK(!(*opened)->report.lostData());
}

}  // namespace

TEST_CASE("OTF2 archives written by TAU give the numbers that independent readers found")
{
    const std::string set = GENERATE("lulesh-8", "miniamr-16", "miniamr-64", "minimd-64", "heatflow-16x2");
    SKEIN_SHARED_OR_SKIP(path, "data/ours/" + set);
    INFO(set);
    compareAll(path / "trace-otf2", factsOf(path)["trace-otf2"]);
}

TEST_CASE("Both OTF2 archives of the workflow give the numbers that independent readers found")
{
    SKEIN_SHARED_OR_SKIP(path, "data/ours/workflow-12-4");
    const std::string part = GENERATE("sim", "ana");
    compareAll(path / part / "trace-otf2", factsOf(path)[part + "/trace-otf2"]);
}

TEST_CASE("An archive that refers to an undefined region shows it under a made-up name with all its time")
{
    SKEIN_SHARED_OR_SKIP(path, "data/ours/minimd-64");
    const auto opened = openExperiment(path / "trace-otf2", Task());
    REQUIRE(opened);
    CHECK((*opened)->report.count(IssueKind::UndefinedReference) == 12);
    const auto times = timesByName(**opened);
    const auto found = times.find("undefined region 55520656");
    REQUIRE(found != times.end());
    CHECK(found->second.calls == 6);
}

TEST_CASE(
    "EZTrace's archive opens in spite of sparse ids, doubled groups, crossing regions and open receives")
{
    SKEIN_SHARED_OR_SKIP(path, "data/ours/eztrace-lulesh-8");
    const auto opened = openExperiment(path / "trace-otf2", Task());
    REQUIRE(opened);
    const Experiment& experiment = **opened;
    const nlohmann::json facts = factsOf(path)["trace-otf2"];
    compareEvents(experiment, facts);
    compareMessages(experiment, facts);
    // The reader behind the facts gives up "Working" where it crosses; everything else is equal.
    compareRegions(experiment, facts, "Working");
    CHECK(timesByName(experiment).at("Working").calls == 8);
    CHECK(experiment.definitions.regions.size() == 72);
    CHECK(experiment.trace->unmatchedSendCount() == 1136);
    CHECK(experiment.trace->unmatchedReceives.size() == 1136);
    CHECK(experiment.trace->collectives.size() == 11);
    for (const CollectiveOperation& operation : experiment.trace->collectives)
        CHECK(operation.memberCount == 8);
    CHECK(experiment.trace->collectives[0].kind == CollectiveKind::Barrier);
    CHECK(experiment.report.count(IssueKind::DuplicateDefinition) == 1);
    CHECK(experiment.report.count(IssueKind::LeaveOutOfOrder) == 7);
    CHECK(!experiment.report.lostData());
}

TEST_CASE("Score-P's ping-pong archive has its messages, regions, metrics and topology")
{
    SKEIN_SHARED_OR_SKIP(path, "data/pipit");
    const auto opened = openExperiment(path / "ping-pong-otf2", Task());
    REQUIRE(opened);
    const Trace& trace = *(*opened)->trace;
    const Definitions& definitions = (*opened)->definitions;
    CHECK(trace.eventCount() == 120);
    CHECK(trace.programRuns.size() == 2);
    CHECK(trace.intervalCount() == 42);
    CHECK(trace.messages.size() == 16);
    CHECK(trace.unmatchedReceives.empty());
    std::uint64_t bytes = 0;
    for (const Message& message : trace.messages) bytes += message.matched() ? message.bytes : 0;
    CHECK(bytes == 8'355'840);
    CHECK(definitions.clock.ticksPerSecond == 2'095'197'216);
    // Time begins with the first PROGRAM_BEGIN, somewhat before the first ENTER.
    const TickConverter converter(definitions.clock.ticksPerSecond, definitions.clock.originTicks);
    const TimeNs firstEnter =
        std::min(trace.locations[0].intervals.begin[0], trace.locations[1].intervals.begin[0]);
    CHECK(firstEnter == converter.toNs(7'397'466'977'040'830));
    CHECK(trace.programRuns[0].begin == 0);
    CHECK(definitions.regions.size() == 235);
    CHECK(timesByName(**opened).size() == 7);
    REQUIRE(definitions.topologies.size() == 1);
    CHECK(definitions.topologies[0].dimensions.size() == 2);
    CHECK(definitions.topologies[0].coordinates.size() == 2);
    CHECK(!(*opened)->report.lostData());
}

TEST_CASE("Score-P's hardware counters arrive as one stream a location")
{
    SKEIN_SHARED_OR_SKIP(path, "data/pipit/ping-pong-otf2-papi");
    const auto opened = openExperiment(path, Task());
    REQUIRE(opened);
    const auto& streams = (*opened)->trace->metricStreams;
    REQUIRE(streams.size() == 2);
    std::size_t samples = 0;
    for (const MetricStream& stream : streams) {
        REQUIRE(stream.metrics.size() == 3);
        CHECK((*opened)->definitions.metric(stream.metrics[0]).name == "PAPI_TOT_CYC");
        CHECK((*opened)->definitions.metric(stream.metrics[0]).mode == MetricMode::AccumulatedStart);
        for (std::size_t row = 1; row < stream.samples(); ++row)
            REQUIRE(stream.values[row * 3] >= stream.values[row * 3 - 3]);
        samples += stream.samples();
    }
    CHECK(samples == 84);
}

TEST_CASE("Metric locations of a GPU node give every sample of every series")
{
    SKEIN_SHARED_OR_SKIP(path, "data/fastotf2/simple-mi300-example-run");
    const auto opened = openExperiment(path, Task());
    REQUIRE(opened);
    const Definitions& definitions = (*opened)->definitions;
    const auto ofKind = [&](LocationKind kind) {
        return std::count_if(definitions.locations.begin(), definitions.locations.end(),
                             [&](const Location& location) { return location.kind == kind; });
    };
    CHECK(ofKind(LocationKind::CpuThread) == 1);
    CHECK(ofKind(LocationKind::Metric) == 29);
    CHECK(ofKind(LocationKind::AcceleratorStream) == 2);
    std::map<std::string, std::size_t> samples;
    std::size_t all = 0;
    for (const MetricStream& stream : (*opened)->trace->metricStreams) {
        const std::string& name = definitions.metric(stream.metrics[0]).name;
        ++samples[name.substr(0, name.find(":::"))];
        const std::size_t expected = name.starts_with("A2coretemp") ? 3728
            : name.starts_with("A2rocm_smi")                        ? 1740
                                                                    : 4;
        CHECK(stream.samples() == expected);
        CHECK((stream.scopeNode.valid() || stream.scopeGroup.valid()));
        all += stream.samples();
    }
    CHECK(samples["A2coretemp"] == 12);
    CHECK(samples["A2rocm_smi"] == 16);
    CHECK(all == 72'584);
    CHECK((*opened)->trace->intervalCount() == 40);
    CHECK((*opened)->trace->locations[0].intervals.size() == 38);
    CHECK(definitions.clock.ticksPerSecond == 3'699'958'577);
    CHECK(!(*opened)->report.lostData());
}

}  // namespace skein::otf2_facts_test
