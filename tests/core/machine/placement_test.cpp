// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/placement.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"

#include <set>

namespace skein::placement_test {
namespace {

Topology made(std::string_view spec) { return makeTopology(spec).value(); }

Definitions definitionsOn(const std::vector<std::string>& hosts)
{
    Definitions definitions;
    definitions.systemTree.push_back({"cluster", "machine", {}, {}});
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
        definitions.systemTree.push_back({hosts[rank], "node", SystemTreeNodeId(0), {}});
        LocationGroup group;
        group.node = SystemTreeNodeId(definitions.systemTree.size() - 1);
        group.rank = static_cast<std::int64_t>(rank);
        definitions.locationGroups.push_back(group);
    }
    return definitions;
}

std::vector<std::string> onHosts(const std::vector<std::string>& hosts)
{
    return hostsOfRanks(definitionsOn(hosts));
}

}  // namespace

TEST_CASE("blocks fill node after node with as few ranks as needed")
{
    const auto placement = placeInBlocks(made("torus:4x2"), 15, 0).value();
    CHECK(placement.ranksPerNode() == 2);
    CHECK(placement.nodeOf(14) == 7);
    CHECK(placement.coreOf(13) == 1);
    CHECK(placement.slotOf(13) == 13);
}

TEST_CASE("the last letter of an order varies fastest")
{
    const Topology torus = made("torus:2x3");
    CHECK(placeInOrder(torus, 12, 2, "ABT").value() == placeInBlocks(torus, 12, 2).value());
    CHECK(placeInOrder(torus, 12, 2, "AB").value() == placeInBlocks(torus, 12, 2).value());
    const auto cyclic = placeInOrder(torus, 12, 2, "TAB").value();
    CHECK(cyclic == placeInOrder(torus, 12, 2, "cyclic").value());
    CHECK(cyclic.nodeOf(5) == 5);
    CHECK(cyclic.coreOf(5) == 0);
    CHECK(cyclic.slotOf(6) == 1);
    const auto turned = placeInOrder(torus, 6, 1, "BAT").value();
    CHECK(turned.nodeOf(1) == 3);  // A = 1, B = 0
    CHECK(turned.nodeOf(2) == 1);
}

TEST_CASE("an order that does not name every dimension once is refused")
{
    const Topology torus = made("torus:2x3");
    for (const char* order : {"A", "AAT", "ABC", "ABTT", "abt", "", "AB1"}) {
        INFO(order);
        CHECK_FALSE(placeInOrder(torus, 6, 1, order).has_value());
    }
    CHECK_FALSE(placeInBlocks(torus, 7, 1).has_value());
}

TEST_CASE("two ranks in one slot are refused by name")
{
    const auto placement = Placement::create({0, 3, 0}, 2, 2);
    REQUIRE_FALSE(placement.has_value());
    CHECK(placement.error().message.find("Ranks 0 and 2") != std::string::npos);
    CHECK_FALSE(Placement::create({4}, 2, 2).has_value());
}

TEST_CASE("node numbers of a Cray XC lead to its cabinets")
{
    const Topology theta = made("hamming:12x2x3x16x4");
    const VertexIndex node = nodeOfNumber(theta, 2304 + 192 * 6 + 64 * 2 + 4 * 10 + 2);
    CHECK(theta.coordinates(node) == std::vector<std::uint32_t>{6, 1, 2, 10, 2});
    const auto hosts = onHosts({"nid00764", "nid00762"});
    CHECK(hostNaming(theta, hosts) == HostNaming::NodeNumbers);
    const auto placement = placeOnHosts(theta, hosts, 0).value();
    CHECK(placement.nodeOf(0) == nodeOfNumber(theta, 764));
}

TEST_CASE("hosts with names of their own take the nodes in natural order")
{
    const Topology mesh = made("mesh:3");
    const auto hosts = onHosts({"n10", "n9", "n10", "n9"});
    CHECK(hostNaming(mesh, hosts) == HostNaming::Unknown);
    const auto placement = placeOnHosts(mesh, hosts, 0).value();
    CHECK(placement.ranksPerNode() == 2);
    CHECK(std::vector<std::uint32_t>(placement.slotOfRank().begin(), placement.slotOfRank().end())
          == std::vector<std::uint32_t>{2, 0, 3, 1});
    CHECK_FALSE(placeOnHosts(mesh, hosts, 1).has_value());
    CHECK_FALSE(placeOnHosts(mesh, onHosts({"a", "b", "c", "d"}), 0).has_value());
    CHECK_FALSE(placeOnHosts(mesh, hostsOfRanks(Definitions()), 0).has_value());
}

TEST_CASE("a launcher's map leads to nodes by coordinates or names")
{
    const Topology torus = made("torus:2x3");
    const RankMap byPosition{{{"R00", 2, {1, 2}}, {"R01", 2, {0, 1}}}, {{0, 1}, {1, 0}}};
    const auto placement = placeAsMapped(torus, byPosition, 0).value();
    CHECK(std::vector<std::uint32_t>(placement.slotOfRank().begin(), placement.slotOfRank().end())
          == std::vector<std::uint32_t>{11, 2});
    const RankMap byName{{{"n2", 1, {}}, {"n1", 1, {}}}, {{0, 0}, {1, 0}}};
    CHECK(placeAsMapped(torus, byName, 1)->nodeOf(0) == 1);
    CHECK_FALSE(placeAsMapped(torus, byPosition, 1).has_value());
}

TEST_CASE("every permutation of the letters is a placement without collision")
{
    const Topology torus = made("torus:2x3x2");
    std::string order = "ABCT";
    do {
        CHECK(placeInOrder(torus, 24, 2, order).has_value());
    } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace skein::placement_test
