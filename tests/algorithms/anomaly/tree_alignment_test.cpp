// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/normal_twin.h"
#include "algorithms/anomaly/tree_alignment.h"
#include "tests/support/catch.h"
#include "tests/support/random_calls.h"
#include "tests/support/small_session.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <random>

namespace skein::tree_alignment_test {

using test::Call;
using test::ExperimentBuilder;

namespace {

ExecutionTree randomTree(std::mt19937& random, std::size_t nodes)
{
    ExecutionTree tree;
    for (std::uint32_t node = 0; node < nodes; ++node) {
        ExecutionNode each;
        each.parent = node == 0 ? kNoNode : static_cast<std::uint32_t>(random() % node);
        each.function = node == 0 ? 0 : static_cast<std::uint32_t>(random() % 3);
        each.ownNs = static_cast<TimeNs>(random() % 9);
        each.call = node;
        tree.nodes.push_back(each);
    }
    for (std::size_t node = nodes; node-- > 0;) {
        tree.nodes[node].durationNs += tree.nodes[node].ownNs;
        if (node > 0) tree.nodes[tree.nodes[node].parent].durationNs += tree.nodes[node].durationNs;
    }
    return tree;
}

using Siblings = std::vector<std::uint32_t>;

Siblings childrenOf(const ExecutionTree& tree, std::uint32_t parent)
{
    Siblings found;
    for (std::uint32_t node = 0; node < tree.nodes.size(); ++node)
        if (tree.nodes[node].parent == parent) found.push_back(node);
    return found;
}

/// Nodes left over, and how much own times differ.
using Cost = std::pair<std::uint32_t, TimeNs>;

Cost sum(Cost a, Cost b) { return {a.first + b.first, a.second + b.second}; }

Cost aloneCost(const ExecutionTree& tree, std::uint32_t node)
{
    Cost cost{1, std::abs(tree.nodes[node].ownNs)};
    for (const std::uint32_t child : childrenOf(tree, node)) cost = sum(cost, aloneCost(tree, child));
    return cost;
}

/// The least cost of putting two nodes upon each other, by trying every way.
Cost bruteForce(const ExecutionTree& a, std::uint32_t left, const ExecutionTree& b, std::uint32_t right)
{
    const std::function<Cost(Siblings, Siblings)> siblings = [&](Siblings from, Siblings to) -> Cost {
        if (from.empty() && to.empty()) return {0, 0};
        std::vector<Cost> ways;
        const auto rest = [](const Siblings& of) { return Siblings(of.begin() + 1, of.end()); };
        if (!from.empty()) ways.push_back(sum(aloneCost(a, from[0]), siblings(rest(from), to)));
        if (!to.empty()) ways.push_back(sum(aloneCost(b, to[0]), siblings(from, rest(to))));
        if (!from.empty() && !to.empty() && a.nodes[from[0]].function == b.nodes[to[0]].function)
            ways.push_back(sum(bruteForce(a, from[0], b, to[0]), siblings(rest(from), rest(to))));
        return *std::min_element(ways.begin(), ways.end());
    };
    const Cost own{0, std::abs(a.nodes[left].ownNs - b.nodes[right].ownNs)};
    return sum(own, siblings(childrenOf(a, left), childrenOf(b, right)));
}

/// What every alignment must be, however good it is.
void checkSound(const TreeAlignment& alignment, const ExecutionTree& a, const ExecutionTree& b)
{
    TimeNs differences = 0, cost = 0;
    std::uint32_t unmatched = 0;
    std::vector<int> seenFirst(a.nodes.size(), 0), seenSecond(b.nodes.size(), 0);
    for (std::size_t i = 0; i < alignment.nodes.size(); ++i) {
        const AlignedNode& node = alignment.nodes[i];
        CHECK((i == 0) == (node.parent == kNoNode));
        if (i > 0) CHECK(node.parent < i);
        differences += node.differenceNs;
        cost += std::abs(node.differenceNs);
        unmatched += node.extra() || node.missing();
        if (node.first != kNoNode) ++seenFirst[node.first];
        if (node.second != kNoNode) ++seenSecond[node.second];
        if (i > 0 && node.first != kNoNode)
            CHECK(a.nodes[node.first].parent == alignment.nodes[node.parent].first);
        if (i > 0 && node.second != kNoNode)
            CHECK(b.nodes[node.second].parent == alignment.nodes[node.parent].second);
    }
    CHECK(differences == a.nodes[0].durationNs - b.nodes[0].durationNs);
    CHECK(alignment.nodes[0].belowNs == differences);
    CHECK(cost == alignment.costNs);
    CHECK(unmatched == alignment.unmatched);
    CHECK(std::all_of(seenFirst.begin(), seenFirst.end(), [](int times) { return times == 1; }));
    CHECK(std::all_of(seenSecond.begin(), seenSecond.end(), [](int times) { return times == 1; }));
}

ExperimentPtr leaves(const std::vector<TimeNs>& durations)
{
    ExperimentBuilder builder("leaves");
    std::vector<Call> calls{{0, 0, "main", 0}};
    TimeNs now = 1;
    for (const TimeNs duration : durations) {
        calls.push_back({now, now + duration, "work", 1});
        now += duration + 1;
    }
    calls[0].end = now;
    builder.process("node", calls);
    return builder.finish();
}

}  // namespace

TEST_CASE("tree alignments of random small trees are as cheap as the best of all")
{
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        const ExecutionTree a = randomTree(random, 1 + random() % 8),
                            b = randomTree(random, 1 + random() % 8);
        const auto alignment = alignTrees(a, b, Task());
        REQUIRE(alignment.has_value());
        checkSound(*alignment, a, b);
        const Cost best = bruteForce(a, 0, b, 0);
        CHECK(alignment->unmatched == best.first);
        CHECK(alignment->costNs == best.second);
    }
}

