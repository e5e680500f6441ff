// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"
#include "tests/support/random_trace.h"

#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace skein::follow_command_test {

using namespace skein::test;
using nlohmann::json;

namespace {

/// The events that were printed, of one kind or all.
std::vector<json> eventsOf(const CliResult& result, const std::string& kind = "")
{
    std::vector<json> events;
    std::istringstream lines(result.out);
    for (std::string line; std::getline(lines, line);) {
        events.push_back(json::parse(line));
        if (!kind.empty() && events.back()["event"] != kind) events.pop_back();
    }
    return events;
}

/// A table of three entities whose second one rises at 60.
std::string risingTable()
{
    std::string text = "time,a,b,c\n";
    for (int t = 0; t < 100; ++t)
        text += fmt::format("{},{},{},{}\n", t * 10, t * 7 % 5, t * 3 % 5 + (t >= 60 ? 50 : 0), t * 11 % 7);
    return text;
}

std::string socketSends(const std::string& path, const std::string& text)
{
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::memcpy(where.sun_path, path.data(), std::min(path.size(), sizeof where.sun_path - 1));
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    for (int tries = 0; connect(socket, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0;
         ++tries) {
        if (tries > 1000) return "nobody listens";
        std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    std::string_view rest = text;
    while (!rest.empty()) {
        const ssize_t sent = send(socket, rest.data(), rest.size(), MSG_NOSIGNAL);
        if (sent <= 0) break;
        rest.remove_prefix(static_cast<std::size_t>(sent));
    }
    close(socket);
    return {};
}

}  // namespace

TEST_CASE("a table that is followed has the changes of the table")
{
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "grows.csv", risingTable());
    const json whole = json::parse(runCli({"changes", file, "--format", "json"}).out);
    const auto live = runCli({"changes", "--follow", file, "--stop-after", "100", "--format", "json"});
    CHECK(live.exitCode == 0);
    json indexes = json::array(), times = json::array();
    for (const json& event : eventsOf(live, "change")) {
        indexes.push_back(event["index"]);
        times.push_back(event["time"]);
    }
    CHECK(indexes == whole["changes"]);
    CHECK(times == whole["times"]);
    REQUIRE(std::find(indexes.begin(), indexes.end(), 60) != indexes.end());
    REQUIRE(eventsOf(live, "end").size() == 1);
    CHECK(eventsOf(live, "end")[0]["rows"] == 100);
    const auto csv = runCli({"changes", "--follow", file, "--stop-after", "100", "--format", "csv"});
    CHECK(csv.out.find("metric,index,time,p_value,entity,before,after,deviations\n") == 0);
    CHECK(csv.out.find(",60,600,") != std::string::npos);
    CHECK(runCli({"changes", "--follow", file, "--stop-after", "100"}).out.find("b: ") != std::string::npos);
}

TEST_CASE("a file that grows while it is followed is read to its end")
{
    const TemporaryFolder folder;
    const std::string text = risingTable();
    const std::string file = fileWith(folder, "grows.csv", text.substr(0, 100));
    std::jthread writer([&] {
        for (std::size_t at = 100; at < text.size(); at += 97) {
            std::ofstream(file, std::ios::app) << text.substr(at, 97);
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    const auto live = runCli({"changes", "--follow", file, "--stop-after", "100", "--format", "json"});
    CHECK(eventsOf(live, "end")[0]["rows"] == 100);
    CHECK(eventsOf(live, "note").empty());
}

TEST_CASE("a last line without an end is told, unless all that was wanted has come")
{
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "cut.csv", risingTable() + "1000,5");
    const auto live = runCli({"changes", "--follow", file, "--idle", "0.2", "--format", "json"});
    CHECK(eventsOf(live, "end")[0]["rows"] == 100);
    REQUIRE(eventsOf(live, "note").size() == 1);
    CHECK(eventsOf(live, "note")[0]["text"] == "The last line has no end: 6 B left out.");
    const auto enough = runCli({"changes", "--follow", file, "--stop-after", "100", "--format", "json"});
    CHECK(eventsOf(enough, "note").empty());
}

TEST_CASE(
    "conditions on numbers leave out the lines of a table that is followed as they do of one that is not")
{
    const TemporaryFolder folder;
    std::string text = "time,rank,load,events\n";
    for (int t = 0; t < 100; ++t)
        for (int rank = 0; rank < 3; ++rank)
            text +=
                fmt::format("{},{},{},{}\n", t, rank, (t * 7 + rank * 3) % 5 + (t >= 60 ? 50 : 0), rank * 2);
    const std::string file = fileWith(folder, "long.csv", text);
    const auto changesOf = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.end(),
                         {"--entity", "rank", "--time", "time", "--metric", "load", "--where",
                          "load>0; events<4", "--format", "json"});
        return runCli(arguments);
    };
    const json whole = json::parse(changesOf({"changes", file}).out);
    CHECK(whole["entities"] == 2);
    json indexes = json::array();
    for (const json& event : eventsOf(changesOf({"changes", "--follow", file, "--idle", "0.3"}), "change"))
        indexes.push_back(event["index"]);
    REQUIRE_FALSE(indexes.empty());
    CHECK(indexes == whole["changes"]);
}

TEST_CASE("lines of JSON through a socket give changes, clusters, causes and sentences about what is odd")
{
    const TemporaryFolder folder;
    const std::string path = (folder.path() / "s").string();
    std::string text = "{\"entities\": [\"a\", \"b\", \"c\", \"d\"]}\nnonsense\n";
    for (int t = 0; t < 80; ++t)
        text += fmt::format(
            "{{\"time\": {}, \"metrics\": {{\"up\": [{}, {}, 90, 91], \"down\": [{}, 1, 1, 2]}}}}\n", t,
            t * 7 % 5 + (t >= 50 ? 99 : 0), t * 3 % 5, t * 13 % 11);
    text += "{\"time\": 3, \"metrics\": {\"up\": [1, 2, 3, 4]}}\n";
    std::string problem;
    {
        std::jthread sender([&] {
            problem = socketSends(path, "half a li");
            if (problem.empty()) problem = socketSends(path, text + "{\"end\": true}\n");
        });
        const auto live =
            runCli({"changes", "--follow", "unix:" + path, "--metric", "u*", "--metric", "down",
                    "--state-every", "1000", "--k", "2", "--budget", "1000", "--format", "json"});
        CHECK(live.exitCode == 0);
        CHECK(eventsOf(live)[0]["address"] == "unix:" + path);
        const auto changes = eventsOf(live, "change");
        CHECK(std::any_of(changes.begin(), changes.end(), [](const json& change) {
            return change["metric"] == "up" && change["index"] >= 50 && change["index"] < 65
                && change["moved"][0]["entity"] == "a";
        }));
        const auto states = eventsOf(live, "state");
        REQUIRE(states.size() == 2);
        CHECK(states[0]["entities"] == 4);
        CHECK(states[0]["clustered"] == 1.0);
        CHECK(states[0]["cluster_sizes"] == json::array({2, 2}));
        CHECK(eventsOf(live, "causes").size() == 1);
        const auto notes = eventsOf(live, "note");
        CHECK(notes.size() == 4);
        for (const char* part : {"middle of a line", "no JSON", "could not be read: 1.", "go on from"})
            CHECK(std::any_of(notes.begin(), notes.end(), [&](const json& note) {
                return note["text"].get<std::string>().find(part) != std::string::npos;
            }));
    }
    CHECK(problem.empty());
    CHECK_FALSE(std::filesystem::exists(path));
}

TEST_CASE("transforms on the way in thin what comes")
{
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "grows.csv", risingTable());
    const auto rows = [&](std::vector<std::string> more) {
        std::vector<std::string> arguments{"changes", "--follow", file, "--idle", "0.3", "--format", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto result = runCli(arguments);
        INFO(result.err);
        return eventsOf(result, "end")[0]["rows"].get<int>();
    };
    CHECK(rows({"--every", "4"}) == 25);
    CHECK(rows({"--join", "8", "--join-by", "max"}) == 13);
    CHECK(rows({"--least-interval", "25"}) == 34);
    CHECK(rows({"--keep", "b", "--least-change", "5"}) < 60);
    CHECK(runCli({"changes", file, "--every", "4"}).exitCode == 2);
    CHECK(runCli({"changes", "--follow", file, "--every", "0"}).exitCode == 2);
    CHECK(runCli({"changes", "--follow", "tcp:nowhere"}).exitCode == 2);
    CHECK(runCli({"changes", "tcp:7777"}).exitCode == 2);
    const auto faster = runCli({"changes", "--follow", file, "--speed", "2"});
    CHECK(faster.exitCode == 2);
    CHECK(faster.err.find("--speed goes with traces") != std::string::npos);
    CHECK(runCli({"changes", "--follow", (folder.path() / "none.csv").string()}).exitCode == 1);
}

TEST_CASE("a trace that is replayed has the changes of its series")
{
    const std::map<std::string, Experiment> traces{{"a", randomExperiment(5)}};
    const std::vector<std::string> arguments{"changes", "a",  "--metric", "calls",
                                             "--bins",  "60", "--format", "json"};
    const json whole = json::parse(runCli(arguments, traces).out);
    auto follow = arguments;
    follow.push_back("--follow");
    const auto live = runCli(follow, traces);
    CHECK(live.exitCode == 0);
    json indexes = json::array();
    for (const json& event : eventsOf(live, "change")) indexes.push_back(event["index"]);
    CHECK(indexes == whole["changes"]);
    follow.insert(follow.end(), {"--speed", "1e6"});
    CHECK(eventsOf(runCli(follow, traces), "end")[0]["rows"] == whole["time_points"]);
}

TEST_CASE("of what is followed only entities count whose attributes are as wanted")
{
    const TemporaryFolder folder;
    std::string lines = R"({"entities": ["a", "b"], "attributes": {"kind": ["io", "compute"]}})"
                        "\n";
    std::string table = "time,rank,kind,load\n";
    for (int t = 0; t < 60; ++t) {
        // The other one jumps.
        const int odd = t * 3 % 5, even = t * 7 % 4 + (t >= 30 ? 900 : 0);
        lines += fmt::format("{{\"time\": {}, \"values\": [{}, {}]}}\n", t, odd, even);
        table += fmt::format("{0},a,io,{1}\n{0},b,compute,{2}\n", t, odd, even);
    }
    const auto jumped = [&](const std::string& file, const char* where) {
        std::vector<std::string> arguments{"changes",  "--follow", file,      "--idle", "0.3",
                                           "--format", "json",     "--where", where};
        if (file.ends_with(".csv"))
            arguments.insert(arguments.end(), {"--entity", "rank", "--time", "time", "--metric", "load"});
        const auto found = eventsOf(runCli(arguments), "change");
        return std::any_of(found.begin(), found.end(), [](const json& change) {
            return !change["moved"].empty() && change["moved"][0]["entity"] == "b";
        });
    };
    for (const std::string& file :
         {fileWith(folder, "lines.jsonl", lines), fileWith(folder, "long.csv", table)}) {
        INFO(file);
        CHECK(jumped(file, "kind=compute"));
        CHECK_FALSE(jumped(file, "kind=io"));
    }
}

}  // namespace skein::follow_command_test
