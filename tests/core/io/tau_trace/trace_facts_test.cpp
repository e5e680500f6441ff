// SPDX-License-Identifier: GPL-3.0-or-later
// Every number of the reference facts about TAU's own traces.
#include "core/io/tau_trace/tau_trace_importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/tau_facts.h"

#include <set>

namespace skein::trace_facts_test {

using namespace skein::test;

namespace {

Experiment opened(const std::filesystem::path& path)
{
    const auto archive = tau::sniffTrace(path, Task());
    REQUIRE(archive);
    auto experiment = tau::readTrace(*archive, Task());
    REQUIRE(experiment);
    return std::move(*experiment);
}

void requireFacts(const nlohmann::json& facts, const Experiment& experiment)
{
    const Trace& trace = *experiment.trace;
    CHECK(trace.eventCount() == facts["records"].get<std::uint64_t>());
    CHECK(trace.locations.size() == facts["threads"].get<std::size_t>());
    CHECK(experiment.definitions.locationGroups.size() == facts["nodes"].get<std::size_t>());
    const auto first = facts["tau_convert_first_timestamp"].get<std::uint64_t>();
    CHECK(experiment.definitions.clock.originTicks == first);
    CHECK(trace.extent.lengthNs()
          == 1000 * static_cast<TimeNs>(facts["tau_convert_last_timestamp"].get<std::uint64_t>() - first));
    std::size_t location = 0;
    for (const auto& fact : facts["records_per_thread_first"]) {
        const auto& found = experiment.definitions.locations[location];
        CHECK(found.rank == fact[0].get<std::int64_t>());
        CHECK(found.thread == fact[1].get<std::int32_t>());
        CHECK(trace.locations[location++].events == fact[2].get<std::uint64_t>());
    }
    const auto& kinds = facts["records_by_kind"];
    CHECK(trace.intervalCount() == kinds["entry"].get<std::uint64_t>());
    CHECK(trace.messages.size() == kinds["MESSAGE_SEND"].get<std::size_t>());
    CHECK(trace.messages.size() - trace.unmatchedSendCount() + trace.unmatchedReceives.size()
          == kinds["MESSAGE_RECV"].get<std::size_t>());
    CHECK(experiment.report.count(IssueKind::UnrecordedEnter)
          == facts["entry_exit_mismatches"].get<std::uint64_t>());
    CHECK(experiment.report.count(IssueKind::EnterWithoutLeave) == facts["unfinished"].get<std::uint64_t>());
    CHECK(experiment.report.count(IssueKind::TimeBackwards)
          == facts["timestamps_going_back"].get<std::uint64_t>());
    CHECK_FALSE(experiment.report.lostData());
    requireMatrix(facts["send_matrix"], traceMatrix(experiment));
    requireRegions(facts["name_calls_inclusive_exclusive_usec"], traceSums(experiment), 1000.0);
    CHECK(traceSums(experiment).size() == facts["name_calls_inclusive_exclusive_usec"].size());
}

}  // namespace

TEST_CASE("merged TAU traces have the records, calls, times and messages of their facts")
{
    for (const char* set : {"lulesh-8", "heatflow-16x2"}) {
        SKEIN_SHARED_OR_SKIP(folder, std::string("data/ours/") + set);
        INFO(set);
        requireFacts(readFacts(folder / "FACTS.json")["trace-tau"], opened(folder / "trace-tau" / "tau.trc"));
    }
}

TEST_CASE("a TAU trace of one file per thread equals the merged one beside it")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/lulesh-8");
    const Experiment threads = opened(folder / "trace-tau" / "events.3.edf");
    CHECK(threads.path == folder / "trace-tau");
    requireFacts(readFacts(folder / "FACTS.json")["trace-tau"], threads);
    const Experiment merged = opened(folder / "trace-tau" / "tau.edf");
    CHECK(merged.path == folder / "trace-tau" / "tau.trc");
    REQUIRE(merged.trace->locations.size() == threads.trace->locations.size());
    for (std::size_t location = 0; location < 8; ++location) {
        const auto& a = threads.trace->locations[location].intervals;
        const auto& b = merged.trace->locations[location].intervals;
        CHECK(std::equal(a.begin.begin(), a.begin.end(), b.begin.begin(), b.begin.end()));
        CHECK(std::equal(a.end.begin(), a.end.end(), b.end.begin(), b.end.end()));
    }
    CHECK(merged.trace->metricStreams.size() == threads.trace->metricStreams.size());
}

TEST_CASE("TAU puts metadata and spikes into traces; they become properties and single samples")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/ours/lulesh-8");
    const Experiment trace = opened(folder / "trace-tau");
    for (const Metric& metric : trace.definitions.metrics) {
        CHECK(metric.name.find(" | ") == std::string::npos);
        CHECK(metric.valueType == MetricValueType::Int64);
    }
    const auto& properties = trace.definitions.properties;
    const auto version = std::find_if(properties.begin(), properties.end(),
                                      [](const Property& p) { return p.name == "TAU Version"; });
    REQUIRE(version != properties.end());
    CHECK(version->value == "2.35.2-git");
    std::size_t sent = 0;
    std::uint64_t bytes = 0;
    for (const MetricStream& stream : trace.trace->metricStreams) {
        if (trace.definitions.metric(stream.metrics[0]).name != "Message size sent to all nodes") continue;
        sent += stream.samples();
        for (const std::uint64_t value : stream.values) bytes += value;
    }
    CHECK(sent == 1136);
    CHECK(bytes == 1426624);
}

TEST_CASE("the TAU trace of a wave equation has its known numbers")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/unlicensed-upstream/petsc-performance-modeling/wave2d-12ranks");
    const Experiment wave = opened(folder / "tautrace.11.0.0.trc");
    const Trace& trace = *wave.trace;
    CHECK(trace.eventCount() == 93996);
    REQUIRE(trace.locations.size() == 12);
    for (const LocationTrace& location : trace.locations) CHECK(location.events == 7833);
    CHECK(trace.maximumDepth() == 5);
    CHECK(trace.messages.size() == 4800);
    CHECK(trace.unmatchedSendCount() == 0);
    CHECK(trace.unmatchedReceives.empty());
    CHECK(traceMatrix(wave).totalBytes() == 19'200'000);
    CHECK(traceMatrix(wave).entries().size() == 48);
    CHECK(trace.extent.lengthNs() == 1'337'988'000);
    const auto rank0 = traceSums(wave, LocationId(0));
    CHECK(rank0.at("main [{/home/users/kanikas/MyProjects/PerfomanceModeling/Wave2d.cpp} {160,0}]").inclusive
          == 1'328'853e3);
    const auto& iteration = rank0.at(
        "_ZN4Grid14doOneIterationEv [{/home/users/kanikas/MyProjects/PerfomanceModeling/Wave2d.cpp} {94,0}]");
    CHECK(iteration.calls == 100);
    CHECK(iteration.inclusive == 1'125'300e3);
    CHECK(rank0.at("MPI_Waitall()").calls == 100);
    CHECK(rank0.at("MPI_Waitall()").inclusive == 138'715e3);
    CHECK(wave.report.count(IssueKind::UnsupportedRecord) == 1);  // the merged trace of another run
    const Experiment merged = opened(folder / "tau.trc");
    CHECK(merged.trace->eventCount() == 93996);
    CHECK(merged.trace->extent.lengthNs() != trace.extent.lengthNs());
}

}  // namespace skein::trace_facts_test
