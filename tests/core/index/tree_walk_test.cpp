// SPDX-License-Identifier: GPL-3.0-or-later
// What a walk tells, beside going down the tree node by node.
#include "core/index/tree_walk.h"

#include "core/index/timeline_index.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/time_trees.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <tuple>

namespace skein::tree_walk_test {

namespace {

using Told = std::tuple<TimeNs, TimeNs, std::uint32_t, std::uint8_t, bool>;

struct Recorder {
    std::vector<Told> told;
    std::set<std::uint32_t> wideNodes, expected;

    void cell(const TimeTree::Node& node)
    {
        told.push_back({node.span.begin, node.span.end, node.callPath, node.share, false});
    }
    void cells(const TimeTree::Cells& row)
    {
        TimeNs begin = row.begin;
        for (std::size_t cell = 0; cell < row.callPaths.size(); ++cell, begin += row.widthNs)
            if (row.callPaths[cell] != CallPathId::kNone)
                told.push_back({begin, begin + row.widthNs, row.callPaths[cell], row.shares[cell], false});
    }
    void wide(const TimeTree::Node& node)
    {
        told.push_back({node.span.begin, node.span.end, node.callPath, node.share, true});
        wideNodes.insert(node.index);
    }
    void expect(const TimeTree::Node& node)
    {
        if (node.callPath != CallPathId::kNone) expected.insert(node.index);
    }
};

void descend(const TimeTree& tree, const TimeTree::Node& node, const ColumnGrid& grid, Recorder& recorder)
{
    if (static_cast<double>(node.span.end) <= grid.begin
        || static_cast<double>(node.span.begin) >= grid.end())
        return;
    if (static_cast<double>(node.span.lengthNs()) > grid.nsPerColumn && !node.leaf) {
        descend(tree, tree.left(node), grid, recorder);
        descend(tree, tree.right(node), grid, recorder);
        return;
    }
    if (node.callPath == CallPathId::kNone) return;
    if (static_cast<double>(node.span.lengthNs()) <= grid.nsPerColumn) recorder.cell(node);
    else recorder.wide(node);
}

TimelineIndex indexOf(const Experiment& experiment)
{
    return *buildTimelineIndex(*experiment.trace, *experiment.callTree, Task());
}

}  // namespace

TEST_CASE("a walk tells the nodes that going down the tree one by one finds, at any zoom")
{
    std::mt19937 random(11);
    for (std::uint32_t seed = 1; seed <= 12; ++seed) {
        const ExperimentPtr experiment =
            test::experimentOfRandomCalls(seed, seed % 3 == 0 ? 20'000 : 40 * seed);
        const TimelineIndex index = indexOf(*experiment);
        const TimeTree& tree = index.locations[0].tree;
        const auto end = static_cast<double>(experiment->trace->extent.end);
        for (int zoom = 0; zoom < 60; ++zoom) {
            const double length = end * std::pow(2.0, -static_cast<double>(random() % 1500) / 100);
            const double begin = (end - length) * static_cast<double>(random() % 1001) / 1000;
            const auto count = static_cast<std::uint32_t>(1 + random() % 700);
            const ColumnGrid grid{begin, length / count, count};
            Recorder wanted, walked;
            descend(tree, tree.root(), grid, wanted);
            TreeWalk(tree, grid).tell(walked);
            INFO("seed " << seed << " zoom " << zoom);
            REQUIRE(walked.told == wanted.told);
            REQUIRE(std::includes(walked.wideNodes.begin(), walked.wideNodes.end(), walked.expected.begin(),
                                  walked.expected.end()));
        }
    }
}

TEST_CASE("nodes stand level by level, and a level's in the order of time")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(4, 3000);
    const TimelineIndex index = indexOf(*experiment);
    const TimeTree& tree = index.locations[0].tree;
    std::map<std::pair<TimeNs, TimeNs>, std::uint32_t> byLevelAndTime;  // wide ones first
    test::forEachNode(tree, tree.root(), [&](const TimeTree::Node& node) {
        byLevelAndTime[{-node.span.lengthNs(), node.span.begin}] = node.index;
    });
    std::uint32_t expected = 0;
    for (const auto& [place, number] : byLevelAndTime) REQUIRE(number == expected++);
    REQUIRE(expected == tree.size());
}

TEST_CASE("neighbouring nodes of one kind are found as by asking each")
{
    const ExperimentPtr experiment = test::experimentOfRandomCalls(4, 3000);
    const TimelineIndex index = indexOf(*experiment);
    const TimeTree& tree = index.locations[0].tree;
    const auto size = static_cast<std::uint32_t>(tree.size());
    for (std::uint32_t first = 0; first < size; first += 7)
        for (const std::uint32_t count : {1u, 2u, 63u, 64u, 65u, 200u}) {
            const std::uint32_t end = std::min(first + count, size);
            std::uint32_t same = first;
            while (same < end && tree.isLeaf(same) == tree.isLeaf(first)) ++same;
            REQUIRE(tree.endOfKind(first, end) == same);
        }
}

}  // namespace skein::tree_walk_test
