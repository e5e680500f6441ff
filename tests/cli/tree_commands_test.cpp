// SPDX-License-Identifier: GPL-3.0-or-later
// query, compare, and metrics by expression.
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace skein::tree_commands_test {
namespace {

using nlohmann::json;
using test::runCli;

const std::string kLiteral =
    R"json([{"frame": {"name": "main"}, "metrics": {"time (inc)": 6.0, "time": 1.0}, "children": [
    {"frame": {"name": "solve"}, "metrics": {"time (inc)": 3.0, "time": 3.0}, "children": []},
    {"frame": {"name": "init"}, "metrics": {"time (inc)": 2.0, "time": 2.0}}]}])json";

std::string literalFile(const test::TemporaryFolder& folder, const std::string& solveTime = "3.0")
{
    std::string text = kLiteral;
    text.replace(text.find("3.0, \"time\": 3.0"), 16, solveTime + ", \"time\": " + solveTime);
    return test::fileWith(folder, "literal" + solveTime + ".json", text);
}

TEST_CASE("query prints the nodes of a Hatchet literal with path and metrics")
{
    const test::TemporaryFolder folder;
    const std::string file = literalFile(folder);
    const auto result = runCli({"query", file, R"(MATCH (a)->(b) WHERE b."time" > 2.5)", "--format", "json"});
    CHECK(result.exitCode == 0);
    CHECK(result.err == "skein-cli: 2 of 3 nodes match.\n");
    const json nodes = json::parse(result.out);
    REQUIRE(nodes.size() == 2);
    CHECK(nodes[1]["path"] == json::array({"main", "solve"}));
    CHECK(nodes[1]["metrics"]["time (inc)"] == 3.0);
    CHECK(nodes[1]["node_id"] == 2);
    const auto object = runCli({"query", file, R"([{"name": "main"}, {"time": "> 2.5"}])", "--dialect",
                                "object", "--format", "json"});
    CHECK(object.out == result.out);
    const auto csv = runCli({"query", file, R"(MATCH (n) WHERE n."name" = "init")", "--format", "csv"});
    CHECK(csv.out == "node_id,depth,time,time (inc),path\n1,1,2,2,main => init\n");
}

TEST_CASE("query semantics, squashing and queries of what was found")
{
    const test::TemporaryFolder folder;
    const std::string file = literalFile(folder);
    const std::string query = R"([{"name": "main"}, "*", {"depth": "<= 1"}])";
    CHECK(json::parse(runCli({"query", file, query, "--format", "json"}).out).size() == 3);
    const auto squashed =
        runCli({"query", file, R"(MATCH (n) WHERE NOT n."name" = "solve")", "--squash", "--format", "json"});
    CHECK(json::parse(squashed.out)[0]["time (inc)"] == 3.0);
    const auto asQuery = runCli({"query", file, R"(MATCH (n) WHERE n."name" = "solve")", "--as-query"});
    const std::string found = asQuery.out.substr(0, asQuery.out.size() - 1);
    CHECK(found.find("node_id") == std::string::npos);
    CHECK(json::parse(runCli({"query", file, found, "--format", "json"}).out).size() == 1);
    CHECK(runCli({"query", file, "MATCH (n)", "--semantics", "declarative"}).exitCode == 0);
}

TEST_CASE("derived metrics of Hatchet's files are attributes of queries, too")
{
    const test::TemporaryFolder folder;
    const std::string file = literalFile(folder);
    const auto found =
        runCli({"query", file, R"q(MATCH (n) WHERE n."share(time)" > 0.45)q", "--format", "json"});
    INFO(found.err);
    REQUIRE(found.exitCode == 0);
    const json nodes = json::parse(found.out);
    REQUIRE(nodes.size() == 1);
    CHECK(nodes[0]["name"] == "solve");
    CHECK(nodes[0]["metrics"]["share(time)"] == 0.5);
    const auto derived = runCli({"profile", file, "--metric", "time.inc / time", "--format", "json"});
    CHECK(derived.exitCode == 0);
    CHECK(runCli({"compare", file, file, "--metric", "share(time)", "--format", "json"}).exitCode == 0);
}

TEST_CASE("query points at what is wrong, and names what finds nothing")
{
    const test::TemporaryFolder folder;
    const std::string file = literalFile(folder);
    const auto wrong = runCli({"query", file, "MATCH p"});
    CHECK(wrong.exitCode == 2);
    CHECK(wrong.err
          == "MATCH p\n      ^\nskein-cli: At character 7: expected ( and a node, such as (n) or (\"*\", "
             "n).\n");
    const auto nothing = runCli({"query", file, R"(MATCH (n) WHERE n."name" = "x")", "--format", "json"});
    CHECK(nothing.exitCode == 0);
    CHECK(nothing.out == "[]\n");
    CHECK(nothing.err.find("No node satisfies this condition.") != std::string::npos);
}