TEST_CASE("tree alignments of large trees add up to the difference of the durations")
{
    std::mt19937 random(11);
    for (int round = 0; round < 4; ++round) {
        const ExecutionTree a = randomTree(random, 300 + 100 * static_cast<std::size_t>(round));
        const ExecutionTree b = randomTree(random, 500);
        const auto alignment = alignTrees(a, b, Task());
        REQUIRE(alignment.has_value());
        checkSound(*alignment, a, b);
    }
    const ExecutionTree same = randomTree(random, kMostExecutionNodes);
    const auto alignment = alignTrees(same, same, Task());
    REQUIRE(alignment.has_value());
    CHECK(alignment->costNs == 0);
    CHECK(alignment->unmatched == 0);
    CHECK_FALSE(alignTrees(same, randomTree(random, kMostExecutionNodes + 1), Task()).has_value());
    CHECK_FALSE(alignTrees(ExecutionTree(), same, Task()).has_value());
}

TEST_CASE("execution trees of random calls hold their time, call by call and summed")
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        const ExperimentPtr experiment = test::experimentOfRandomCalls(seed, 60);
        const FunctionsOfCalls functions(*experiment);
        const CallIntervals& calls = experiment->trace->locations[0].intervals;
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            const ExecutionTree tree = executionTree(calls, functions, call, ExecutionDetail::EachCall);
            const ExecutionTree sums = executionTree(calls, functions, call, ExecutionDetail::Summed);
            CHECK(tree.complete);
            CHECK(tree.nodes.size() == endOfExecution(calls, call) - call);
            std::uint64_t summed = 0;
            for (const ExecutionTree* each : {&tree, &sums}) {
                TimeNs own = 0;
                for (const ExecutionNode& node : each->nodes) own += node.ownNs;
                CHECK(own == calls.end[call] - calls.begin[call]);
            }
            for (const ExecutionNode& node : sums.nodes) summed += node.calls;
            CHECK(summed == tree.nodes.size());
            for (std::uint32_t node = 1; node < tree.nodes.size(); ++node) {
                const ExecutionNode& each = tree.nodes[node];
                CHECK(each.call == call + node);
                CHECK(calls.depth[each.call] == calls.depth[tree.nodes[each.parent].call] + 1);
            }
        }
    }
}

TEST_CASE("executions with very many calls are compared by their call paths")
{
    ExperimentBuilder builder("loop");
    for (const int turns : {3000, 3001}) {
        std::vector<Call> calls{{0, 10 * turns + 5, "loop", 0}};
        for (int i = 0; i < turns; ++i) {
            calls.push_back({10 * i, 10 * i + 8, "body", 1});
            calls.push_back({10 * i + 1, 10 * i + 4, "leaf", 2});
        }
        builder.process("node", calls);
    }
    const ExperimentPtr experiment = builder.finish();
    const FunctionsOfCalls functions(*experiment);
    const auto [a, b] =
        comparableTrees(*experiment->trace, functions, {LocationId(1), 0}, {LocationId(0), 0});
    CHECK(a.detail == ExecutionDetail::Summed);
    REQUIRE(a.nodes.size() == 3);
    CHECK(a.calls == 6003);
    CHECK(a.nodes[1].calls == 3001);
    const auto alignment = alignTrees(a, b, Task());
    REQUIRE(alignment.has_value());
    checkSound(*alignment, a, b);
    CHECK(alignment->nodes[0].belowNs == 10);
    CHECK(alignment->nodes[1].differenceNs == 5);
    CHECK(alignment->nodes[2].differenceNs == 3);
}

