// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/run_parameters.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace skein::model_command_test {

using namespace skein::test;
using nlohmann::json;

namespace {

/// A program of one region `main` that calls `solve`, on two ranks.
Experiment runOf(double mainSeconds, double solveSeconds, double solveCalls)
{
    Experiment experiment;
    Definitions& definitions = experiment.definitions;
    for (int rank = 0; rank < 2; ++rank) {
        LocationGroup group;
        group.rank = rank;
        definitions.locationGroups.push_back(group);
        Location location;
        location.kind = LocationKind::CpuThread;
        location.group = LocationGroupId(rank);
        location.rank = rank;
        definitions.locations.push_back(location);
    }
    definitions.regions.resize(2);
    definitions.regions[0].name = "main";
    definitions.regions[1].name = "solve";
    definitions.metrics.resize(1);
    definitions.metrics[0].name = "time";
    definitions.metrics[0].unit = "ns";
    CallTreeBuilder tree;
    tree.child(tree.child({}, RegionId(0)), RegionId(1));
    experiment.callTree = std::make_shared<const CallTree>(std::move(tree).finish());
    auto profile = std::make_shared<Profile>();
    MetricCube& cube = profile->callPaths;
    cube.metrics = {MetricId(0)};
    cube.locationOffsets = Column<std::uint64_t>(std::vector<std::uint64_t>{0, 2, 4});
    cube.items = Column<std::uint32_t>(std::vector<std::uint32_t>{0, 1, 0, 1});
    cube.calls = Column<double>(std::vector<double>{1, solveCalls, 1, solveCalls});
    const double m = 1e9 * mainSeconds, s = 1e9 * solveSeconds;
    cube.inclusive.emplace_back(std::vector<double>{m + s, s, m + s, s});
    cube.exclusive.emplace_back(std::vector<double>{m, s, m, s});
    profile->regions = cube;
    experiment.profile = profile;
    return experiment;
}

std::map<std::string, Experiment> runs()
{
    std::map<std::string, Experiment> made;
    for (const double p : {4, 8, 16, 32, 64})
        made.emplace("run.p" + std::to_string(static_cast<int>(p)) + ".r1", runOf(10.0 + p, 0.1 * p * p, p));
    return made;
}

std::vector<std::string> with(std::vector<std::string> arguments,
                              const std::map<std::string, Experiment>& runs)
{
    for (const auto& [path, run] : runs) arguments.push_back(path);
    return arguments;
}

json modelsOf(const std::vector<std::string>& arguments, const std::map<std::string, Experiment>& runs)
{
    const auto result = runCli(arguments, runs);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    return json::parse(result.out);
}

}  // namespace

TEST_CASE("model reads parameters from names and puts what dominates first")
{
    const auto all = runs();
    const json models = modelsOf(with({"model", "--format", "json", "--at", "p=256"}, all), all);
    REQUIRE(models.size() == 4);
    CHECK(models[0]["path"] == "main/solve");
    CHECK(models[0]["metric"] == "time");
    CHECK(models[0]["unit"] == "s");
    CHECK(models[0]["predicted"].get<double>() == Approx(0.1 * 256 * 256));
    CHECK(models[0]["predicted_low"].get<double>() <= models[0]["predicted"].get<double>());
    CHECK(models[0]["predicted_high"].get<double>() >= models[0]["predicted"].get<double>());
    CHECK(models[0]["function"].get<std::string>().find("p^(2)") != std::string::npos);
    CHECK(models[0]["smape"].get<double>() == Approx(0.0).margin(1e-6));
    CHECK(models[1]["path"] == "main");
    CHECK(models[1]["predicted"].get<double>() == Approx(266.0));
    CHECK(models[2]["metric"] == "visits");
    CHECK(models[2]["predicted"].get<double>() == Approx(256.0));
    CHECK(models[2]["jump"].is_null());
    CHECK(models[2]["confidence_set"][0]["function"] == models[2]["function"]);
    const json inclusive = modelsOf(
        with({"model", "--format", "json", "--at", "p=256", "--inclusive", "--metric", "time"}, all), all);
    REQUIRE(inclusive.size() == 2);
    const json& whole = inclusive[0]["path"] == "main" ? inclusive[0] : inclusive[1];
    CHECK(whole["path"] == "main");
    CHECK(whole["predicted_low"].get<double>() > 266.0);
    CHECK(whole["predicted"].get<double>() > 3000.0);
}

TEST_CASE("model says of a path that is no file what is wrong with it")
{
    const TemporaryFolder folder;
    const auto failing = [](const std::string& path, const std::string& why) {
        const auto result = runCli({"model", path});
        INFO(path << ": " << result.err);
        CHECK(result.exitCode == 1);
        CHECK(result.err.find(why) != std::string::npos);
    };
    failing((folder.path() / "none.txt").string(), "There is no file or folder");
    failing(fileWith(folder, "empty.txt", ""), "is empty");
    failing("/dev/zero", "is a pipe or device");
    const auto nameless = runCli({"model", fileWith(folder, "some.txt", "no study\n")});
    CHECK(nameless.exitCode == 2);
    CHECK(nameless.err.find("tells no parameter") != std::string::npos);
}