TEST_CASE("query finds call paths of a trace, also by a metric that is worked out")
{
    const std::string archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto result = runCli({"query", archive,
                                R"q(MATCH (n) WHERE n."name" STARTS WITH "MPI_" AND n."share(time)" > 0.3)q",
                                "--format", "json"});
    CHECK(result.exitCode == 0);
    const json nodes = json::parse(result.out);
    REQUIRE(nodes.size() == 1);
    CHECK(nodes[0]["name"] == "MPI_Init()");
    CHECK(nodes[0]["time (inc)"].get<double>() == Approx(3.056).epsilon(0.01));
}

TEST_CASE("profile takes a metric that is worked out of others")
{
    const std::string archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto plain = json::parse(runCli({"profile", archive, "--by", "callpath", "--format", "json"}).out);
    const auto derived = json::parse(
        runCli({"profile", archive, "--by", "callpath", "--metric", "time.inc / calls", "--format", "json"})
            .out);
    REQUIRE(plain.size() == derived.size());
    std::map<std::string, double> perCall;
    for (const json& row : derived)
        perCall[row["path"]] = row["value"].is_null() ? 0.0 : row["value"].get<double>();
    for (const json& row : plain) {
        const double calls = row["calls"];
        if (calls > 0.0)
            CHECK(perCall.at(row["path"]) * 1e9 * calls == Approx(row["inclusive_ns"].get<double>()));
    }
    const auto wrong = runCli({"profile", archive, "--metric", "time.inc / cals"});
    CHECK(wrong.exitCode == 2);
    CHECK(wrong.err.find("At character 12: there is no metric cals") != std::string::npos);
    CHECK(runCli({"profile", archive, "--metric", "time.inc / calls", "--by", "location"}).exitCode == 2);
}

TEST_CASE("imbalance by expression is that of the profile")
{
    const std::string archive = test::sourcePath("examples/lulesh-8/trace-otf2").string();
    const auto plain = json::parse(runCli({"profile", archive, "--format", "json"}).out);
    const auto derived =
        json::parse(runCli({"profile", archive, "--metric", "imbalance(time.inc)", "--format", "json"}).out);
    std::map<std::string, json> values;
    for (const json& row : derived) values[row["name"]] = row["value"];
    for (const json& row : plain)
        if (!row["imbalance"].is_null())
            CHECK(values.at(row["name"]).get<double>()
                  == Approx(row["imbalance"].get<double>()).epsilon(1e-5));
}

TEST_CASE("compare prints differences by call path and ends with 4 where a rule is broken")
{
    const test::TemporaryFolder folder;
    const std::string a = literalFile(folder), b = literalFile(folder, "4.5");
    const auto result = runCli({"compare", a, b, "--format", "json"});
    CHECK(result.exitCode == 0);
    const json rows = json::parse(result.out);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0]["path"] == "main => solve");
    CHECK(rows[0]["a_ns"] == 3e9);
    CHECK(rows[0]["difference_ns"] == 1.5e9);
    CHECK(rows[0]["ratio"] == 1.5);
    CHECK(rows[0]["verdict"] == "more");
    CHECK(rows[1]["verdict"] == "same");
    const auto broken = runCli({"compare", a, b, "--fail-if", R"q(region("solve").time.inc > +5%)q"});
    CHECK(broken.exitCode == 4);
    CHECK(broken.err.find("FAILED: region(\"solve\").time.inc > +5%: 3 s in A, 4.5 s in B, +50.0 %")
          != std::string::npos);
    CHECK(runCli({"compare", a, b, "--fail-if", R"q(region("solve").time.inc > +60%)q"}).exitCode == 0);
    CHECK(runCli({"compare", a, b, "--fail-if", R"q(region("init").time.inc > +5%)q", "--by", "region"})
              .exitCode
          == 0);
    CHECK(runCli({"compare", a, b, "--fail-if", R"q(region("nobody").time.inc > +5%)q"}).exitCode == 2);
    CHECK(runCli({"compare", a, b, "--fail-if", "region(solve)"}).exitCode == 2);
    const auto unknown = runCli({"compare", a, b, "--fail-if", R"q(region("solve").time.foo > 5)q"});
    CHECK(unknown.exitCode == 2);
    CHECK(unknown.out.empty());
    CHECK(unknown.err.find("At character 22: foo is unknown") != std::string::npos);
}

