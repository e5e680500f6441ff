// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/chimbuko/chimbuko_importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <fstream>

namespace skein::chimbuko_importer_test {

namespace {

Experiment read(const std::filesystem::path& path)
{
    const auto sniffed = chimbuko::kExecutionsImporter.sniff(path, Task());
    REQUIRE(sniffed.has_value());
    auto experiment = chimbuko::kExecutionsImporter.read(*sniffed, Task());
    REQUIRE(experiment.has_value());
    return std::move(*experiment);
}

std::filesystem::path written(const test::TemporaryFolder& folder, const std::string& name,
                              const std::string& text)
{
    const auto path = folder.path() / name;
    std::ofstream(path) << text;
    return path;
}

constexpr auto kOuter = R"({"executions": {"1.0": {"anomaly_score": "-1", "name": "outer", "entry": "100",
    "exit": "200", "comm ranks": 0, "threads": 0, "prog names": "0", "children": ["2.0"], "parent": "-1",
    "messages": [{"event-type": "send", "time": "150", "source-node-id": 0, "destination-node-id": 1,
                  "message_size": "40", "message_tag": "7", "thread-id": 0}]}}})";
constexpr auto kRest = R"({"executions": {
    "1.0": {"name": "outer", "entry": "100", "exit": "200", "comm ranks": 0, "threads": 0},
    "2.0": {"name": "inner", "entry": "140", "exit": "160", "comm ranks": 0, "threads": 0, "messages": []},
    "3.0": {"name": "outer", "entry": 120, "exit": 190, "comm ranks": 1, "threads": 0,
            "messages": [{"event-type": "receive", "time": "170", "source-node-id": 0,
                          "destination-node-id": 1, "message_size": "40", "message_tag": "7"}]},
    "4.0": {"name": "no exit", "entry": "5", "comm ranks": 0, "threads": 0}, "5.0": 3}})";

}  // namespace

TEST_CASE("windows of Chimbuko's executions are one trace with calls in calls and messages")
{
    const test::TemporaryFolder folder;
    written(folder, "trace.1.json", kOuter);
    written(folder, "trace.2.json", kRest);
    written(folder, "other.json", R"({"executions": 3})");
    const Experiment experiment = read(folder.path());
    CHECK(experiment.name == folder.path().filename().string());
    CHECK(experiment.path == folder.path());
    CHECK(read(folder.path() / "trace.1.json").name == "trace.1");
    REQUIRE(experiment.trace->locations.size() == 2);
    const CallIntervals& calls = experiment.trace->locations[0].intervals;
    REQUIRE(calls.size() == 2);
    CHECK(calls.begin[0] == 0);
    CHECK(calls.end[0] == 100'000);
    CHECK(calls.begin[1] == 40'000);
    CHECK(calls.depth[1] == 1);
    REQUIRE(experiment.trace->messages.size() == 1);
    const Message& message = experiment.trace->messages[0];
    CHECK(message.matched());
    CHECK(message.sendInterval == 1);
    CHECK(message.bytes == 40);
    CHECK(message.receiveTime == 70'000);
    CHECK_FALSE(experiment.report.empty());
}

TEST_CASE("what holds no executions of Chimbuko is left alone, and broken windows are refused in words")
{
    const test::TemporaryFolder folder;
    CHECK_FALSE(chimbuko::kExecutionsImporter.sniff(folder.path(), Task()).has_value());
    const auto other = written(folder, "a.json", R"({"name": "x"})");
    CHECK_FALSE(chimbuko::kExecutionsImporter.sniff(other, Task()).has_value());
    const auto cut = written(folder, "b.json", std::string(kOuter).substr(0, 150));
    REQUIRE(chimbuko::kExecutionsImporter.sniff(cut, Task()).has_value());
    CHECK_FALSE(chimbuko::kExecutionsImporter.read(cut, Task()).has_value());
}

TEST_CASE("the executions of NWChem that came with the paper are read as its README counts them")
{
    SKEIN_SHARED_OR_SKIP(path, "data/unlicensed-upstream/chimbuko-visualization/nwchem-executions");
    const Experiment experiment = read(path);
    CHECK(experiment.trace->locations.size() == 4);
    CHECK(experiment.trace->intervalCount() == 1059);
    CHECK(experiment.definitions.regions.size() == 33);
    CHECK(experiment.trace->messages.size() + experiment.trace->unmatchedReceives.size()
          == 3492
              - static_cast<std::size_t>(
                  std::count_if(experiment.trace->messages.begin(), experiment.trace->messages.end(),
                                [](const Message& message) { return message.matched(); })));
}

TEST_CASE("Chimbuko's rows of single events are refused with a sentence that says what they are")
{
    const test::TemporaryFolder folder;
    const std::string file = test::fileWith(
        folder, "trace.0.json",
        R"({"value": {"foi": [], "labels": [], "events": [[0.0, 1.0, NaN]]}, "type": "info"})");
    for (const std::string& path : {file, folder.path().string()}) {
        const auto opened = openExperiment(path, Task());
        REQUIRE_FALSE(opened.has_value());
        CHECK(opened.error().code == ErrorCode::Unsupported);
        CHECK(opened.error().message.find("rows of single events") != std::string::npos);
    }
    // Beside them executions are what is read.
    test::fileWith(folder, "window.json",
                   R"({"executions": {"1": {"name": "f", "entry": "10", "exit": "20", "comm ranks": 0,
                       "threads": 0, "anomaly_score": "-1"}}})");
    CHECK(openExperiment(folder.path(), Task()).has_value());
}

}  // namespace skein::chimbuko_importer_test
