// SPDX-License-Identifier: GPL-3.0-or-later
// Traces as people leave them in public repositories: traits met there, in small.
#include "core/io/importer.h"
#include "core/io/tau_trace/tau_trace_importer.h"
#include "core/io/tau_trace/trace_assembly.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fmt/format.h>
#include <fstream>

namespace skein::wild_trace_test {

using namespace skein::tau;
using skein::test::TemporaryFolder;

std::string recordBytes(const std::vector<TraceRecord>& records)
{
    std::string bytes;
    const auto put = [&](auto value, std::size_t size) {
        for (std::size_t byte = 0; byte < size; ++byte)
            bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> 8 * byte);
    };
    for (const TraceRecord& record : records) {
        put(static_cast<std::int32_t>(record.event), 4);
        put(record.node, 2);
        put(record.thread, 2);
        put(record.parameter, 8);
        put(record.time, 8);
    }
    return bytes;
}

Experiment assembledTrace(const char* events, std::vector<TraceRecord> records)
{
    records.insert(records.begin(), TraceRecord{60000, 0, 0, 3, 1000});
    auto experiment = assembleTrace(events, recordBytes(records), Task());
    REQUIRE(experiment);
    return std::move(*experiment);
}

const char* const kFew =
    "2 dynamic_trace_events\n# x\n1 TAU_USER 0 \"main \" EntryExit\n60000 TRACER 0 \"EV_INIT\" none\n";

TEST_CASE("an event without a definition is a region only where all its values are 1 and −1")
{
    const Experiment trace = assembledTrace(kFew,
                                            {{1, 0, 0, 1, 1001},
                                             {19, 0, 0, 11, 1002},
                                             {20, 0, 0, 1, 1003},
                                             {19, 0, 0, -1, 1004},
                                             {20, 0, 0, -1, 1005},
                                             {19, 0, 0, 1, 1006},
                                             {1, 0, 0, -1, 1009}});
    CHECK(trace.trace->intervalCount() == 2);
    REQUIRE(trace.trace->metricStreams.size() == 1);
    CHECK(trace.trace->metricStreams[0].samples() == 3);
    CHECK_FALSE(trace.report.lostData());
    CHECK(trace.report.count(IssueKind::UndefinedReference) == 2);
}

TEST_CASE("events of a type that is not known keep their names and are what their values look like")
{
    const char* const events =
        "4 dynamic_trace_events\n# x\n1 TAU_USER 0 \"main \" EntryExit\n5 IO 0 \"read \" Interval\n6 "
        "TAUEVENT 0 \"load\" Gauge\n60000 TRACER 0 \"EV_INIT\" none\n";
    const Experiment trace = assembledTrace(events,
                                            {{1, 0, 0, 1, 1001},
                                             {5, 0, 0, 1, 1002},
                                             {6, 0, 0, 77, 1003},
                                             {5, 0, 0, -1, 1004},
                                             {1, 0, 0, -1, 1009}});
    CHECK(trace.trace->intervalCount() == 2);
    REQUIRE(trace.definitions.regions.size() == 2);
    CHECK(trace.definitions.regions[1].name == "read");
    CHECK(trace.definitions.regionGroups[trace.definitions.regions[1].groups[0].index()].name == "IO");
    REQUIRE(trace.definitions.metrics.size() == 1);
    CHECK(trace.definitions.metrics[0].name == "load");
    CHECK(trace.report.count(IssueKind::UnknownType) == 2);
    CHECK(trace.report.count(IssueKind::UndefinedReference) == 0);
}

