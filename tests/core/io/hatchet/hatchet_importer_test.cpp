// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/measured_table.h"
#include "algorithms/profile/aggregate.h"
#include "core/io/hatchet/hatchet_importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <cmath>
#include <map>
#include <utility>

namespace skein::hatchet_importer_test {
namespace {

using hatchet::Graph;

const std::string kLiteral = R"json([
  {"frame": {"name": "main", "type": "function"}, "metrics": {"time (inc)": 6.0, "time": 1.0, "calls": 1},
   "children": [
     {"frame": {"name": "solve", "type": "loop"}, "metrics": {"time (inc)": 3.0, "time": 3.0}},
     {"frame": {"name": "init", "type": "function"}, "metrics": {"time (inc)": NaN, "time": 2.0}}]},
  {"frame": {"name": "atexit", "type": "function"}, "metrics": {"time (inc)": Infinity, "time": 0.5}}
])json";

Graph graphOf(const std::string& text, ImportReport& report)
{
    auto graph = hatchet::parseGraph(text, "file.json", report, Task{});
    REQUIRE(graph.has_value());
    return *graph;
}

TEST_CASE("a Hatchet literal is read with its numbers, siblings in Hatchet's order")
{
    ImportReport report;
    const Graph graph = graphOf(kLiteral, report);
    CHECK(report.count(IssueKind::UnsupportedRecord) == 2);
    REQUIRE(report.issues().size() == 1);
    CHECK(report.issues().front().detail == "values of 'time (inc)' that are no finite numbers");
    CHECK(graph.names == std::vector<std::string>{"atexit", "main", "init", "solve"});
    CHECK(graph.parents == std::vector<std::uint32_t>{Graph::kNone, Graph::kNone, 1, 1});
    const CallTable table = tableOfGraph(graph);
    CHECK(std::isinf(table.column("time (inc)")->numbers[0]));
    CHECK(std::isnan(table.column("time (inc)")->numbers[2]));
    CHECK(table.column("time")->numbers == std::vector<double>{0.5, 1.0, 2.0, 3.0});
    CHECK(table.column("type")->word(3) == "loop");
    CHECK(std::isnan(table.column("calls")->numbers[3]));
}

TEST_CASE("a Hatchet literal is a profile whose time is in seconds")
{
    const test::TemporaryFolder folder;
    const auto experiment = openExperiment(test::fileWith(folder, "literal.json", kLiteral), Task{});
    REQUIRE(experiment.has_value());
    CHECK((*experiment)->importer == "hatchet");
    const Profile& profile = *(*experiment)->profile;
    const auto column = metricColumn(**experiment, profile, "time");
    REQUIRE(column.has_value());
    CHECK(isTime(**experiment, profile.callPaths, *column));
    const auto rows = profileByRegion(**experiment, profile, *column);
    REQUIRE(rows.size() == 4);
    CHECK(rows[0].name == "solve");
    CHECK(rows[0].values.exclusive == 3e9);
    const auto measured = measuredTable(**experiment, {}, {"", true}, Task{});
    REQUIRE(measured.has_value());
    CHECK(measured->table.column("time")->numbers == std::vector<double>{0.5, 1.0, 2.0, 3.0});
    CHECK(measured->table.column("calls")->numbers == std::vector<double>{0.0, 1.0, 0.0, 0.0});
}

const std::string kGraphFrame = R"json({"graph": [{"7": {"data": {"name": "b"}, "children": [3]},
    "3": {"data": {"name": "a"}, "children": []}}], "dataframe_indices": ["node", "rank"],
    "inclusive_metrics": ["time (inc)"], "exclusive_metrics": ["time"],
    "dataframe": [{"node": 7, "rank": 0, "name": "b", "time": 1}, {"node": 7, "rank": 1, "name": "b", "time": 2},
                  {"node": 3, "rank": 1, "name": "a", "time": 4}]})json";

TEST_CASE("a graph frame of Hatchet has its own node numbers")
{
    ImportReport report;
    const Graph graph = graphOf(kGraphFrame, report);
    CHECK(report.empty());
    CHECK(graph.nodeIds == std::vector<double>{7.0, 3.0});
    CHECK(tableOfGraph(graph).column("time")->numbers == std::vector<double>{3.0, 4.0});
    const Experiment experiment = hatchet::experimentOf(graph, "x.json", {});
    CHECK(experiment.definitions.locations.size() == 2);
    const auto rows = profileByCallPath(experiment, *experiment.profile, 0);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0].values.inclusive == 7e9);
    CHECK(rows[0].balance.maximum == 6e9);
}

TEST_CASE("circles, missing and repeated nodes of a graph frame are told, the rest is shown")
{
    ImportReport report;
    const Graph graph = graphOf(
        R"({"graph": [{"0": {"data": {"name": "a"}, "children": [1, 9]}, "1": {"data": {"name": "b"}, "children": []},
                   "2": {"data": {"name": "c"}, "children": [3, 1]}, "3": {"data": {"name": "d"}, "children": [2]}},
                  {"1": {"data": {"name": "again"}, "children": []}}],
        "dataframe": [{"node": 0, "time": 1}, {"node": 44, "time": 1}]})",
        report);
    CHECK(graph.names == std::vector<std::string>{"a", "b", "c", "d"});
    CHECK(graph.parents == std::vector<std::uint32_t>{Graph::kNone, 0, Graph::kNone, 2});
    CHECK(report.count(IssueKind::UndefinedReference) == 2);
    CHECK(report.count(IssueKind::DuplicateDefinition) == 1);
    CHECK(report.count(IssueKind::ContradictoryRecord) == 2);
}

