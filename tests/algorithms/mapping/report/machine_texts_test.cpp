// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/machine_texts.h"

#include "core/io/launcher/text.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <cstdint>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace skein::machine_texts_test {
namespace {

/// A map of four ranks of which two are on the first and two on the last of four nodes.
constexpr const char* kTwoEach = "rank,host,slot\n0,node0,0\n1,node0,1\n2,node3,0\n3,node3,1\n";

struct MapCase {
    Topology topology = makeTopology("mesh:2x2", Task()).value();
    test::TemporaryFolder folder;
    Experiment experiment;

    Result<NamedPlacement> placed(const char* map, std::uint32_t ranks, std::uint32_t ranksPerNode) const
    {
        return placementOf(test::fileWith(folder, "map.csv", map), topology, experiment, ranks, ranksPerNode);
    }
};

}  // namespace

TEST_CASE("placement: a map with more ranks on a node than would hold all keeps its nodes, and says so")
{
    const MapCase map;
    const auto placed = map.placed(kTwoEach, 4, 0);
    REQUIRE(placed);
    CHECK(placed->placement.ranksPerNode() == 2);
    for (std::uint32_t rank = 0; rank < 4; ++rank)
        CHECK(placed->placement.nodeOf(rank) == (rank < 2 ? 0u : 3u));
    CHECK(placed->remark
          == "The map uses up to 2 places for ranks on a node, where 1 would hold all that communicate.");
}

TEST_CASE("placement: a map with more ranks on a node than was said is refused, with both numbers")
{
    const MapCase map;
    const auto refused = map.placed(kTwoEach, 4, 1);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == "The map uses slot 1 of a node; with 1 ranks a node the last is 0.");
    const auto placed = map.placed(kTwoEach, 4, 2);
    REQUIRE(placed);
    CHECK(placed->remark.empty());
}

TEST_CASE("placement: a map of ranks that do not communicate says how many there are")
{
    const MapCase map;
    const auto placed = map.placed("rank,host,slot\n0,node0,0\n1,node1,0\n2,node2,0\n3,node3,0\n", 3, 0);
    REQUIRE(placed);
    CHECK(placed->remark == "The map places 4 ranks, of which 3 communicate.");
    const auto both = map.placed("rank,host,slot\n0,node2,0\n1,node2,1\n2,node2,2\n", 2, 0);
    REQUIRE(both);
    CHECK(both->placement.nodeOf(2) == 2);
    CHECK(
        both->remark
        == "The map places 3 ranks, of which 2 communicate. The map uses up to 3 places for ranks on a node, "
           "where 1 would hold all that communicate.");
}

TEST_CASE("placement: coordinates that the machine does not have are refused, not taken for names")
{
    const MapCase map;
    const auto torus = makeTopology("torus:2x2x2x2x2", Task()).value();
    const auto at = [&](const char* text) {
        return placementOf("bgq:" + test::fileWith(map.folder, "bgq.map", text), torus, map.experiment, 2, 0);
    };
    const auto placed = at("0 0 0 0 0 0\n1 1 1 1 1 0\n");
    REQUIRE(placed);
    CHECK(placed->placement.nodeOf(1) == 31);
    const auto refused = at("0 0 0 0 0 0\n1 1 1 1 2 0\n");
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message == "Host 1-1-1-1-2 is no node of the machine, which has 32 nodes.");
}

TEST_CASE("machine: the dragonfly of a Cray XC numbers its nodes as the table of Theta's nodes does")
{
    SKEIN_SHARED_OR_SKIP(table, "data/visuco/theta.computenodes");
    const auto levels = makeTopology("hamming:12x2x3x16x4", Task());
    REQUIRE(levels);
    const std::string spec = dragonflyOfCrayXc(*levels);
    CHECK(spec == "dragonfly:groups=12,routers=6x16,nodes=4,column-capacity=3");
    const auto dragonfly = makeTopology(spec, Task());
    REQUIRE(dragonfly);
    CHECK(dragonfly->nodes() == levels->nodes());
    std::ifstream lines(table);
    std::string line;
    std::size_t nodes = 0;
    while (std::getline(lines, line)) {
        std::map<std::string, std::uint32_t> fields;
        for (const std::string_view field : launcher::split(line, ',')) {
            const auto sign = field.find('=');
            if (const auto number = launcher::number(field.substr(sign + 1)))
                fields[std::string(field.substr(0, sign))] = *number;
        }
        const std::uint32_t nid = fields.at("processor_id");
        const std::vector<std::uint32_t> place{fields.at("x_coord"), fields.at("y_coord"),
                                               fields.at("z_coord"), fields.at("cpu")};
        CHECK(dragonfly->nodeAt(place) == nid);
        const std::vector<std::uint32_t> cabinet{fields.at("cab_position"), fields.at("cab_row"),
                                                 fields.at("cage"), fields.at("slot"), fields.at("cpu")};
        CHECK(levels->nodeAt(cabinet) == nodeOfNumber(*levels, nid));
        ++nodes;
    }
    CHECK(nodes == 3624);
    CHECK(dragonflyOfCrayXc(*dragonfly).empty());
    CHECK(dragonflyOfCrayXc(*makeTopology("hamming:12x2x3x16", Task())).empty());
}

}  // namespace skein::machine_texts_test