TEST_CASE("files of two runs in one folder of TAU traces are told")
{
    const TemporaryFolder folder;
    const auto write = [&](int rank, std::uint64_t begin) {
        const auto node = static_cast<std::uint16_t>(rank);
        std::ofstream(folder.path() / fmt::format("tautrace.{}.0.0.trc", rank), std::ios::binary)
            << recordBytes({{60000, node, 0, 3, begin},
                            {1, node, 0, 1, begin + 10},
                            {1, node, 0, -1, begin + 5'000'000}});
        std::ofstream(folder.path() / fmt::format("events.{}.edf", rank)) << kFew;
    };
    constexpr std::uint64_t start = 1'679'424'182'000'000;
    for (int rank = 0; rank < 4; ++rank) write(rank, start + 1000 * static_cast<std::uint64_t>(rank));
    const auto one = readTrace(folder.path(), Task());
    REQUIRE(one);
    CHECK(one->report.count(IssueKind::SeveralRuns) == 0);
    for (int rank = 2; rank < 4; ++rank) write(rank, start + 322'000'000);
    const auto two = readTrace(folder.path(), Task());
    REQUIRE(two);
    REQUIRE(two->report.count(IssueKind::SeveralRuns) == 2);
    for (const Issue& issue : two->report.issues())
        if (issue.kind == IssueKind::SeveralRuns)
            CHECK(issue.detail
                  == "2 runs: tautrace.0.0.0.trc – tautrace.1.0.0.trc began at 2023-03-21 18:43:02 UTC; "
                     "tautrace.2.0.0.trc – tautrace.3.0.0.trc began at 2023-03-21 18:48:24 UTC");
}

TEST_CASE("a folder with a TAU trace without any names and a complete profile opens as the profile")
{
    const TemporaryFolder folder;
    const auto write = [&](const std::string& name, const std::string& bytes) {
        std::ofstream(folder.path() / name, std::ios::binary) << bytes;
    };
    for (std::uint16_t rank = 0; rank < 2; ++rank)
        write(fmt::format("tautrace.{}.0.0.trc", rank),
              recordBytes({{60000, rank, 0, 3, 1000}, {1, rank, 0, 1, 1001}, {1, rank, 0, -1, 1009}}));
    const std::string profile =
        "1 templated_functions_MULTI_TIME\n# x\n\"main\" 1 0 8 8 0 GROUP=\"G\"\n0 aggregates\n";
    write("profile.0.0.0", profile);
    const auto incomplete = openExperiment(folder.path(), Task());
    REQUIRE(incomplete);
    CHECK((*incomplete)->importer == "tau-trace");
    write("profile.1.0.0", profile);
    const auto complete = openExperiment(folder.path(), Task());
    REQUIRE(complete);
    CHECK((*complete)->importer == "tau-profile");
    CHECK_FALSE((*complete)->report.lostData());
    REQUIRE((*complete)->report.issues().size() == 1);
    CHECK((*complete)->report.issues()[0].detail
          == "a TAU trace in the same folder; open it by the path of one of its files");
    const auto byMember = openExperiment(folder.path() / "tautrace.0.0.0.trc", Task());
    REQUIRE(byMember);
    CHECK((*byMember)->importer == "tau-trace");
    write("events.1.edf", kFew);
    const auto named = openExperiment(folder.path(), Task());
    REQUIRE(named);
    CHECK((*named)->importer == "tau-trace");
}

TEST_CASE("a rank whose trace file is missing between others is told")
{
    const TemporaryFolder folder;
    for (const int rank : {0, 2}) {
        const auto node = static_cast<std::uint16_t>(rank);
        std::ofstream(folder.path() / fmt::format("tautrace.{}.0.0.trc", rank), std::ios::binary)
            << recordBytes({{60000, node, 0, 3, 1000}, {1, node, 0, 1, 1001}, {1, node, 0, -1, 1009}});
        std::ofstream(folder.path() / fmt::format("events.{}.edf", rank)) << kFew;
    }
    const auto trace = openExperiment(folder.path(), Task());
    REQUIRE(trace);
    REQUIRE((*trace)->report.count(IssueKind::AbsentPart) == 1);
    CHECK((*trace)->report.lostData());
}

}  // namespace skein::wild_trace_test
