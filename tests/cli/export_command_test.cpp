// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <numeric>

namespace skein::export_command_test {

using namespace skein::test;
using nlohmann::json;

namespace {

const std::string kStacks = "main;so\"lve;dot 7\nmain;so\"lve 2\nmain 1\ninit 4\n";

std::string exported(const std::string& to)
{
    const TemporaryFolder folder;
    const auto result = runCli({"export", fileWith(folder, "a.folded", kStacks), "--to", to});
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return result.out;
}

double sumOf(const json& node)
{
    return std::accumulate(node["children"].begin(), node["children"].end(),
                           node["metrics"]["samples"].get<double>(),
                           [](double sum, const json& child) { return sum + sumOf(child); });
}

}  // namespace

TEST_CASE("export writes Hatchet's literal, nested as the tree is")
{
    const json trees = json::parse(exported("hatchet"));
    REQUIRE(trees.size() == 2);
    CHECK(trees[0]["frame"]["name"] == "main");
    CHECK(trees[0]["frame"]["type"] == "function");
    CHECK(trees[0]["metrics"]["samples (inc)"] == 10);
    CHECK(trees[0]["children"][0]["frame"]["name"] == "so\"lve");
    CHECK(trees[0]["children"][0]["children"][0]["metrics"]["samples"] == 7);
    CHECK(trees[1]["frame"]["name"] == "init");
    CHECK(sumOf(trees[0]) == 10);
}

TEST_CASE("export writes tables a row a call path")
{
    const json rows = json::parse(exported("json"));
    REQUIRE(rows.size() == 4);
    CHECK(rows[2]["path"] == "main => so\"lve => dot");
    CHECK(rows[2]["parent"] == 1);
    CHECK(rows[0]["parent"].is_null());
    CHECK(rows[1]["inclusive"] == 9);
    CHECK(rows[1]["exclusive"] == 2);
    const std::string csv = exported("csv");
    CHECK(csv.find("id,parent,depth,name,path,file,line,calls,inclusive,exclusive,metric\n") == 0);
    CHECK(csv.find("\n2,1,2,dot,\"main => so\"\"lve => dot\",,0,0,7,7,samples\n") != std::string::npos);
}

TEST_CASE("export writes folded stacks that are read back to the same")
{
    const std::string once = exported("folded");
    const TemporaryFolder folder;
    const auto again = runCli({"export", fileWith(folder, "b.folded", once), "--to", "folded"});
    CHECK(again.out == once);
    CHECK(once.find("main;so\"lve;dot 7\n") != std::string::npos);
}

TEST_CASE("export writes a profile for speedscope whose weights add up")
{
    const json scope = json::parse(exported("speedscope"));
    CHECK(scope["$schema"] == "https://www.speedscope.app/file-format-schema.json");
    const json& profile = scope["profiles"][0];
    CHECK(profile["type"] == "sampled");
    CHECK(profile["endValue"] == 14);
    REQUIRE(profile["samples"].size() == profile["weights"].size());
    double whole = 0.0;
    for (std::size_t at = 0; at < profile["samples"].size(); ++at) {
        whole += profile["weights"][at].get<double>();
        for (const json& frame : profile["samples"][at]) CHECK(frame < scope["shared"]["frames"].size());
    }
    CHECK(whole == 14);
}

TEST_CASE("export of a trace has its times, in seconds for Hatchet, and goes into a file")
{
    const std::string archive = sourcePath("examples/lulesh-8/trace-otf2").string();
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "tree.json").string();
    REQUIRE(runCli({"export", archive, "-o", file}).exitCode == 0);
    const auto rows = runCli({"export", archive, "--to", "json"});
    REQUIRE(rows.exitCode == 0);
    std::ifstream stream(file);
    const json trees = json::parse(stream), table = json::parse(rows.out);
    CHECK(trees[0]["metrics"]["time (inc)"].get<double>()
          == Approx(1e-9 * table[0]["inclusive"].get<double>()));
    CHECK(runCli({"export", archive, "--to", "nothing"}).exitCode == 2);
    CHECK(runCli({"export", archive, "--metric", "nothing"}).exitCode != 0);
}

TEST_CASE("export takes a metric by expression, and says at which character one is wrong")
{
    const TemporaryFolder folder;
    const std::string file = fileWith(folder, "a.folded", kStacks);
    const auto run = [&](const std::string& metric, const std::string& to) {
        return runCli({"export", file, "--to", to, "--metric", metric});
    };
    const json share = json::parse(run("share(samples.inc)", "json").out);
    const json amounts = json::parse(exported("json"));
    REQUIRE(share.size() == amounts.size());
    double whole = 0.0;
    for (const json& row : amounts)
        if (row["parent"].is_null()) whole += row["inclusive"].get<double>();
    for (const json& row : amounts)
        for (const json& other : share)
            if (other["path"] == row["path"])
                CHECK(std::abs(other["value"].get<double>() - row["inclusive"].get<double>() / whole)
                      < 1e-12);
    CHECK(run("share(samples.inc)", "csv")
              .out.starts_with("id,parent,depth,name,path,calls,value,unit,metric\n"));
    CHECK(json::parse(run("samples.inc * 2", "hatchet").out)[0]["metrics"].contains("samples.inc * 2"));
    CHECK(run("share(samples", "csv").err.find("character") != std::string::npos);
    CHECK(run("share(samples", "csv").exitCode != 0);
    CHECK(run("share(samples)", "folded").exitCode != 0);
}

}  // namespace skein::export_command_test