TEST_CASE("amounts that some nodes lack are worked out from the others, not 0")
{
    const test::TemporaryFolder folder;
    const std::string literal = R"json([
      {"frame": {"name": "main"}, "metrics": {"time (inc)": NaN, "time": 1.0, "bytes (inc)": 70}, "children": [
        {"frame": {"name": "a"}, "metrics": {"time (inc)": 5.0, "bytes": "many"}, "children": [
          {"frame": {"name": "b"}, "metrics": {"time": 2.0, "bytes": 30}}]},
        {"frame": {"name": "c"}, "metrics": {"time": 3.0, "bytes": 10}}]}])json";
    const auto experiment = openExperiment(test::fileWith(folder, "partly.json", literal), Task{});
    REQUIRE(experiment.has_value());
    const auto valuesOf = [&](const char* metric) {
        std::map<std::string, std::pair<double, double>> values;
        const auto column = metricColumn(**experiment, *(*experiment)->profile, metric);
        REQUIRE(column.has_value());
        for (const CallPathRow& row : profileByCallPath(**experiment, *(*experiment)->profile, *column))
            values[row.name] = {row.values.inclusive, row.values.exclusive};
        return values;
    };
    using Amounts = std::map<std::string, std::pair<double, double>>;
    CHECK(valuesOf("time")
          == Amounts{{"main", {9e9, 1e9}}, {"a", {5e9, 3e9}}, {"b", {2e9, 2e9}}, {"c", {3e9, 3e9}}});
    CHECK(valuesOf("bytes") == Amounts{{"main", {70, 30}}, {"a", {30, 0}}, {"b", {30, 30}}, {"c", {10, 10}}});
    CHECK((*experiment)->report.count(IssueKind::CorruptRecord) == 1);
}

TEST_CASE("rows of ranks and threads are locations, and a second row of one is told")
{
    const test::TemporaryFolder folder;
    const std::string frame = R"json({"graph": [{"0": {"data": {"name": "main"}, "children": [1]},
        "1": {"data": {"name": "solve"}, "children": []}}],
      "dataframe": [{"node": 0, "rank": 0, "thread": 0, "time": 1}, {"node": 0, "rank": 0, "thread": 1, "time": 2},
        {"node": 1, "rank": 0, "thread": 1, "time": 4}, {"node": 1, "rank": 1, "thread": 0, "time": 8},
        {"node": 1, "rank": 1, "thread": 0, "time": 16}],
      "dataframe_indices": ["node", "rank", "thread"], "exclusive_metrics": ["time"], "inclusive_metrics": []})json";
    const auto experiment = openExperiment(test::fileWith(folder, "threads.json", frame), Task{});
    REQUIRE(experiment.has_value());
    std::vector<std::string> names;
    for (const Location& location : (*experiment)->definitions.locations) names.push_back(location.name);
    CHECK(names == std::vector<std::string>{"Rank 0 Thread 0", "Rank 0 Thread 1", "Rank 1 Thread 0"});
    CHECK((*experiment)->definitions.locationGroups.size() == 2);
    CHECK((*experiment)->report.count(IssueKind::DuplicateDefinition) == 1);
    const auto column = metricColumn(**experiment, *(*experiment)->profile, "time");
    REQUIRE(column.has_value());
    for (const CallPathRow& row : profileByCallPath(**experiment, *(*experiment)->profile, *column)) {
        CHECK(row.values.exclusive == (row.name == "main" ? 3e9 : 12e9));
        CHECK(row.values.inclusive == (row.name == "main" ? 7e9 : 12e9));
    }
}

TEST_CASE("a literal of 100 000 levels is read")
{
    std::string text = "[";
    for (int level = 0; level < 100'000; ++level)
        text += R"({"frame": {"name": "f"}, "metrics": {"time": 1}, "children": [)";
    for (int level = 0; level < 100'000; ++level) text += "]}";
    ImportReport report;
    const Graph graph = graphOf(text + "]", report);
    CHECK(graph.names.size() == 100'000);
    CHECK(tableOfGraph(graph).greatestDepth() == 99'999);
}

TEST_CASE("files that are no Hatchet JSON are refused with a sentence")
{
    for (const std::string text : {"[{\"frame\": {", "{\"graph\": []}", "[]", "[1, 2]", "nonsense"}) {
        ImportReport report;
        INFO(text);
        const auto graph = hatchet::parseGraph(text, "file.json", report, Task{});
        REQUIRE_FALSE(graph.has_value());
        CHECK(graph.error().code == ErrorCode::Malformed);
    }
    CHECK_FALSE(hatchet::looksLikeHatchet("[1, 2, 3]"));
    CHECK_FALSE(hatchet::looksLikeHatchet("{\"data\": [], \"columns\": []}"));
    CHECK_FALSE(hatchet::looksLikeHatchet(""));
}

TEST_CASE("the graph frame that Hatchet brings with its tests")
{
    SKEIN_SHARED_OR_SKIP(file, "data/hatchet/json/hatchet-graph-literal.json");
    const auto experiment = openExperiment(file, Task{});
    REQUIRE(experiment.has_value());
    CHECK((*experiment)->callTree->size() == 24);
    CHECK((*experiment)->report.empty());
    const auto rows = profileByCallPath(**experiment, *(*experiment)->profile, 0);
    CHECK(rows[0].name == "foo");
    CHECK(rows[0].values.inclusive == 135e9);
}

}  // namespace
}  // namespace skein::hatchet_importer_test
