// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/rank_order.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace skein::rank_order_test {
namespace {

/// A ring whose neighbours have random numbers.
CommMatrix shuffledRing(std::uint32_t ranks)
{
    std::vector<std::uint32_t> name(ranks);
    std::iota(name.begin(), name.end(), 0u);
    std::shuffle(name.begin(), name.end(), std::mt19937(3));
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t i = 0; i < ranks; ++i) entries.push_back({name[i], name[(i + 1) % ranks], 1, 100});
    return CommMatrix(ranks, std::move(entries));
}

bool isPermutation(std::vector<std::uint32_t> order)
{
    std::ranges::sort(order);
    for (std::uint32_t i = 0; i < order.size(); ++i)
        if (order[i] != i) return false;
    return true;
}

std::vector<std::uint32_t> ordered(const CommMatrix& matrix, RankOrder order)
{
    return orderedRanks(matrix, order, {}, Task()).value();
}

Definitions twoNodesInARack()
{
    Definitions definitions;
    definitions.systemTree = {{"r0", "rack", {}, {}},
                              {"n10", "node", SystemTreeNodeId(0), {}},
                              {"n9", "node", SystemTreeNodeId(0), {}}};
    for (std::int64_t rank = 0; rank < 4; ++rank) {
        LocationGroup group;
        group.rank = rank;
        group.node = SystemTreeNodeId(rank % 2 == 0 ? 1 : 2);
        definitions.locationGroups.push_back(group);
    }
    return definitions;
}

}  // namespace

TEST_CASE("a shuffled ring is near the diagonal when it is ordered by bandwidth")
{
    const CommMatrix ring = shuffledRing(64);
    const auto order = ordered(ring, RankOrder::Bandwidth);
    CHECK(isPermutation(order));
    // Both halves of the ring run side by side: two apart, and one at the ends.
    CHECK(meanDistanceFromDiagonal(ring, order) <= 2.0);
    CHECK(meanDistanceFromDiagonal(ring, ordered(ring, RankOrder::Rank)) > 10.0);
}

TEST_CASE("an order by bandwidth is never worse than that by number")
{
    std::mt19937 random(11);
    for (int run = 0; run < 30; ++run) {
        const std::uint32_t ranks = 1 + random() % 20;
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t i = random() % 60; i > 0; --i)
            entries.push_back({static_cast<std::uint32_t>(random() % ranks),
                               static_cast<std::uint32_t>(random() % ranks), 1, random() % 100});
        const CommMatrix matrix(ranks, std::move(entries));
        const auto order = ordered(matrix, RankOrder::Bandwidth);
        CHECK(isPermutation(order));
        CHECK(isPermutation(ordered(matrix, RankOrder::Cluster)));
        CHECK(meanDistanceFromDiagonal(matrix, order)
              <= meanDistanceFromDiagonal(matrix, ordered(matrix, RankOrder::Rank)));
    }
}

TEST_CASE("what is exchanged little does not keep an order by bandwidth from the heavy pairs")
{
    // A chain whose ranks have random numbers, and between any two of them a little: the orders of Cuthill,
    // McKee and King know no amounts.
    std::vector<std::uint32_t> name(300);
    std::iota(name.begin(), name.end(), 0u);
    std::mt19937 random(5);
    std::shuffle(name.begin(), name.end(), random);
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t i = 0; i + 1 < 300; ++i) entries.push_back({name[i], name[i + 1], 1, 1'000'000});
    for (int i = 0; i < 600; ++i)
        entries.push_back(
            {static_cast<std::uint32_t>(random() % 300), static_cast<std::uint32_t>(random() % 300), 1, 1});
    const CommMatrix matrix(300, std::move(entries));
    const auto order = ordered(matrix, RankOrder::Bandwidth);
    CHECK(isPermutation(order));
    CHECK(meanDistanceFromDiagonal(matrix, order) < 1.5);
}

TEST_CASE("ranks that exchange most are beside each other in clusters")
{
    const CommMatrix matrix(6, {{0, 3, 1, 900}, {1, 4, 1, 800}, {2, 5, 1, 700}, {0, 1, 1, 10}});
    CHECK(ordered(matrix, RankOrder::Cluster) == std::vector<std::uint32_t>{0, 3, 1, 4, 2, 5});
}

TEST_CASE("ranks are ordered by host, or not at all where no host is told")
{
    const CommMatrix matrix(4, {{0, 1, 1, 1}});
    const std::vector<std::string> hosts{"n10", "n9", "n10", "n9"};
    CHECK(orderedRanks(matrix, RankOrder::Placement, hosts, Task()).value()
          == std::vector<std::uint32_t>{1, 3, 0, 2});
    CHECK_FALSE(orderedRanks(matrix, RankOrder::Placement, {}, Task()).has_value());
    CHECK(orderedRanks(CommMatrix(), RankOrder::Bandwidth, {}, Task()).value().empty());
}

TEST_CASE("groups of the system tree send what their ranks send")
{
    const CommMatrix matrix(4, {{0, 1, 1, 10}, {0, 2, 2, 20}, {3, 1, 1, 5}, {2, 3, 4, 7}});
    const RankGroups nodes = rankGroups(twoNodesInARack(), "Node", 4).value();
    CHECK(nodes.names == std::vector<std::string>{"n9", "n10"});
    const CommMatrix grouped = groupedMatrix(matrix, nodes);
    CHECK(grouped.row(1).size() == 2);
    CHECK(grouped.row(1)[0] == CommMatrix::Entry{1, 0, 5, 17});
    CHECK(grouped.row(0)[0] == CommMatrix::Entry{0, 0, 1, 5});
    CHECK(grouped.totalBytes() == matrix.totalBytes());
    CHECK(rankGroups(twoNodesInARack(), "rack", 4).value().names == std::vector<std::string>{"r0"});
    CHECK(rankGroups(twoNodesInARack(), "blade", 4).error().message
          == "The archive's system tree has no \"blade\"; it has node, rack.");
}

}  // namespace skein::rank_order_test
