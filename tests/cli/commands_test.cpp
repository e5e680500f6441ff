// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/profile/aggregate.h"
#include "algorithms/profile/summarize.h"
#include "algorithms/timeline/correct_clocks.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/random_trace.h"

#include <nlohmann/json.hpp>
#include <sstream>

namespace skein::commands_test {

using nlohmann::json;
using test::randomExperiment;
using test::runCli;

namespace {

json jsonOf(std::vector<std::string> arguments, const std::map<std::string, Experiment>& experiments)
{
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = runCli(arguments, experiments);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

std::vector<std::string> linesOf(const std::string& text)
{
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(line);
    return lines;
}

}  // namespace

TEST_CASE("info counts what an experiment holds")
{
    const Experiment experiment = randomExperiment(11);
    const json info = jsonOf({"info", "a"}, {{"a", experiment}});
    const Trace& trace = *experiment.trace;
    CHECK(info["format"] == "random");
    CHECK(info["locations"] == 4);
    CHECK(info["location_groups"] == 4);
    CHECK(info["regions"] == 6);
    CHECK(info["call_paths"] == experiment.callTree->size());
    CHECK(info["events"] == trace.eventCount());
    CHECK(info["intervals"] == trace.intervalCount());
    CHECK(info["messages"] == trace.messages.size());
    CHECK(info["unmatched_sends"] == trace.unmatchedSendCount());
    CHECK(info["unmatched_receives"] == trace.unmatchedReceives.size());
    CHECK(info["message_bytes"] == commMatrixOf(experiment, {}, Task()).value()->totalBytes());
    CHECK(info["messages_source"] == "trace");
    CHECK(info["collectives"] == 5);
    CHECK(info["collective_members"] == 20);
    CHECK(info["metrics"] == 2);
    CHECK(info["begin_ns"] == 0);
    CHECK(info["end_ns"] == trace.extent.end);
    CHECK(info["clock_resolution"] == 1000000000);
}

TEST_CASE("a profile's unknown times are null and its messages come from the matrix")
{
    Experiment experiment = randomExperiment(11);
    experiment.profile = std::make_shared<const Profile>(summarizeTrace(experiment, {}, Task()).value());
    experiment.commMatrix = commMatrixOf(experiment, {}, Task()).value();
    experiment.trace = nullptr;
    const json info = jsonOf({"info", "a"}, {{"a", experiment}});
    CHECK(info["events"] == 0);
    CHECK(info["end_ns"].is_null());
    CHECK(info["clock_resolution"].is_null());
    CHECK(info["messages"] == experiment.commMatrix->totalMessages());
    CHECK(info["message_bytes"] == experiment.commMatrix->totalBytes());
    CHECK(info["messages_source"] == "communication matrix");
    for (const auto* by : {"region", "callpath", "location"})
        CHECK_FALSE(jsonOf({"profile", "a", "--by", by}, {{"a", experiment}}).empty());
    const auto window = runCli({"profile", "a", "--window", "1:2"}, {{"a", experiment}});
    CHECK(window.exitCode == 2);
    CHECK(window.err.find("is a profile: it has sums over the whole run") != std::string::npos);
    for (const auto* command : {"messages", "collectives", "waits", "anomalies", "critical-path"}) {
        INFO(command);
        const auto none = runCli({command, "a", "--format", "json"}, {{"a", experiment}});
        CHECK(none.exitCode == 2);
        CHECK(none.out.empty());
        CHECK(none.err.find("is no trace; only traces have") != std::string::npos);
    }
    experiment.commMatrix = nullptr;
    const auto noComm = runCli({"comm", "a", "--format", "csv"}, {{"a", experiment}});
    CHECK(noComm.exitCode == 0);
    CHECK(noComm.out == "sender,receiver,messages,bytes\n");
    CHECK(noComm.err.find("holds no communication") != std::string::npos);
}

TEST_CASE("info takes messages from TAU's sums where there is no matrix, and says so")
{
    Experiment experiment = randomExperiment(11);
    Profile profile = summarizeTrace(experiment, {}, Task()).value();
    const MetricId sums(experiment.definitions.metrics.size());
    experiment.definitions.metrics.push_back(
        {"Message size sent to all nodes", {}, "bytes", {}, {}, {}, false, 0});
    profile.statistics = Column<EventStatistic>(
        std::vector<EventStatistic>{{sums, LocationId(0), {}, 3, 8, 24, 16, 0},
                                    {sums, LocationId(1), {}, 2, 5, 5, 5, 0},
                                    {sums, LocationId(1), CallPathId(0), 2, 5, 5, 5, 0}});
    experiment.profile = std::make_shared<const Profile>(std::move(profile));
    experiment.trace = nullptr;
    const json info = jsonOf({"info", "a"}, {{"a", experiment}});
    CHECK(info["messages"] == 5);
    CHECK(info["message_bytes"] == 58);
    CHECK(info["messages_source"] == "user events without partners");
    experiment.profile = std::make_shared<const Profile>();
    CHECK(jsonOf({"info", "a"}, {{"a", experiment}})["messages_source"].is_null());
}

TEST_CASE("several archives are one session whose rows say where they come from")
{
    const std::map<std::string, Experiment> two{{"x/a", randomExperiment(1)}, {"b", randomExperiment(2)}};
    const json info = jsonOf({"info", "x/a", "b"}, two);
    REQUIRE(info.size() == 2);
    CHECK(info[0]["experiment"] == "x/a");
    CHECK(info[1]["experiment"] == "b");
    CHECK(runCli({"comm", "b", "--format", "csv"}, two).out.starts_with("sender,receiver,messages,bytes\n"));
    CHECK(runCli({"comm", "x/a", "b", "--format", "csv"}, two)
              .out.starts_with("experiment,sender,receiver,messages,bytes\n"));
    const auto missing = runCli({"info", "b", "c"}, two);
    CHECK(missing.exitCode == 1);
    CHECK(missing.out.empty());
}

TEST_CASE("the profile by region, call path and location tells the same total")
{
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
        const std::map<std::string, Experiment> one{{"a", randomExperiment(seed)}};
        for (const auto* window : {":", "100:900", "0.2us:"}) {
            double totals[3] = {0, 0, 0}, calls[3] = {0, 0, 0}, roots = 0;
            int index = 0;
            for (const auto* by : {"region", "callpath", "location"}) {
                for (const json& row : jsonOf({"profile", "a", "--by", by, "--window", window}, one)) {
                    totals[index] += row["exclusive_ns"].get<double>();
                    calls[index] += row["calls"].get<double>();
                    if (row.contains("depth") && row["depth"] == 0)
                        roots += row["inclusive_ns"].get<double>();
                }
                ++index;
            }
            CHECK(totals[0] == totals[1]);
            CHECK(totals[0] == totals[2]);
            CHECK(totals[0] == roots);
            CHECK(calls[0] == calls[1]);
            CHECK(calls[0] == calls[2]);
        }
    }
}

TEST_CASE("what goes wrong with a profile is said in one sentence")
{
    const std::map<std::string, Experiment> one{{"a", randomExperiment(3)}};
    const auto metric = runCli({"profile", "a", "--metric", "FLOPS"}, one);
    CHECK(metric.exitCode == 2);
    CHECK(metric.err == "skein-cli: random has no metric \"FLOPS\"; it has TIME.\n");
    const auto window = runCli({"profile", "a", "--window", "5"}, one);
    CHECK(window.exitCode == 2);
    CHECK(linesOf(window.err).size() == 1);
}

TEST_CASE("messages are printed one by one with their ranks, and may lack an end")
{
    const Experiment experiment = randomExperiment(7, {.unmatchedShare = 0.5});
    const auto lines = linesOf(runCli({"messages", "a", "--format", "csv"}, {{"a", experiment}}).out);
    const auto& messages = experiment.trace->messages;
    REQUIRE(lines.size() == messages.size() + 1);
    CHECK(lines[0] == "sender,receiver,communicator,tag,bytes,send_ns,receive_ns,send_end_ns");
    for (std::size_t i = 0; i < messages.size(); ++i) {
        std::ostringstream expected;
        expected << experiment.definitions.location(messages[i].sender).rank << ','
                 << experiment.definitions.location(messages[i].receiver).rank << ','
                 << experiment.definitions.communicators[messages[i].communicator.index()].name << ','
                 << messages[i].tag << ',' << messages[i].bytes << ',' << messages[i].sendTime << ',';
        if (messages[i].matched()) expected << messages[i].receiveTime;
        expected << ',';
        if (messages[i].sendEnd != kNoTime) expected << messages[i].sendEnd;
        REQUIRE(lines[i + 1] == expected.str());
    }
    const auto unmatched = jsonOf({"messages", "a", "--unmatched"}, {{"a", experiment}});
    CHECK(unmatched.size()
          == experiment.trace->unmatchedSendCount() + experiment.trace->unmatchedReceives.size());
    CHECK(unmatched.back()["send_ns"].is_null());
}

TEST_CASE("collectives and metrics are listed with their members and samples")
{
    const std::map<std::string, Experiment> one{{"a", randomExperiment(8)}};
    const json operations = jsonOf({"collectives", "a"}, one);
    REQUIRE(operations.size() == 5);
    for (const json& operation : operations) CHECK(operation["begin_ns"] <= operation["last_enter_ns"]);
    CHECK(jsonOf({"collectives", "a", "--members"}, one).size() == 20);
    const json metrics = jsonOf({"metrics", "a"}, one);
    REQUIRE(metrics.size() == 2);
    CHECK(metrics[0]["samples"] == 80);
    CHECK(metrics[0]["minimum"] <= metrics[0]["mean"]);
    CHECK(metrics[0]["by_call"] == "no");
    CHECK(jsonOf({"metrics", "a", "--samples", "--metric", "load"}, one).size() == 80);
    CHECK(runCli({"metrics", "a", "--metric", "none"}, one).exitCode == 2);
    CHECK(runCli({"metrics", "a", "--window", "1:2"}, one).exitCode == 2);
}

TEST_CASE("lost data ends with 3 and a pointer to check, which tells what was lost")
{
    Experiment experiment = randomExperiment(1);
    experiment.report.add(IssueKind::Truncated, "7.evt", "Rank 7", "after 12 records", 4711, 2);
    experiment.report.add(IssueKind::EventCount, "7.evt", "", "declared 3, read 5");
    const std::map<std::string, Experiment> one{{"a", experiment}};
    const auto info = runCli({"info", "a", "--format", "json"}, one);
    CHECK(info.exitCode == 3);
    CHECK(info.err == "skein-cli: a was opened with data loss (2 findings): see skein-cli check.\n");
    CHECK(json::parse(info.out)["findings_data_loss"] == 2);
    const json findings = json::parse(runCli({"check", "a", "--format", "json"}, one).out);
    REQUIRE(findings.size() == 2);
    CHECK(findings[0]["issue"] == "truncated");
    CHECK(findings[0]["offset"] == 4711);
    CHECK(findings[0]["severity"] == "data loss");
}

TEST_CASE("the output is the same on any number of threads")
{
    const std::map<std::string, Experiment> one{
        {"a", randomExperiment(21, {.processes = 9, .threadsPerProcess = 2})}};
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"profile", "a", "--by", "callpath"}, {"comm", "a"}, {"metrics", "a"}}) {
        auto single = command, several = command;
        single.insert(single.end(), {"--threads", "1"});
        several.insert(several.begin(), {"--threads", "2"});
        CHECK(runCli(single, one).out == runCli(several, one).out);
    }
}

