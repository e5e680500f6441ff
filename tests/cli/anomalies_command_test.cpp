// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"
#include "tests/support/small_session.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

namespace skein::anomalies_command_test {

using nlohmann::json;
using test::runCli;

namespace {

/// Two ranks call f fifty times; the call with the number 20 on rank 1 is slow.
Experiment slowCall()
{
    test::ExperimentBuilder builder("slow");
    for (int rank = 0; rank < 2; ++rank) {
        std::vector<test::Call> calls{{0, 100'000, "main", 0}};
        for (int i = 0; i < 50; ++i) {
            const TimeNs begin = 10 + i * 1900;
            const TimeNs length = 1000 + (i * 7 + rank) % 40 + (rank == 1 && i == 20 ? 800 : 0);
            calls.push_back({begin, begin + length, "f", 1});
        }
        builder.process("node", calls);
    }
    return *builder.finish();
}

json rowsOf(std::vector<std::string> arguments)
{
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = runCli(arguments, {{"a", slowCall()}});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

}  // namespace

TEST_CASE("anomalies takes what a session file says of calls before what the detector says")
{
    const test::TemporaryFolder folder;
    const auto session = folder.path() / "a.session.json";
    // Location 1, call 21 is the slow one; location 0, call 5 a usual one.
    std::ofstream(session) << R"({"format": "skein-session", "version": 1, "state": {"verdicts": [
        [0, 1, 21, "normal"], [0, 0, 5, "anomaly"], [1, 0, 7, "anomaly"], [0, 3], "x"]}})";
    const json rows = rowsOf({"anomalies", "a", "--verdicts", session.string()});
    REQUIRE(rows.size() == 1);
    CHECK(rows[0]["rank"] == 0);
    CHECK(rows[0]["call_index"] == 4);
    CHECK(rows[0]["label"] == "anomaly");
    const auto provenance = folder.path() / "records.json";
    rowsOf({"anomalies", "a", "--verdicts", session.string(), "--provenance", provenance.string()});
    const json records = json::parse(std::ifstream(provenance));
    CHECK(records["anomalies"].size() == 2);
    const json learned = rowsOf({"anomalies", "a", "--verdicts", session.string(), "--learn", "--all"});
    CHECK(learned.size() == 102);
    // Said twice: the last counts, and alone moves limits.
    std::ofstream(session) << R"({"format": "skein-session", "version": 1, "state": {"verdicts": [
        [0, 0, 5, "anomaly"], [0, 1, 21, "anomaly"], [0, 0, 5, "normal"], [0, 1, 21, "normal"]]}})";
    CHECK(rowsOf({"anomalies", "a", "--verdicts", session.string()}).empty());
    CHECK(rowsOf({"anomalies", "a", "--verdicts", session.string(), "--learn"}).empty());
    std::ofstream(session) << "{}";
    CHECK(runCli({"anomalies", "a", "--verdicts", session.string()}, {{"a", slowCall()}}).exitCode != 0);
    CHECK(runCli({"anomalies", "a", "--learn"}, {{"a", slowCall()}}).exitCode != 0);
}

TEST_CASE("anomalies prints where, how long, how strange and why")
{
    const json rows = rowsOf({"anomalies", "a"});
    REQUIRE(rows.size() == 1);
    const json& row = rows[0];
    CHECK(row["rank"] == 1);
    CHECK(row["thread"] == 0);
    CHECK(row["function"] == "f");
    CHECK(row["call_index"] == 20);
    CHECK(row["begin_ns"] == 10 + 20 * 1900);
    CHECK(row["duration_ns"] == 1821);
    CHECK(row["score"].get<double>() > 3);
    CHECK(row["severity_ns"].get<int>() > 750);
    CHECK(row["label"] == "anomaly");
    CHECK(row["reason"] == "own time");
    CHECK(row["cause_rank"] == 1);
    CHECK(row["cause_function"] == "f");
}

TEST_CASE("anomalies prints every call with --all, and those of some functions")
{
    const json all = rowsOf({"anomalies", "a", "--all"});
    CHECK(all.size() == 102);
    std::size_t normal = 0;
    for (const json& row : all) normal += row["label"] == "normal";
    CHECK(normal == 101);
    CHECK(rowsOf({"anomalies", "a", "--all", "--function", "main"}).size() == 2);
    CHECK(rowsOf({"anomalies", "a", "--function", "main"}).empty());
    CHECK(runCli({"anomalies", "a", "--function", "g"}, {{"a", slowCall()}}).exitCode == 2);
    CHECK(runCli({"anomalies", "a", "--detector", "guess"}, {{"a", slowCall()}}).exitCode == 2);
    CHECK(runCli({"anomalies", "a", "--sigma", "0"}, {{"a", slowCall()}}).exitCode == 2);
    const json functions = rowsOf({"anomalies", "a", "--by", "function"});
    REQUIRE(functions.size() == 2);
    for (const json& row : functions)
        if (row["function"] == "f") {
            CHECK(row["calls"] == 100);
            CHECK(row["anomalies"] == 1);
            CHECK(row["regular"] == 99);
        }
}

