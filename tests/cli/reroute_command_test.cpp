// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <nlohmann/json.hpp>

namespace skein::cli::reroute_command_test {
using test::fileWith;
using test::runCli;

TEST_CASE("routes prints the way of every pair, or of the pair that is named")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,3,100\n1,3,50\n");
    const auto all = runCli({"routes", comm, "--topology", "mesh:2x2", "--format", "csv"});
    CHECK(all.out.find("0 0,1 1,,100,2,100,0 0 > 1 0 > 1 1\n") != std::string::npos);
    CHECK(all.out.find("0 1,1 1,,50,1,50,0 1 > 1 1\n") != std::string::npos);
    const auto one = nlohmann::json::parse(
        runCli({"routes", comm, "--topology", "mesh:2x2", "--pair", "1:3", "--format", "json"}).out);
    REQUIRE(one.size() == 1);
    CHECK(one[0]["hops"] == 1);
    CHECK(runCli({"routes", comm, "--topology", "mesh:2x2", "--pair", "2:0"}).exitCode == 2);
    CHECK(runCli({"routes", comm, "--topology", "mesh:2x2", "--pair", "x"}).exitCode == 2);
    CHECK(runCli({"routes", comm, "--topology", "mesh:2x2", "--routing", "ecmp"}).exitCode == 2);
}

TEST_CASE("reroute tells before and after for each route and for all")
{
    const test::TemporaryFolder folder;
    // Both go 0 0 > 1 0 > 1 1; one can go by 0 1.
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,3,100\n2,3,80\n");
    const auto json =
        nlohmann::json::parse(runCli({"reroute", comm, "--topology", "mesh:2x2", "--format", "json"}).out);
    CHECK(json["max_link_load_before"] == 180);
    CHECK(json["max_link_load_after"] == 100);
    CHECK(json["max_link_load_lower_bound"] == 100);
    CHECK(json["max_link_load_gap_percent"] == 0);
    CHECK(json["changed"] == 1);
    CHECK(json["route_changes"].size() == 2);
    CHECK(json["route_changes"][0]["path"] == "0 0 > 0 1 > 1 1");
    const auto table =
        runCli({"reroute", comm, "--topology", "mesh:2x2", "--pair", "0:3", "--strategy", "once"});
    CHECK(table.exitCode == 0);
    CHECK(table.out.find("0 0 > 0 1 > 1 1") != std::string::npos);
    CHECK(runCli({"reroute", comm, "--topology", "mesh:2x2", "--criterion", "beauty"}).exitCode == 2);
    CHECK(runCli({"reroute", comm, "--topology", "mesh:2x2", "--top-links", "5", "--strategy", "min-max",
                  "--format", "csv"})
              .exitCode
          == 0);
}

}  // namespace skein::cli::reroute_command_test