TEST_CASE("clocks that are off are shown, and corrected in every command where the user asks for it")
{
    const Experiment truth = randomExperiment(31, {.messages = 300, .unmatchedShare = 0.0});
    ClockOffsets inverse;
    inverse.groups.resize(4);
    inverse.groups[2].offsetNs = -5e6;
    const std::map<std::string, Experiment> one{{"a", correctClocks(truth, inverse, Task()).value()}};
    const json info = jsonOf({"info", "a"}, one);
    CHECK(info["clock_violations"] > 0);
    CHECK(info["clock_offsets_ns"][0] == 0);
    CHECK(info["clock_offsets_ns"][2].get<double>() == Approx(5e6).epsilon(0.01));
    CHECK(info["clocks_corrected"] == false);
    CHECK(jsonOf({"--correct-clocks", "info", "a"}, one)["clocks_corrected"] == true);
    const json findings = jsonOf({"check", "a"}, one);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0]["location"] == "MPI Rank 2");
    CHECK(findings[0]["detail"].get<std::string>().find("ahead of MPI Rank 0, ±") != std::string::npos);
    const auto early = [&](const json& messages) {
        return std::count_if(messages.begin(), messages.end(),
                             [](const json& m) { return m["receive_ns"] < m["send_ns"]; });
    };
    CHECK(early(jsonOf({"messages", "a"}, one)) > 0);
    CHECK(early(jsonOf({"messages", "a", "--correct-clocks"}, one)) == 0);
}

}  // namespace skein::commands_test