TEST_CASE("anomalies of a stream, causes and the critical path")
{
    const json stream = rowsOf({"anomalies", "a", "--stream"});
    REQUIRE(stream.size() == 1);
    CHECK(stream[0]["call_index"] == 20);
    CHECK(stream[0]["cost_ns"].is_null());
    const auto told = runCli({"anomalies", "a", "--stream", "--detector", "sigma"}, {{"a", slowCall()}});
    CHECK(told.err.find("anomalous calls as they ended; sigma: 3 deviations, beyond which 0.27 % of")
          != std::string::npos);
    for (const std::vector<std::string>& other :
         {std::vector<std::string>{"--all"}, {"--by", "function"}, {"--coupling", "x"}}) {
        std::vector<std::string> arguments{"anomalies", "a", "--stream"};
        arguments.insert(arguments.end(), other.begin(), other.end());
        CHECK(runCli(arguments, {{"a", slowCall()}}).exitCode == 2);
    }
    const json causes = rowsOf({"causes", "a", "--rank", "1", "--function", "f", "--call", "20"});
    REQUIRE(causes.size() == 2);
    CHECK(causes[0]["what"] == "own time");
    CHECK(causes[1]["what"] == "not explained");
    CHECK(runCli({"causes", "a", "--rank", "1", "--function", "f", "--call", "50"}, {{"a", slowCall()}})
              .exitCode
          == 2);
    std::int64_t length = 0;
    for (const json& row : rowsOf({"critical-path", "a"})) length += row["critical_ns"].get<std::int64_t>();
    CHECK(length == 100'000);
}

TEST_CASE("anomalies are written as provenance records")
{
    const test::TemporaryFolder folder;
    const std::string file = (folder.path() / "records.json").string();
    REQUIRE(runCli({"anomalies", "a", "--provenance", file}, {{"a", slowCall()}}).exitCode == 0);
    std::ifstream stream(file);
    const json records = json::parse(stream)["anomalies"];
    REQUIRE(records.size() == 1);
    CHECK(records[0]["rid"] == 1);
    CHECK(records[0]["func"] == "f");
    CHECK(records[0]["entry"] == 38);
    CHECK(records[0]["exit"] == 39);
    CHECK(records[0]["call_stack"].size() == 2);
    CHECK(records[0]["call_stack"][1]["func"] == "main");
    CHECK(records[0]["event_window"]["exec_window"].size() == 11);
}

TEST_CASE("anomalies by a list of features prints them, and where they place the call")
{
    const json rows = rowsOf({"anomalies", "a", "--features", "exclusive,messages,children,end", "--all"});
    REQUIRE(rows.size() == 102);
    CHECK(rows[0]["reason"] == "own time");
    CHECK(rows[0]["call_index"] == 20);
    CHECK(rows[0]["rank"] == 1);
    CHECK(rows[0]["exclusive_ns"] == rows[0]["duration_ns"]);
    CHECK(rows[0]["messages"] == 0);
    CHECK(rows[0]["children"] == 0);
    CHECK(rows[0]["end_ns"] == rows[0]["begin_ns"].get<TimeNs>() + rows[0]["duration_ns"].get<TimeNs>());
    double sum = 0;
    for (const json& row : rows)
        if (row["function"] == "f") sum += row["projection_1"].get<double>();
    CHECK(std::abs(sum) < 1e-6);
    for (const json& row : rowsOf({"anomalies", "a", "--all"})) CHECK_FALSE(row.contains("messages"));
    const auto wrong = runCli({"anomalies", "a", "--features", "time,bytes"}, {{"a", slowCall()}});
    CHECK(wrong.exitCode == 2);
    CHECK(wrong.err.find("'time'") != std::string::npos);
    const json asCallsEnd = rowsOf({"anomalies", "a", "--features", "duration,children", "--stream"});
    REQUIRE(asCallsEnd.size() == 1);
    CHECK(asCallsEnd[0]["call_index"] == 20);
    CHECK(asCallsEnd[0]["reason"] == "duration");
    CHECK(asCallsEnd[0]["children"] == 0);
    CHECK_FALSE(asCallsEnd[0].contains("projection_1"));
}

TEST_CASE("what was said of a trace behind a profile counts for it")
{
    const test::TemporaryFolder folder;
    const auto session = folder.path() / "a.session.json";
    std::ofstream(session) << R"({"format": "skein-session", "version": 1, "state": {"verdicts": [
        [1, 1, 21, "normal"]]}})";
    Experiment noTrace = slowCall();
    noTrace.trace = nullptr;
    const auto result = runCli({"anomalies", "p", "a", "--verdicts", session.string(), "--format", "json"},
                               {{"p", noTrace}, {"a", slowCall()}});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    CHECK(json::parse(result.out).empty());
}