TEST_CASE("compare takes more than two runs and tells sets of call paths")
{
    const test::TemporaryFolder folder;
    const std::string a = literalFile(folder), b = literalFile(folder, "4.5"), c = literalFile(folder, "1.5");
    const auto result = runCli({"compare", a, b, c, "--format", "json"});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    const json rows = json::parse(result.out);
    REQUIRE(rows.size() == 3);
    CHECK(rows[0]["path"] == "main => solve");
    CHECK(rows[0]["a_ns"] == 3e9);
    CHECK(rows[0]["b_ns"] == 4.5e9);
    CHECK(rows[0]["c_ns"] == 1.5e9);
    CHECK(rows[0]["ratio_c"] == 0.5);
    CHECK(rows[0]["difference_c_ns"] == -1.5e9);
    CHECK(rows[0]["speed_up_c"] == 2.0);
    CHECK(rows[0]["efficiency_c"] == 2.0);
    CHECK(rows[0]["runs"] == "a b c");
    const auto of = [&](const char* set) {
        return json::parse(runCli({"compare", a, b, c, "--only", set, "--format", "json"}).out).size();
    };
    CHECK(of("union") == 3);
    CHECK(of("intersection") == 3);
    CHECK(of("missing") == 0);
    CHECK(of("changed") == 1);
    CHECK(json::parse(runCli({"compare", a, b, "--only", "changed", "--format", "json"}).out).size() == 1);
    CHECK(runCli({"compare", a, b, c, "--fail-if", "total.time > +5%"}).exitCode == 2);
    CHECK(runCli({"compare", a, b, c, "--propose-matches"}).exitCode == 2);
}

TEST_CASE("compare takes an expression that names runs, and tells its one value by call path")
{
    const test::TemporaryFolder folder;
    const std::string first = literalFile(folder), second = literalFile(folder, "4.5");
    const auto valuesOf = [&](const std::vector<std::string>& more) {
        std::vector<std::string> arguments{"compare", first, second, "--format", "json"};
        arguments.insert(arguments.end(), more.begin(), more.end());
        const auto result = runCli(arguments);
        INFO(result.err);
        REQUIRE(result.exitCode == 0);
        std::map<std::string, double> values;
        for (const json& row : json::parse(result.out)) values[row["path"]] = row["value"];
        return values;
    };
    CHECK(valuesOf({"--metric", "b.time / a.time"})
          == std::map<std::string, double>{{"main => solve", 1.5}, {"main", 1.0}, {"main => init", 1.0}});
    CHECK(valuesOf({"--metric", "max(a.time, b.time) - min(a.time, b.time)", "--top", "1"})
          == std::map<std::string, double>{{"main => solve", 1.5}});
    // A third run is c; regions as call paths.
    CHECK(valuesOf({first, "--metric", "(a.time + c.time) / b.time", "--by", "region"}).at("solve")
          == Approx(6.0 / 4.5));
    const auto table = runCli({"compare", first, second, "--metric", "b.time / a.time"});
    CHECK(table.out.find("b.time / a.time") != std::string::npos);
    const auto refused = runCli({"compare", first, second, "--metric", "a.time / z.time"});
    CHECK(refused.exitCode == 2);
    CHECK(refused.err.find("there is no run z: there are a, b") != std::string::npos);
    CHECK(runCli({"compare", first, second, "--metric", "a.time", "--per", "rank"}).exitCode == 2);
    CHECK(runCli({"compare", first, second, "--metric", "a.time", "--only", "changed"}).exitCode == 2);
}

TEST_CASE("compare with repeated runs has an interval and is not broken by noise")
{
    const test::TemporaryFolder folder;
    const std::string a1 = literalFile(folder), a2 = literalFile(folder, "4.0"),
                      b1 = literalFile(folder, "3.2"), b2 = literalFile(folder, "4.4");
    const std::string rule = R"q(region("solve").time.inc > +5%)q";
    CHECK(runCli({"compare", a1, b1, "--fail-if", rule}).exitCode == 4);
    const auto result =
        runCli({"compare", a1, b1, "--also-a", a2, "--also-b", b2, "--fail-if", rule, "--format", "json"});
    CHECK(result.exitCode == 0);
    const json rows = json::parse(result.out);
    CHECK(rows[0]["low_ns"].get<double>() < 0.0);
    CHECK(rows[0]["high_ns"].get<double>() > 0.0);
}

}  // namespace
}  // namespace skein::tree_commands_test
