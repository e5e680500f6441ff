// SPDX-License-Identifier: GPL-3.0-or-later
// What the command line says about profiles whose rows need a word.
#include "core/io/tau_profile/profile_assembler.h"
#include "core/io/tau_profile/text_profile.h"
#include "tests/support/catch.h"
#include "tests/support/cli.h"

#include <nlohmann/json.hpp>

namespace skein::profile_rows_test {

using nlohmann::json;
using test::runCli;

Experiment profileOf(const std::string& metric, const std::string& rows)
{
    tau::ProfileAssembler assembler;
    assembler.add(
        *tau::parseTextProfile("4 templated_functions_MULTI_" + metric + "\n# x\n" + rows, {}, "p", Task()));
    return *std::move(assembler).finish(Task());
}

const std::string kSampled = "\"main\" 1 0 30 30 0 GROUP=\"U\"\n"
                             "\"[SAMPLE] f [{/x/m.c} {59}]\" 1 0 10 10 0 GROUP=\"TAU_SAMPLE\"\n"
                             "\"[SAMPLE] f [{/x/m.c} {60}]\" 1 0 20 20 0 GROUP=\"TAU_SAMPLE\"\n"
                             "\"g [{/x/m.c} {7}]\" 1 0 10 10 0 GROUP=\"U\"\n";

TEST_CASE("tables tell rows of one name apart by their lines, and no others")
{
    const std::map<std::string, Experiment> one{{"a", profileOf("TIME", kSampled)}};
    for (const char* by : {"region", "callpath"}) {
        const std::string table = runCli({"profile", "a", "--by", by}, one).out;
        INFO(table);
        CHECK(table.find("[SAMPLE] f m.c:59\n") != std::string::npos);
        CHECK(table.find("[SAMPLE] f m.c:60\n") != std::string::npos);
        CHECK(table.find("g\n") != std::string::npos);
    }
}

TEST_CASE("rows that break another row down are marked and count in no sum")
{
    const std::map<std::string, Experiment> one{{"a", profileOf("TIME", kSampled)}};
    double whole = 0, percent = 0;
    for (const json& row : json::parse(runCli({"profile", "a", "--format", "json"}, one).out)) {
        CHECK(row["breakdown"] == (row["name"].get<std::string>()[0] == '['));
        if (row["breakdown"]) continue;
        whole += row["exclusive_ns"].get<double>();
        percent += row["exclusive_percent"].get<double>();
    }
    CHECK(whole == 40000);
    CHECK(percent == Approx(100));
    const json locations =
        json::parse(runCli({"profile", "a", "--by", "location", "--format", "json"}, one).out);
    CHECK(locations[0]["inclusive_ns"] == 40000);
    CHECK(locations[0]["calls"] == 2);
}

TEST_CASE("a profile without times says which metric it shows, in every format")
{
    const std::map<std::string, Experiment> one{{"a", profileOf("PAPI_FP_INS", kSampled)}};
    for (const char* by : {"region", "callpath", "location"}) {
        const auto table = runCli({"profile", "a", "--by", by}, one);
        CHECK(table.err.find("PAPI_FP_INS is shown") != std::string::npos);
        CHECK(table.out.find("Inclusive PAPI_FP_INS") != std::string::npos);
        for (const char* format : {"csv", "json"})
            CHECK(runCli({"profile", "a", "--by", by, "--format", format}, one).out.find("PAPI_FP_INS")
                  != std::string::npos);
    }
    CHECK(runCli({"profile", "a"}, {{"a", profileOf("TIME", kSampled)}}).err.find("is shown.")
          == std::string::npos);
    CHECK(runCli({"profile", "a", "--metric", "PAPI_FP_INS"}, one).err.find("has no time")
          == std::string::npos);
}

TEST_CASE("info tells what an archive says about its measurement")
{
    Experiment experiment = profileOf("TIME", kSampled);
    experiment.definitions.properties = {{"TAU Version", "2.34-git"}, {"Command Line", "./lulesh -s 10"}};
    Location second = experiment.definitions.locations.front();
    experiment.definitions.locations.front().properties = {{"Hostname", "n1"},
                                                           {"Starting Timestamp", "1679424182921465"}};
    second.properties = {{"Hostname", "n2"}, {"Starting Timestamp", "1679424181921465"}};
    experiment.definitions.locations.push_back(second);
    const json info = json::parse(runCli({"info", "a", "--format", "json"}, {{"a", experiment}}).out);
    CHECK(info["measured_by"] == "TAU 2.34-git");
    CHECK(info["command_line"] == "./lulesh -s 10");
    CHECK(info["started"] == "2023-03-21 18:43:01 UTC");
    CHECK(info["hosts"] == "n1 and 1 more");
    CHECK(info["cpu"].is_null());
}

}  // namespace skein::profile_rows_test