TEST_CASE("the rows of a critical path add up to its length, by function, rank and call")
{
    for (const char* archive : {"examples/heatflow-16x2/trace-otf2", "examples/lulesh-8/trace-otf2"}) {
        const auto path = test::sourcePath(archive);
        const auto end = openExperiment(path, Task()).value()->trace->extent.end;
        for (const char* by : {"function", "rank", "call"}) {
            INFO(archive << " by " << by);
            const auto result = runCli({"critical-path", path.string(), "--by", by, "--format", "json"});
            REQUIRE(result.exitCode == 0);
            std::int64_t sum = 0;
            double percent = 0.0;
            for (const json& row : json::parse(result.out)) {
                sum += row["critical_ns"].get<std::int64_t>();
                if (row.contains("critical_percent")) percent += row["critical_percent"].get<double>();
            }
            CHECK(sum == end);
            if (std::string(by) != "call") CHECK(std::abs(percent - 100.0) < 1e-6);
        }
    }
}

TEST_CASE("a critical path tells processes from threads, and what no call covers by name")
{
    test::ExperimentBuilder builder("threads");
    builder.process("node", {{10, 40, "f", 0}, {60, 100, "f", 0}}).thread({{20, 60, "g", 0}});
    const auto result = runCli({"critical-path", "a", "--format", "csv"},
                               std::map<std::string, Experiment>{{"a", *builder.finish()}});
    CHECK(result.exitCode == 0);
    CHECK(result.err.find("100 ns through 1 of 1 process (1 of 2 threads).") != std::string::npos);
    CHECK(result.out.find("\nf,70,70,") != std::string::npos);
    CHECK(result.out.find("\n(outside of all calls),20,20,,,,\n") != std::string::npos);
    CHECK(result.out.find("\n(before the first call),10,10,,,,\n") != std::string::npos);
}

TEST_CASE("causes follows what was handed over into the other program, and its parts add up")
{
    const std::string sim = test::sourcePath("examples/workflow-12-4/sim/trace-otf2").string();
    const std::string ana = test::sourcePath("examples/workflow-12-4/ana/trace-otf2").string();
    const std::string function = "process_output";
    bool crossed = false;
    for (int call = 0; call < 12; ++call) {
        INFO("call " << call);
        const std::vector<std::string> which{
            "--rank", "0", "--function", function, "--call", std::to_string(call), "--format", "json"};
        std::vector<std::string> together{"causes", sim, ana, "--program", ana}, alone{"causes", ana};
        together.insert(together.end(), which.begin(), which.end());
        alone.insert(alone.end(), which.begin(), which.end());
        const auto both = runCli(together), one = runCli(alone);
        INFO(both.err << one.err);
        REQUIRE(both.exitCode == 0);
        REQUIRE(one.exitCode == 0);
        // The last row of each part has what is attributed to it; all of them are what was lost.
        const auto lost = [](const json& rows) {
            std::int64_t sum = 0;
            for (std::size_t i = 0; i < rows.size(); ++i)
                if (i + 1 == rows.size() || rows[i + 1]["part"] != rows[i]["part"])
                    sum += rows[i]["lost_ns"].get<std::int64_t>();
            return sum;
        };
        const json rows = json::parse(both.out);
        CHECK(lost(rows) == lost(json::parse(one.out)));
        for (std::size_t i = 0; i < rows.size(); ++i) {
            CHECK(rows[i]["experiment"] == ana);
            if (rows[i]["what"] != "writes it late") continue;
            crossed = true;
            CHECK(rows[i]["program"] == sim);
            CHECK(rows[i - 1]["program"] == ana);
            CHECK(rows[i - 1]["what"] == "waits for data");
            CHECK(rows[i + 1]["program"] == sim);
        }
    }
    CHECK(crossed);
    CHECK(runCli({"causes", sim, ana, "--program", "other", "--rank", "0", "--function", function, "--call",
                  "0"})
              .exitCode
          != 0);
}

}  // namespace skein::anomalies_command_test
