// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/map_hosts.h"
#include "core/machine/placement.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"

namespace skein::map_hosts_test {

namespace {

/// Two ranks on the first and the last of some hosts.
RankMap onTwo(const std::string& a, const std::string& b)
{
    return {{{a, 1, {}}, {b, 2, {}}}, {{0, 0}, {1, 1}}};
}

std::vector<std::uint32_t> nodesOf(const Topology& topology, const RankMap& map)
{
    const Placement placement = placeAsMapped(topology, map, 0).value();
    return {placement.nodeOf(0), placement.nodeOf(1)};
}

}  // namespace

TEST_CASE("map hosts: a host is found with and without its domain, and others are added")
{
    std::vector<MapHost> hosts{{"a.site.org", 1, {}}, {"b", 1, {}}};
    HostNumbers numbers(hosts);
    CHECK(numbers.find("a") == 0u);
    CHECK(numbers.find("b.site.org") == 1u);
    CHECK_FALSE(numbers.find("a.elsewhere.org").has_value());
    CHECK(numbers.findOrAdd("c") == 2u);
    CHECK(numbers.findOrAdd("c.site.org") == 2u);
    CHECK(hosts.size() == 3);
}

TEST_CASE("map hosts: nodes that a map leaves free count when hosts are nodes in the order of their names")
{
    const Topology line = makeTopology("mesh:4").value();
    const RankMap map = onTwo("n1", "n10");
    const std::vector<std::string> run{"n1", "n2", "n9", "n10.site.org", "n10.site.org"};
    CHECK(nodesOf(line, map) == std::vector<std::uint32_t>{0, 1});
    CHECK(namesHosts(run, map));
    CHECK(nodesOf(line, withHosts(map, run, line)) == std::vector<std::uint32_t>{0, 3});
    CHECK_FALSE(namesHosts({"n1", "n2"}, map));
    CHECK_FALSE(namesHosts({}, map));
}

TEST_CASE("map hosts: names of the machine's nodes and coordinates need no run")
{
    const Topology line = makeTopology("mesh:4").value();
    CHECK(nodesOf(line, withHosts(onTwo("node3", "node1"), {}, line)) == std::vector<std::uint32_t>{3, 1});
    RankMap placed = onTwo("x", "a");
    placed.hosts[0].coordinates = {2};
    placed.hosts[1].coordinates = {0};
    CHECK(tellsCoordinates(placed));
    CHECK(withHosts(placed, {"a", "b", "x"}, line) == placed);
    CHECK(nodesOf(line, placed) == std::vector<std::uint32_t>{2, 0});
}

TEST_CASE("map hosts: what launchers find is a name of a host")
{
    CHECK(isHostName("nid00012"));
    CHECK(isHostName("a-b.site.org"));
    CHECK_FALSE(isHostName("node 0"));
    CHECK_FALSE(isHostName(""));
}

}  // namespace skein::map_hosts_test
