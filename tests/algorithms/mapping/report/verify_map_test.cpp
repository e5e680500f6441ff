// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/report/verify_map.h"
#include "core/machine/topology_spec.h"
#include "tests/support/catch.h"

#include <fmt/format.h>

namespace skein::verify_map_test {

namespace {

/// Ranks 0 … on the hosts of the given names, one system tree node a host.
Definitions definitionsOn(const std::vector<std::string>& hosts)
{
    Definitions definitions;
    for (std::size_t rank = 0; rank < hosts.size(); ++rank) {
        definitions.systemTree.push_back({hosts[rank], "node", {}, {}});
        LocationGroup group{fmt::format("MPI Rank {}", rank), LocationGroupKind::Process,
                            SystemTreeNodeId(rank),           {},
                            static_cast<std::int64_t>(rank),  {}};
        definitions.locationGroups.push_back(group);
        Location location;
        location.kind = LocationKind::CpuThread;
        location.group = LocationGroupId(rank);
        location.rank = static_cast<std::int64_t>(rank);
        definitions.locations.push_back(location);
    }
    return definitions;
}

}  // namespace

TEST_CASE("a rerun on the wrong hosts is told rank by rank, domains do not matter")
{
    const RankMap map{{{"nid1", 2, {}}, {"nid2", 1, {}}}, {{1, 0}, {0, 0}, {0, 1}}};
    const auto fine = checkPlacement(map, definitionsOn({"nid2.cluster.example", "nid1", "nid1"}));
    REQUIRE(fine.has_value());
    CHECK(fine->compared == 3);
    CHECK(fine->misplaced.empty());
    const auto wrong = checkPlacement(map, definitionsOn({"nid1", "nid2", "nid1"}));
    REQUIRE(wrong->misplaced.size() == 2);
    CHECK(wrong->misplaced[0].rank == 0);
    CHECK(wrong->misplaced[0].wanted == "nid2");
    CHECK(wrong->misplaced[0].found == "nid1");
    CHECK_FALSE(checkPlacement(map, definitionsOn({"nid1"})).has_value());
}

TEST_CASE("pairs of either matrix are compared once each")
{
    const CommMatrix predicted(3, {{0, 1, 1, 100}, {1, 2, 1, 50}});
    const CommMatrix measured(3, {{0, 1, 1, 110}, {2, 0, 1, 7}});
    const auto pairs = comparePairs(predicted, measured);
    REQUIRE(pairs.size() == 3);
    CHECK(pairs[0].relativeDifference() == Approx(0.1));
    CHECK(pairs[1].measured == 0);
    CHECK(pairs[1].relativeDifference() == -1.0);
    CHECK(pairs[2].from == 2);
    CHECK(std::isinf(pairs[2].relativeDifference()));
    CHECK(comparePairs(predicted, predicted)[0].relativeDifference() == 0.0);
}

TEST_CASE("links are compared by what they carry")
{
    const auto topology = makeTopology("mesh:3");
    REQUIRE(topology.has_value());
    std::vector<std::uint64_t> before(topology->links(), 0), after = before;
    before[topology->findLink(0, 1)] = 10;
    after[topology->findLink(1, 2)] = 20;
    const auto links = compareLinks(*topology, LinkAmounts(before), LinkAmounts(after));
    REQUIRE(links.size() == 2);
    CHECK((links[0].from == 0 && links[0].predicted == 10 && links[0].measured == 0));
    CHECK((links[1].from == 1 && links[1].predicted == 0 && links[1].measured == 20));
}

}  // namespace skein::verify_map_test