TEST_CASE("model takes parameters from the command line, in the order of the runs")
{
    const auto all = runs();
    const std::vector<std::string> order{"run.p64.r1", "run.p4.r1", "run.p8.r1", "run.p16.r1", "run.p32.r1"};
    std::vector<std::string> arguments{"model", "--format",    "json",          "--at",
                                       "n=512", "--parameter", "n=64,4,8,16,32"};
    arguments.insert(arguments.end(), order.begin(), order.end());
    const json models = modelsOf(arguments, all);
    CHECK(models[0]["predicted"].get<double>() == Approx(0.1 * 512 * 512));
    CHECK(models[0]["at"]["n"] == 512);
    CHECK(runCli({"model", "run.p4.r1", "run.p8.r1", "--parameter", "n=1,2,3"}, all).exitCode == 2);
    CHECK(runCli({"model", "run.p4.r1", "run.p8.r1", "--parameter", "n=1,x"}, all).exitCode == 2);
    CHECK(runCli({"model", "run.p4.r1", "run.p4.r1"}, all).exitCode == 2);
    CHECK(runCli(with({"model", "--at", "q=3"}, all), all).exitCode == 2);
    CHECK(runCli(with({"model", "--at", "p=0"}, all), all).exitCode == 2);
}

TEST_CASE("model prints tables and CSV of Extra-P's text input")
{
    const TemporaryFolder folder;
    const std::string file =
        fileWith(folder, "study.txt",
                 "PARAMETER p\nPOINTS 2 4 8 16 32\nMETRIC time\nREGION solve\nDATA 2\nDATA 4\n"
                 "DATA 8\nDATA 16\nDATA 32\n");
    const auto csv = runCli({"model", file, "--format", "csv"});
    CHECK(csv.exitCode == 0);
    CHECK(csv.out.find("path,metric,unit,function,smape") == 0);
    CHECK(csv.out.find("solve,time,,1 * p^(1)") != std::string::npos);
    CHECK(runCli({"model", file}).out.find("solve") != std::string::npos);
    CHECK(csv.err.find("p = 64") != std::string::npos);
    CHECK(runCli({"model", file, "--metric", "other"}).exitCode == 2);
    CHECK(runCli({"model", file, file}).exitCode == 2);
    CHECK(runCli({"model", folder.path().string() + "/absent"}).exitCode != 0);
}

TEST_CASE("names of runs are read as Extra-P reads them")
{
    CHECK(parametersOfName("lulesh.p27.size30.r1") == RunParameters{{"p", 27}, {"size", 30}});
    CHECK(parametersOfName("x2.p2,5.r10") == RunParameters{{"p", 2.5}});
    CHECK(parametersOfName("run.p=8") == RunParameters{{"p", 8}});
    CHECK(parametersOfName("p16") == RunParameters{{"p", 16}});
    CHECK(parametersOfName("plain").empty());
    CHECK(parametersOfName("").empty());
    CHECK(parametersOfName("a.r1").empty());
}

TEST_CASE("model tells what LULESH does as golden has it")
{
    SKEIN_SHARED_OR_SKIP(runs, "data/cube/lulesh");
    std::vector<std::string> arguments{"model", "--format", "json", "--at", "p=4096"};
    for (const int p : {27, 64, 125, 216, 343})
        arguments.push_back((runs / ("lulesh.p" + std::to_string(p) + ".size30.r1")).string());
    const auto result = runCli(arguments);
    REQUIRE(result.exitCode == 0);
    const json models = json::parse(result.out);
    CHECK(models[0]["path"] == "lulesh2.0/int main(int, char**)");
    const auto visits = std::find_if(models.begin(), models.end(), [](const json& one) {
        return one["metric"] == "visits" && one["path"] == "lulesh2.0/int main(int, char**)";
    });
    REQUIRE(visits != models.end());
    CHECK((*visits)["function"].get<std::string>().find("p^(1/3)") != std::string::npos);
    CHECK((*visits)["smape"].get<double>() < 0.417);
    arguments = {"model", runs.string(), "--format", "json", "--at", "p=4096,size=60", "--metric", "time"};
    const auto both = runCli(arguments);
    REQUIRE(both.exitCode == 0);
    CHECK(json::parse(both.out)[0]["function"].get<std::string>().find("size^") != std::string::npos);
}

TEST_CASE("model takes a metric by expression")
{
    std::vector<std::string> arguments{"model"};
    const auto made = runs();
    for (const auto& [name, run] : made) arguments.push_back(name);
    arguments.insert(arguments.end(), {"--metric", "time.inc / calls", "--format", "json"});
    const auto result = runCli(arguments, made);
    INFO(result.err);
    REQUIRE(result.exitCode == 0);
    // 0.1 p² seconds a rank in p calls a rank: 0.1 p seconds a call.
    bool found = false;
    for (const json& row : json::parse(result.out)) {
        if (row["path"] != "main/solve") continue;
        found = true;
        CHECK(row["metric"] == "time.inc / calls");
        CHECK(row["unit"] == "s");
        const double p = row["at"]["p"].get<double>();
        CHECK(std::abs(row["predicted"].get<double>() - 0.1 * p) < 1e-6 * p);
    }
    CHECK(found);
    arguments[arguments.size() - 3] = "time.inc /";
    CHECK(runCli(arguments, made).exitCode != 0);
}

}  // namespace skein::model_command_test
