// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace skein::cli {
namespace {

struct Ran {
    int code = 0;
    std::string out;
    std::string err;
};

Ran ran(const std::vector<std::string>& arguments)
{
    Ran result;
    {
        Sink out(result.out);
        Sink err(result.err);
        result.code = run(arguments, out, err, Task(), openExperiment);
    }
    return result;
}

std::string fileWith(const test::TemporaryFolder& folder, const std::string& name, const std::string& text)
{
    const auto path = folder.path() / name;
    std::ofstream(path, std::ios::binary) << text;
    return path.string();
}

}  // namespace

TEST_CASE("traffic tells hop-bytes, loads and top links in every format")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,2,100\n1,2,50\n3,3,7\n");
    const auto json = ran({"traffic", comm, "--topology", "torus:6", "--format", "json"});
    CHECK(json.code == 0);
    const auto figures = nlohmann::json::parse(json.out);
    CHECK(figures["hop_bytes"] == 250);
    CHECK(figures["max_link_load"] == 150);
    CHECK(figures["max_link"] == "1 -> 2");
    CHECK(figures["intra_node_bytes"] == 7);
    CHECK(figures["top_links"].size() == 2);
    const auto csv = ran({"traffic", comm, "--topology", "torus:6", "--format", "csv"});
    CHECK(csv.out.starts_with("source,target,load,percent\n1,2,150,60"));
    CHECK(ran({"traffic", comm, "--topology", "torus:6"}).out.find("Hop-bytes") != std::string::npos);
}

TEST_CASE("traffic places ranks by order and by launcher files")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,1,10\n2,3,10\n");
    const auto hopBytes = [&](const std::string& placement) {
        const auto result = ran({"traffic", comm, "--topology", "mesh:2x2", "--ranks-per-node", "2", "--placement", placement, "--format", "json"});
        INFO(result.err);
        REQUIRE(result.code == 0);
        return nlohmann::json::parse(result.out)["hop_bytes"].get<int>();
    };
    CHECK(hopBytes("block") == 0);
    CHECK(hopBytes("cyclic") == 20);
    CHECK(hopBytes("TBA") == 20);
    CHECK(hopBytes("ABT") == 0);
    // A map file of Blue Gene: coordinates and core of each rank.
    const auto map = fileWith(folder, "map.txt", "0 0 0 0 0 0\n1 1 0 0 0 0\n0 0 0 0 0 1\n1 1 0 0 0 1\n");
    const auto mapped = ran({"traffic", comm, "--topology", "mesh:2x2x1x1x1", "--ranks-per-node", "2", "--placement", "bgq:" + map, "--format", "json"});
    INFO(mapped.err);
    REQUIRE(mapped.code == 0);
    CHECK(nlohmann::json::parse(mapped.out)["hop_bytes"] == 40);
}

TEST_CASE("a wrong machine, placement or routing is a wrong use of traffic")
{
    const test::TemporaryFolder folder;
    const auto comm = fileWith(folder, "comm.csv", "sender,receiver,bytes\n0,9,100\n");
    CHECK(ran({"traffic", comm}).code == 2);
    CHECK(ran({"traffic", comm, "--topology", "rings:6"}).code == 2);
    CHECK(ran({"traffic", comm, "--topology", "torus:6", "--ranks-per-node", "1"}).code == 2);
    CHECK(ran({"traffic", comm, "--topology", "torus:16", "--placement", "XYZ"}).code == 2);
    CHECK(ran({"traffic", comm, "--topology", "torus:16", "--routing", "valiant"}).code == 2);
    CHECK(ran({"traffic", comm, "--topology", "torus:16", "--placement", "hosts"}).code == 2);
}

}  // namespace skein::cli
