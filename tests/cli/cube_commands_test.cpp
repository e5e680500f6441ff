// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands print of a Cube profile, from the file.
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/cube_archive.h"
#include "tests/support/paths.h"

#include <nlohmann/json.hpp>

namespace skein::cube_commands_test {

using namespace skein::test;
using nlohmann::json;

namespace {

/// Calls, times, sizes and the longest call of four call paths on two ranks.
std::map<std::string, Experiment> smallProfile()
{
    const std::string metrics = metricXml(0, "visits", "UINT64", "EXCLUSIVE")
        + metricXml(1, "time", "DOUBLE", "EXCLUSIVE", "sec")
        + metricXml(2, "bytes_sent", "UINT64", "EXCLUSIVE", "bytes")
        + metricXml(3, "max_time", "MAXDOUBLE", "EXCLUSIVE", "sec")
        + "<metric id=\"4\" type=\"POSTDERIVED\"><uniq_name>ratio</uniq_name><dtype>DOUBLE</dtype>"
          "<expression>1</expression></metric>";
    const TemporaryFolder folder;
    const std::string file =
        fileWith(folder, "run.cubex",
                 tarArchive({{"0.index", denseIndex()},
                             {"0.data", plainData(numbersBytes<std::uint64_t>({1, 1, 2, 3, 4, 0, 5, 6}))},
                             {"1.index", denseIndex()},
                             {"1.data", plainData(numbersBytes<double>({1, 1, 2, 2, 3, 0, 4, 4}))},
                             {"2.index", sparseIndex({3})},
                             {"2.data", plainData(numbersBytes<std::uint64_t>({100, 200}))},
                             {"3.index", denseIndex()},
                             {"3.data", plainData(numbersBytes<double>({9, 8, 1, 2, 3, 0, 2, 5}))},
                             {"anchor.xml", anchorXml(metrics)}}));
    const auto experiment = openExperiment(file, Task());
    REQUIRE(experiment);
    return {{"a", **experiment}};
}

json jsonOf(std::vector<std::string> arguments, const std::map<std::string, Experiment>& archives)
{
    arguments.insert(arguments.end(), {"--format", "json"});
    const auto result = runCli(arguments, archives);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

}  // namespace

TEST_CASE("profile prints the metrics of a Cube profile by their unique names")
{
    const auto one = smallProfile();
    const json bytes = jsonOf({"profile", "a", "--by", "callpath", "--metric", "bytes_sent"}, one);
    CHECK(bytes[0]["path"] == "main");
    CHECK(bytes[0]["inclusive"] == 300);
    CHECK(bytes[0]["exclusive"] == 0);
    CHECK(bytes[1]["path"] == "main => b()");
    CHECK(bytes[1]["exclusive"] == 300);
    const json time = jsonOf({"profile", "a"}, one);
    CHECK(time[0]["name"] == "b()");
    CHECK(time[0]["exclusive_ns"] == 11e9);
    CHECK(time[0]["calls"] == 15);
    CHECK(time[0]["breakdown"] == false);
    const json visits = jsonOf({"profile", "a", "--metric", "visits", "--by", "location"}, one);
    CHECK(visits[1]["exclusive"] == 10);
}

TEST_CASE("profile prints maxima of a Cube profile as such, without a share of a whole")
{
    const json rows = jsonOf({"profile", "a", "--metric", "max_time"}, smallProfile());
    for (const json& row : rows) {
        CHECK(row["exclusive_percent"].is_null());
        CHECK(row["mean_ns"].is_null());
        if (row["name"] == "b()") CHECK(row["exclusive_ns"] == 5e9);
        if (row["name"] == "a(int)") CHECK(row["inclusive_ns"] == 3e9);
        if (row["name"] == "main") CHECK(row["inclusive_ns"] == 9e9);
    }
}

TEST_CASE("derived metrics of a Cube profile are named by check and profile")
{
    const auto one = smallProfile();
    const json findings = jsonOf({"check", "a"}, one);
    REQUIRE(findings.size() == 1);
    CHECK(findings[0]["severity"] == "information");
    CHECK(findings[0]["detail"].get<std::string>().find("ratio") != std::string::npos);
    const auto refused = runCli({"profile", "a", "--metric", "ratio"}, one);
    CHECK(refused.exitCode == 2);
    CHECK(refused.err.find("not computed") != std::string::npos);
}

TEST_CASE("metrics and info tell what a Cube profile holds")
{
    const auto one = smallProfile();
    const json metrics = jsonOf({"metrics", "a"}, one);
    REQUIRE(metrics.size() == 5);
    CHECK(metrics[0]["name"] == "visits");
    CHECK(metrics[3]["aggregation"] == "maximum");
    CHECK(metrics[4]["source"] == "unused");
    const json info = jsonOf({"info", "a"}, one);
    CHECK(info["format"] == "Cube profile");
    CHECK(info["locations"] == 2);
    CHECK(info["call_paths"] == 4);
    CHECK(info["measured_by"] == "by hand > 1");
}

}  // namespace skein::cube_commands_test