TEST_CASE("trees open as far as about twenty nodes and keep what is wanted below")
{
    // A root with 4 children, each of these with 4, and so on: 1, 5, 21, 85.
    std::vector<std::uint32_t> parents{kNoNode};
    for (std::uint32_t node = 1; node < 85; ++node) parents.push_back((node - 1) / 4);
    CHECK(depthOfAbout(parents, 20) == 2);
    CHECK(depthOfAbout(parents, 21) == 2);
    CHECK(depthOfAbout(parents, 35) == 2);
    CHECK(depthOfAbout(parents, 80) == 3);
    CHECK(depthOfAbout(parents, 1000) == 3);
    CHECK(depthOfAbout({}, 20) == 0);
    std::vector<bool> keep(parents.size(), false);
    keep[84] = true;
    const OpenedTree opened = openedTree(parents, 1, keep);
    REQUIRE(opened.nodes.size() == 7);
    CHECK(opened.nodes.back() == 84);
    CHECK(opened.nodes[opened.parents.back()] == parents[84]);
    CHECK(opened.nodes.size() + std::accumulate(opened.hidden.begin(), opened.hidden.end(), 0U) == 85);
    for (std::uint32_t node = 0; node < parents.size(); ++node) {
        std::uint32_t shown = node;
        while (!std::binary_search(opened.nodes.begin(), opened.nodes.end(), shown)) shown = parents[shown];
        CHECK(opened.nodes[opened.placeOf[node]] == shown);
    }
}

TEST_CASE("the normal twin of leaves is the one of median duration")
{
    std::mt19937 random(5);
    for (int round = 0; round < 30; ++round) {
        std::vector<TimeNs> durations;
        for (int i = 0; i < 9; ++i) durations.push_back(static_cast<TimeNs>(1 + random() % 100000));
        durations.push_back(10'000'000);  // strange
        const ExperimentPtr experiment = leaves(durations);
        const FunctionsOfCalls functions(*experiment);
        const CallOfLocation strange[]{{LocationId(0), 10}};
        const std::uint32_t function = functions.of(experiment->trace->locations[0].intervals.callPath[1]);
        const auto twin = normalTwin(*experiment->trace, functions, function, strange, {}, Task());
        REQUIRE(twin.has_value());
        REQUIRE(twin->has_value());
        std::vector<TimeNs> usual(durations.begin(), durations.end() - 1);
        std::sort(usual.begin(), usual.end());
        const CallIntervals& calls = experiment->trace->locations[0].intervals;
        CHECK(calls.end[(*twin)->call] - calls.begin[(*twin)->call] == usual[4]);
    }
}

TEST_CASE("the normal twin is one of those that call what most of them call")
{
    ExperimentBuilder builder("structures");
    std::vector<Call> calls{{0, 1000, "main", 0}};
    for (int i = 0; i < 7; ++i) {
        const TimeNs begin = 100 * i;
        calls.push_back({begin, begin + 50, "solve", 1});
        calls.push_back({begin + 1, begin + 41, i == 3 ? "rare" : "usual", 2});
    }
    builder.process("node", calls);
    const ExperimentPtr experiment = builder.finish();
    const FunctionsOfCalls functions(*experiment);
    const CallIntervals& all = experiment->trace->locations[0].intervals;
    const auto twin =
        normalTwin(*experiment->trace, functions, functions.of(all.callPath[1]), {}, {}, Task());
    REQUIRE((twin.has_value() && twin->has_value()));
    CHECK(functions.of(all.callPath[(*twin)->call + 1]) == functions.of(all.callPath[2]));
    std::vector<CallOfLocation> every;
    for (std::uint32_t call = 0; call < all.size(); ++call) every.push_back({LocationId(0), call});
    const auto none =
        normalTwin(*experiment->trace, functions, functions.of(all.callPath[1]), every, {}, Task());
    REQUIRE(none.has_value());
    CHECK_FALSE(none->has_value());
}

}  // namespace skein::tree_alignment_test
