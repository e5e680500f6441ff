// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/cli.h"
#include "tests/support/paths.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <utility>

namespace skein::cli::traffic_command_test {
using test::fileWith;
using test::runCli;

TEST_CASE("traffic tells hop-bytes, loads and top links in every format")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,2,100\n1,2,50\n3,3,7\n");
    const auto json = runCli({"traffic", comm, "--topology", "torus:6", "--format", "json"});
    CHECK(json.exitCode == 0);
    const auto figures = nlohmann::json::parse(json.out);
    CHECK(figures["hop_bytes"] == 250);
    CHECK(figures["max_link_load"] == 150);
    CHECK(figures["max_link"] == "1 -> 2");
    CHECK(figures["intra_node_bytes"] == 7);
    CHECK(figures["top_links"].size() == 2);
    const auto csv = runCli({"traffic", comm, "--topology", "torus:6", "--format", "csv"});
    CHECK(csv.out.starts_with("source,target,load,percent\n1,2,150,60"));
    CHECK(runCli({"traffic", comm, "--topology", "torus:6"}).out.find("Hop-bytes") != std::string::npos);
}

TEST_CASE("traffic places ranks by order and by launcher files")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,1,10\n2,3,10\n");
    const auto hopBytes = [&](const std::string& placement) {
        const auto result = runCli({"traffic", comm, "--topology", "mesh:2x2", "--ranks-per-node", "2",
                                    "--placement", placement, "--format", "json"});
        INFO(result.err);
        REQUIRE(result.exitCode == 0);
        return nlohmann::json::parse(result.out)["hop_bytes"].get<int>();
    };
    CHECK(hopBytes("block") == 0);
    CHECK(hopBytes("cyclic") == 20);
    CHECK(hopBytes("TBA") == 20);
    CHECK(hopBytes("ABT") == 0);
    // A map file of Blue Gene: coordinates and core of each rank.
    const auto map = fileWith(folder, "map.txt", "0 0 0 0 0 0\n1 1 0 0 0 0\n0 0 0 0 0 1\n1 1 0 0 0 1\n");
    const auto mapped = runCli({"traffic", comm, "--topology", "mesh:2x2x1x1x1", "--ranks-per-node", "2",
                                "--placement", "bgq:" + map, "--format", "json"});
    INFO(mapped.err);
    REQUIRE(mapped.exitCode == 0);
    CHECK(nlohmann::json::parse(mapped.out)["hop_bytes"] == 40);
    CHECK(mapped.err.empty());
    // Nobody said that two ranks share a node, and one of five does not communicate.
    const auto wider =
        fileWith(folder, "wider.txt", "0 0 0 0 0 0\n1 1 0 0 0 0\n0 0 0 0 0 1\n1 1 0 0 0 1\n0 1 0 0 0 0\n");
    const auto told =
        runCli({"traffic", comm, "--topology", "mesh:2x2x1x1x1", "--placement", "bgq:" + wider});
    REQUIRE(told.exitCode == 0);
    CHECK(
        told.err
        == "skein-cli: The map places 5 ranks, of which 4 communicate. The map uses up to 2 places for ranks "
           "on a node, where 1 would hold all that communicate.\n");
}

TEST_CASE("traffic counts the nodes that recorded routes join once, however many ranks' routes join them")
{
    const test::TemporaryFolder folder;
    // Two ranks a node: all four pairs of the ranks of 0 and 1, and one of 1 and 2.
    std::string routes;
    for (const auto& [from, to] : {std::pair{0, 2}, {0, 3}, {1, 2}, {1, 3}})
        routes += fmt::format("Hop 1: [{0}-{1}] {0} (0 {2}) -> {1} (1 {3})\n", from, to, from % 2, to % 2);
    routes += "Hop 1: [3-4] 3 (1 1) -> 4 (2 0)\n";
    const auto file = fileWith(folder, "route.txt", routes);
    const auto json = runCli({"traffic", file, "--topology", "mesh:3", "--format", "json"});
    INFO(json.err);
    REQUIRE(json.exitCode == 0);
    const auto figures = nlohmann::json::parse(json.out);
    CHECK(figures["node_pairs"] == 2);
    CHECK(figures["measured_pairs"] == 2);
    CHECK(figures["links_used"] == 2);
}

TEST_CASE("a wrong machine, placement or routing is a wrong use of traffic")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,9,100\n");
    CHECK(runCli({"traffic", comm}).exitCode == 2);
    CHECK(runCli({"traffic", comm, "--topology", "rings:6"}).exitCode == 2);
    CHECK(runCli({"traffic", comm, "--topology", "torus:6", "--ranks-per-node", "1"}).exitCode == 2);
    CHECK(runCli({"traffic", comm, "--topology", "torus:16", "--placement", "XYZ"}).exitCode == 2);
    CHECK(runCli({"traffic", comm, "--topology", "torus:16", "--routing", "valiant"}).exitCode == 2);
    CHECK(runCli({"traffic", comm, "--topology", "torus:16", "--placement", "hosts"}).exitCode == 2);
}

}  // namespace skein::cli::traffic_command_test
