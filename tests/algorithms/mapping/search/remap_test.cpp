// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/rank_groups.h"
#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/folding/folding.h"
#include "algorithms/mapping/partition/scotch_start.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/lower_bound.h"
#include "algorithms/mapping/search/remap.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stop_token>

namespace skein::remap_test {

using namespace skein::test;

namespace {

RemapParams stepsOf(std::uint64_t steps, std::string method = "auto")
{
    RemapParams params;
    params.method = std::move(method);
    params.budget.steps = steps;
    return params;
}

void requireSound(const MappingProblem& problem, const RemapResult& result)
{
    REQUIRE(satisfies(problem, result.slotOfRank));
    CHECK(result.objectiveBefore
          == hopBytes(problem.flow, problem.distances, problem.current, problem.ranksPerNode));
    CHECK(result.objectiveAfter
          == hopBytes(problem.flow, problem.distances, result.slotOfRank, problem.ranksPerNode));
    CHECK(result.objectiveAfter <= result.objectiveBefore);
    CHECK(result.objectiveAfter >= hopBytesLowerBound(problem));
}

}  // namespace

TEST_CASE("remapping gives a valid placement that is never worse, on every kind of machine")
{
    Random random(11);
    const std::vector<Distances> machines = {
        torusOf({4, 4, 2}), gridOf({{5, DimensionShape::Line}, {6, DimensionShape::Complete}}),
        randomTable(30, random), torusOf({31}), torusOf({2, 2, 2, 2, 2, 2, 2, 2, 2})};
    for (const Distances& machine : machines) {
        for (const std::uint32_t ranksPerNode : {1u, 3u}) {
            const std::uint32_t ranks = machine.nodes() * ranksPerNode - ranksPerNode;
            const MappingProblem problem =
                problemOn(machine, randomComm(ranks, 6 * ranks, random), ranksPerNode, random);
            requireSound(problem, remap(problem, stepsOf(40000), Task()).value());
        }
    }
}

TEST_CASE("few ranks that may move are placed as enumeration places them, and that is proven")
{
    Random random(41);
    for (int trial = 0; trial < 6; ++trial) {
        const std::uint32_t ranks = 14;
        MappingProblem problem = problemOn(trial % 2 == 0 ? torusOf({4, 2}) : randomTable(8, random),
                                           randomComm(ranks, 80, random), 2, random);
        // Ranks 3, 7, 8 and 12 move, over their slots and the two that are empty.
        const std::vector<std::uint32_t> movable{3, 7, 8, 12};
        for (std::uint32_t rank = 0; rank < ranks; ++rank)
            if (std::ranges::find(movable, rank) == movable.end()) problem.constraints.pinned.push_back(rank);
        std::vector<std::uint32_t> open;
        const auto rankAt = ranksOfSlots(problem.current, problem.slots());
        for (std::uint32_t slot = 0; slot < problem.slots(); ++slot)
            if (rankAt[slot] == kNoRank || std::ranges::find(movable, rankAt[slot]) != movable.end())
                open.push_back(slot);
        REQUIRE(open.size() == 6);
        std::int64_t best = std::numeric_limits<std::int64_t>::max();
        auto order = open;
        do {
            auto slots = problem.current;
            for (std::size_t i = 0; i < movable.size(); ++i) slots[movable[i]] = order[i];
            best = std::min<std::int64_t>(
                best, hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode));
        } while (std::next_permutation(order.begin(), order.end()));
        for (const char* method : {"auto", "optimal"}) {
            const RemapResult result = remap(problem, stepsOf(5000, method), Task()).value();
            requireSound(problem, result);
            CHECK(result.objectiveAfter == best);
            CHECK(result.method == "optimal");
            CHECK(result.optimal);
        }
    }
    MappingProblem together = problemOn(torusOf({4}), randomComm(8, 20, random), 2, random);
    together.constraints.together = {{0, 1}};
    CHECK_FALSE(remap(together, stepsOf(100, "optimal"), Task()).has_value());
}

TEST_CASE("an optimal placement stays as it is")
{
    Random random(12);
    MappingProblem problem = problemOn(torusOf({8, 8}), haloComm(8, 8), 1, random);
    for (std::uint32_t rank = 0; rank < 64; ++rank) problem.current[rank] = rank;
    const RemapResult result = remap(problem, stepsOf(50000), Task()).value();
    CHECK(result.slotOfRank == problem.current);
}

TEST_CASE("a shuffled halo exchange comes back to short ways")
{
    Random random(13);
    const MappingProblem problem = problemOn(torusOf({8, 8}), haloComm(8, 8), 1, random);
    const RemapResult result = remap(problem, stepsOf(2000000), Task()).value();
    requireSound(problem, result);
    CHECK(static_cast<double>(result.objectiveAfter) <= 1.5 * static_cast<double>(problem.flow.totalSent()));
}

TEST_CASE("the same steps give the same mapping on any number of threads")
{
    Random random(14);
    const MappingProblem large = problemOn(torusOf({8, 8, 16}), haloComm(32, 64), 2, random);
    const MappingProblem irregular =
        problemOn(randomTable(40, random), randomComm(40, 200, random), 1, random);
    const std::vector<std::pair<const MappingProblem*, std::uint64_t>> searches{{&large, 400000},
                                                                                {&irregular, 10000}};
    for (const auto& [problem, steps] : searches) {
        const auto one = remap(*problem, stepsOf(steps), Task().withThreads(1)).value();
        const auto many = remap(*problem, stepsOf(steps), Task().withThreads(4)).value();
        CHECK(one.slotOfRank == many.slotOfRank);
        CHECK(one.steps == many.steps);
    }
}

TEST_CASE("pinned ranks, closed nodes, apart, together and the limit of moves are kept")
{
    Random random(15);
    for (int trial = 0; trial < 12; ++trial) {
        MappingProblem problem = problemOn(torusOf({4, 4}), randomComm(24, 150, random), 2, random);
        MappingConstraints& constraints = problem.constraints;
        if (trial % 2 == 0) constraints.freeNodes = {3, 7};
        if (trial % 3 == 0) constraints.apart = {{4, 5, 6}};
        if (trial % 4 == 1) constraints.together = {{1, 2}, {8, 9}};
        if (trial % 4 == 3) constraints.maxMoved = 6;
        if (trial % 5 == 0) constraints.nodeCapacity.assign(16, 2);
        if (trial % 2 == 1) constraints.pinned = {0, 10};
        const auto result = remap(problem, stepsOf(60000), Task());
        REQUIRE(result.has_value());
        CHECK(satisfies(problem, result->slotOfRank));
    }
}

TEST_CASE("remap: groups that stay together move as blocks to where their peers are")
{
    Random random(31);
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t rank = 0; rank < 4; ++rank) entries.push_back({rank, 60 + rank, 1, 1000});
    MappingProblem problem = problemOn(torusOf({16}), CommMatrix(64, entries), 4, random);
    for (std::uint32_t rank = 0; rank < 64; ++rank)
        problem.current[rank] = rank < 32 ? rank : (rank < 60 ? rank + 4 : rank - 28);
    problem.constraints.together = {{0, 1, 2}, {60, 61, 62, 63}};
    problem.constraints.pinned = {63};
    const RemapResult result = remap(problem, stepsOf(20000), Task()).value();
    requireSound(problem, result);
    CHECK(result.slotOfRank[63] == problem.current[63]);
    CHECK(result.objectiveAfter == 4000);
}

TEST_CASE("remap: groups that overlap, blocks that stay apart and limited moves are kept while blocks move")
{
    Random random(31);
    for (int trial = 0; trial < 8; ++trial) {
        MappingProblem problem = problemOn(torusOf({4, 4}), haloComm(8, 4), 3, random);
        problem.constraints.together = {{0, 9}, {9, 18}, {4, 4, 20}};
        problem.constraints.apart = {{0, 4}, {1, 2}, {2, 3}, {5, 5}};
        const bool limited = trial % 2 == 1;
        if (limited) problem.constraints.maxMoved = 12;
        const auto result = remap(problem, stepsOf(30000), Task());
        if (!result && limited)
            continue;  // a random placement may need more moves to bring the groups together
        REQUIRE(result.has_value());
        CHECK(satisfies(problem, result->slotOfRank));
        const auto node = [&](std::uint32_t rank) { return result->slotOfRank[rank] / problem.ranksPerNode; };
        CHECK((node(0) == node(9) && node(9) == node(18) && node(4) == node(20)));
        CHECK((node(0) != node(4) && node(1) != node(2) && node(2) != node(3)));
    }
}

TEST_CASE("remap: blocks that stay together move within the limit of moves, for link loads too")
{
    // Two ranks that stay together talk to one far away.
    MappingProblem problem;
    problem.flow =
        makeFlowGraph(CommMatrix(8, {{0, 6, 1, 1000}, {1, 6, 1, 1000}, {6, 7, 1, 10}, {2, 3, 1, 1}}));
    problem.distances = gridOf({{4, DimensionShape::Line}});
    problem.ranksPerNode = 4;
    problem.current = {0, 1, 2, 3, 4, 5, 12, 13};
    problem.constraints.together = {{0, 1}};
    const auto moved = [&](std::uint32_t limit) {
        problem.constraints.maxMoved = limit;
        const auto result = remap(problem, stepsOf(20000), Task()).value();
        CHECK(countMoved(problem.current, result.slotOfRank) <= limit);
        return result.objectiveAfter;
    };
    CHECK(moved(0) == 3 * 2000);
    CHECK(moved(1) < 3 * 2000);
    CHECK(moved(2) == 0);
    RemapParams loads = stepsOf(2000);
    loads.objective = RemapObjective::MaxLinkLoad;
    loads.links = 6;
    loads.route = [](std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links) {
        for (; from < to; ++from) links.push_back(from);
        for (; from > to; --from) links.push_back(2 + from);
    };
    const auto result = remap(problem, loads, Task()).value();
    CHECK(result.objectiveBefore == 2000);
    CHECK(result.objectiveAfter == 0);
}

TEST_CASE("constraints that cannot be met are refused with a reason")
{
    Random random(16);
    MappingProblem problem = problemOn(torusOf({4}), randomComm(4, 10, random), 1, random);
    problem.constraints.freeNodes = {0};
    CHECK(!remap(problem, stepsOf(1000), Task()));
    problem.constraints = {};
    problem.constraints.together = {{0, 1}};
    CHECK(!remap(problem, stepsOf(1000), Task()));
    problem.constraints = {};
    problem.constraints.pinned = {9};
    CHECK(!remap(problem, stepsOf(1000), Task()));
    problem.constraints = {};
    CHECK(!remap(problem, stepsOf(1000, "no such method"), Task()));
}

TEST_CASE("remap: progress tells how much of the whole search is done, and never goes back")
{
    Random random(23);
    const MappingProblem problem = problemOn(torusOf({8, 8, 4}), randomComm(256, 1500, random), 1, random);
    std::vector<double> told;
    const Task task(
        std::stop_token(), [&](double fraction, std::string_view) { told.push_back(fraction); }, 1);
    REQUIRE(remap(problem, stepsOf(300000), task).has_value());
    REQUIRE(told.size() > 5);
    CHECK(std::is_sorted(told.begin(), told.end()));
    CHECK(told.front() < 0.6);
    CHECK(told.back() > 0.8);
    CHECK(told.back() <= 1.0);
}

TEST_CASE("a stopped search gives the best mapping until then")
{
    Random random(17);
    const MappingProblem problem = problemOn(torusOf({8, 8}), randomComm(64, 400, random), 1, random);
    std::stop_source source;
    source.request_stop();
    const RemapResult result = remap(problem, stepsOf(1000000), Task(source.get_token())).value();
    CHECK(result.stopped);
    requireSound(problem, result);
}

TEST_CASE("remap: a method without time ends at once with a sound placement")
{
    Random random(19);
    const MappingProblem large = problemOn(torusOf({8, 8, 8, 4}), haloComm(64, 32), 1, random);
    const MappingProblem small = problemOn(torusOf({4, 4}), haloComm(4, 4), 1, random);
    for (const std::string method :
         {"auto", "annealing", "folding", "greedy", "multilevel", "optimal", "published", "random", "tabu"}) {
        CAPTURE(method);
        const MappingProblem& problem = method == "optimal" || method == "tabu" ? small : large;
        RemapParams params;
        params.method = method;
        params.budget.seconds = 1e-6;
        const RemapResult result = remap(problem, params, Task()).value();
        requireSound(problem, result);
        // Exhausting 16 slots, or coarsening and partitions to their ends, take long; machines that test are
        // busy.
        CHECK(result.seconds < 5.0);
        if (method == "published") CHECK(result.reason.find("no time") != std::string::npos);
    }
}

TEST_CASE("remap: where no swap is possible, the search ends and the placement stays")
{
    Random random(21);
    MappingProblem pinned = problemOn(torusOf({4, 2}), haloComm(4, 2), 1, random);
    for (std::uint32_t rank = 0; rank < 8; ++rank) pinned.constraints.pinned.push_back(rank);
    MappingProblem oneNode = problemOn(torusOf({8, 8}), haloComm(2, 2), 64, random);
    for (std::uint32_t rank = 0; rank < 4; ++rank) oneNode.current[rank] = rank;
    oneNode.openNodes.assign(64, 0);
    oneNode.openNodes[0] = 1;
    MappingProblem few = oneNode;
    few.constraints.maxMoved = 2;
    for (const MappingProblem* problem : {&pinned, &oneNode, &few}) {
        const RemapResult result = remap(*problem, stepsOf(100000), Task()).value();
        CHECK(result.objectiveAfter == result.objectiveBefore);
    }
}

TEST_CASE("remap: folding finds a snake of a line on machines of several prime factors at once, and leaves "
          "primes alone")
{
    Random random(17);
    for (const std::vector<std::uint32_t>& sizes :
         {std::vector<std::uint32_t>{4, 4, 4}, {6, 6}, {9, 5}, {2, 3, 7}}) {
        const Distances machine = torusOf(sizes);
        MappingProblem problem = problemOn(machine, haloComm(machine.nodes(), 1), 1, random);
        const FoldingOutcome outcome =
            foldRanks(problem, foldingGrid(problem, prepareMapping(problem)->rules), 0, 1,
                      SearchClock(SearchBudget{0.0, 40000}), Task());
        REQUIRE(satisfies(problem, outcome.slotOfRank));
        CHECK(hopBytes(problem.flow, problem.distances, outcome.slotOfRank, 1) == problem.flow.totalSent());
    }
    const MappingProblem prime = problemOn(torusOf({31}), haloComm(31, 1), 1, random);
    CHECK(foldRanks(prime, foldingGrid(prime, prepareMapping(prime)->rules), 0, 1,
                    SearchClock(SearchBudget{0.0, 4000}), Task())
              .slotOfRank.empty());
    const MappingProblem uneven = problemOn(torusOf({3, 4}), haloComm(11, 1), 1, random);
    CHECK(foldRanks(uneven, foldingGrid(uneven, prepareMapping(uneven)->rules), 0, 1,
                    SearchClock(SearchBudget{0.0, 4000}), Task())
              .slotOfRank.empty());
}

TEST_CASE("remap: a part of a machine is folded onto full blocks first, remnants last")
{
    Random random(23);
    // Rows of four: 3 to 6 whole, two nodes of row 1 and two of row 9.
    MappingProblem part = problemOn(gridOf({{12, DimensionShape::Complete}, {4, DimensionShape::Complete}}),
                                    haloComm(5, 4), 1, random);
    part.openNodes.assign(48, 0);
    for (const std::uint32_t node : {6u, 7u, 36u, 37u}) part.openNodes[node] = 1;
    for (std::uint32_t node = 12; node < 28; ++node) part.openNodes[node] = 1;
    std::vector<std::uint32_t> places;
    for (std::uint32_t node = 12; node < 28; ++node) places.push_back(node);
    for (const std::uint32_t node : {6u, 7u, 36u, 37u}) places.push_back(node);
    part.current = places;
    std::reverse(part.current.begin(), part.current.end());
    const FoldingGrid room = foldingGrid(part, prepareMapping(part)->rules);
    CHECK(room.slotAt == places);
    CHECK(room.sizes == std::vector<std::uint32_t>{5, 1, 4, 1});
    MappingProblem scattered = part;
    std::fill(scattered.openNodes.begin(), scattered.openNodes.end(), std::uint8_t{0});
    for (std::uint32_t node = 0; node < 20; ++node)
        scattered.openNodes[scattered.current[node] = 2 * node] = 1;
    CHECK(foldingGrid(scattered, prepareMapping(scattered)->rules).slotAt.empty());
    const RemapResult one = remap(part, stepsOf(300000), Task().withThreads(1)).value();
    REQUIRE(satisfies(part, one.slotOfRank));
    CHECK(one.objectiveAfter < one.objectiveBefore);
    CHECK(one.slotOfRank == remap(part, stepsOf(300000), Task().withThreads(3)).value().slotOfRank);
}

TEST_CASE(
    "remap: a large job on a part of a machine is folded and keeps to its nodes, the same with any threads")
{
    Random random(29);
    MappingProblem part = problemOn(
        gridOf({{6, DimensionShape::Complete}, {8, DimensionShape::Complete}, {4, DimensionShape::Complete}}),
        haloComm(8, 16), 1, random);
    part.openNodes.assign(192, 0);
    for (std::uint32_t node = 20; node < 148; ++node) part.openNodes[node] = 1;
    std::iota(part.current.begin(), part.current.end(), 20u);
    for (std::uint32_t rank = 128; rank > 1; --rank)
        std::swap(part.current[rank - 1], part.current[random.below(rank)]);
    const RemapResult one = remap(part, stepsOf(2000000), Task().withThreads(1)).value();
    REQUIRE(satisfies(part, one.slotOfRank));
    CHECK(one.method == "folding");
    CHECK(one.objectiveAfter < one.objectiveBefore * 6 / 10);
    CHECK(one.slotOfRank == remap(part, stepsOf(2000000), Task().withThreads(3)).value().slotOfRank);
}

TEST_CASE("remap: on a hypercube folding finds the best of all linear maps")
{
    // Each bit of a node is a cut by a parity of rank bits; the cheapest independent parities cost least (a
    // matroid).
    constexpr std::uint32_t kBits = 5;
    Random random(37);
    MappingProblem problem =
        problemOn(torusOf({2, 2, 2, 2, 2}), randomComm(1u << kBits, 150, random), 1, random);
    std::vector<std::pair<std::int64_t, std::uint32_t>> cuts;
    for (std::uint32_t mask = 1; mask < 1u << kBits; ++mask) {
        std::int64_t cost = 0;
        for (std::uint32_t rank = 0; rank < problem.flow.ranks; ++rank) {
            for (std::uint32_t entry = problem.flow.first[rank]; entry < problem.flow.first[rank + 1];
                 ++entry) {
                const std::uint32_t peer = problem.flow.peer[entry];
                if (peer > rank && std::popcount(mask & (rank ^ peer)) % 2 == 1)
                    cost += static_cast<std::int64_t>(problem.flow.both(entry));
            }
        }
        cuts.emplace_back(cost, mask);
    }
    std::sort(cuts.begin(), cuts.end());
    std::int64_t least = 0;
    std::vector<std::uint32_t> spanned{0};
    for (const auto& [cost, mask] : cuts) {
        if (std::find(spanned.begin(), spanned.end(), mask) != spanned.end()) continue;
        least += cost;
        for (std::size_t i = spanned.size(); i-- > 0;) spanned.push_back(spanned[i] ^ mask);
    }
    REQUIRE(spanned.size() == 1u << kBits);
    const FoldingOutcome outcome = foldRanks(problem, foldingGrid(problem, prepareMapping(problem)->rules), 0,
                                             1, SearchClock(SearchBudget{0.0, 40000}), Task());
    CHECK(hopBytes(problem.flow, problem.distances, outcome.slotOfRank, 1) == least);
}

TEST_CASE("remap: folding places fewer ranks than slots, several a node, and ends at the target")
{
    Random random(19);
    const MappingProblem problem = problemOn(torusOf({4, 4, 2}), haloComm(8, 4), 2, random);
    const FoldingOutcome outcome = foldRanks(problem, foldingGrid(problem, prepareMapping(problem)->rules), 0,
                                             1, SearchClock(SearchBudget{0.0, 40000}), Task());
    REQUIRE(satisfies(problem, outcome.slotOfRank));
    const std::int64_t cost = hopBytes(problem.flow, problem.distances, outcome.slotOfRank, 2);
    const FoldingOutcome early = foldRanks(problem, foldingGrid(problem, prepareMapping(problem)->rules),
                                           cost, 1, SearchClock(SearchBudget{0.0, 4000000}), Task());
    CHECK(hopBytes(problem.flow, problem.distances, early.slotOfRank, 2) <= cost);
    CHECK(early.steps <= 40000);
}

TEST_CASE("ranks are grouped by threes and more: full groups, heavy edges inside")
{
    const FlowGraph line = makeFlowGraph(haloComm(24, 1));
    for (const std::uint32_t size : {3u, 4u, 6u}) {
        const auto group = groupRanks(line, size, 1, Task());
        std::vector<std::uint32_t> members(24 / size, 0);
        for (const std::uint32_t index : group) ++members.at(index);
        CHECK(
            std::all_of(members.begin(), members.end(), [&](std::uint32_t count) { return count == size; }));
        CHECK(contract(line, group, 24 / size, Task()).totalSent() <= 14 * 1900);
    }
}

TEST_CASE("remap: Scotch's map is a start on tori and meshes, the same each time, within the room of nodes")
{
    Random random(23);
    const SearchClock clock(SearchBudget{0.0, 1});
    for (const Distances& machine :
         {torusOf({4, 3, 4}), gridOf({{6, DimensionShape::Line}, {8, DimensionShape::Line}}),
          torusOf({3, 2, 3, 2, 1, 2, 2}), torusOf({2, 2, 2, 2, 2, 2})}) {
        const MappingProblem problem = problemOn(machine, haloComm(12, 10), 3, random);
        const auto slots = ScotchStart(problem, 1e9).wait(clock, 1.0, Task());
        REQUIRE(satisfies(problem, slots));
        CHECK(hopBytes(problem.flow, problem.distances, slots, 3)
              < hopBytes(problem.flow, problem.distances, problem.current, 3));
        CHECK(ScotchStart(problem, 1e9).wait(clock, 1.0, Task()) == slots);
        CHECK(ScotchStart(problem, 0.0).wait(clock, 1.0, Task()).empty());
    }
    const MappingProblem table = problemOn(randomTable(20, random), haloComm(20, 1), 1, random);
    CHECK(ScotchStart(table, 1e9).wait(clock, 1.0, Task()).empty());
}

TEST_CASE("remap: Scotch's map is a start on blocks in blocks, as fat trees are, and on no other table")
{
    Random random(27);
    const auto blocksOf = [](std::uint32_t nodes, bool broken) {
        std::vector<std::uint32_t> routers(nodes);
        std::iota(routers.begin(), routers.end(), 0u);
        std::vector<std::uint16_t> hops;
        for (std::uint32_t a = 0; a < nodes; ++a) {
            for (std::uint32_t b = 0; b < nodes; ++b)
                hops.push_back(static_cast<std::uint16_t>(a == b                 ? 0
                                                              : a / 4 == b / 4   ? 2
                                                              : a / 16 == b / 16 ? 4
                                                                                 : 6));
        }
        if (broken) std::swap(hops[nodes + 2], hops[nodes + 20]);
        return Distances::fromRouters(std::move(routers), nodes, hops, 0).value();
    };
    const MappingProblem tree = problemOn(blocksOf(64, false), haloComm(8, 8), 1, random);
    const SearchClock clock(SearchBudget{0.0, 1000});
    const auto map = ScotchStart(tree, 100.0).wait(clock, 1.0, Task());
    REQUIRE(satisfies(tree, map));
    CHECK(hopBytes(tree.flow, tree.distances, map, 1) < hopBytes(tree.flow, tree.distances, tree.current, 1));
    const MappingProblem broken = problemOn(blocksOf(64, true), haloComm(8, 8), 1, random);
    CHECK(ScotchStart(broken, 100.0).wait(clock, 1.0, Task()).empty());
}

TEST_CASE("remap: few open nodes of a large machine are searched as densely as a small machine")
{
    Random random(29);
    MappingProblem problem = problemOn(torusOf({8, 8, 8}), haloComm(4, 4), 2, random);
    problem.openNodes.assign(512, 0);
    for (std::uint32_t node = 0; node < 10; ++node) problem.openNodes[node * 37] = 1;
    for (std::uint32_t rank = 0; rank < 16; ++rank) problem.current[rank] = rank % 8 * 37 * 2 + rank / 8;
    const RemapResult result = remap(problem, stepsOf(5000), Task()).value();
    CHECK(result.method == "tabu");
    requireSound(problem, result);
    // The best until then is told while it searches, and not at its end alone.
    RemapParams watched = stepsOf(5000);
    std::vector<std::int64_t> told;
    watched.onMapping = [&](std::span<const std::uint32_t> slots) {
        told.push_back(hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode));
    };
    CHECK(remap(problem, watched, Task()).value().slotOfRank == result.slotOfRank);
    CHECK(told.size() > 1);
    CHECK(std::ranges::is_sorted(told, std::greater()));
    CHECK(told.back() == result.objectiveAfter);
    CHECK(result.history.size() == told.size() + 1);
    CHECK(result.history[1].steps < result.steps);
    CHECK(result.objectiveAfter < result.objectiveBefore);
    problem.constraints.pinned = {3};
    CHECK(remap(problem, stepsOf(5000), Task()).value().method == "annealing");
    CHECK_FALSE(remap(problem, stepsOf(5000, "tabu"), Task()));
}

TEST_CASE("ranks are paired with a partner each, heavy edges first")
{
    Random random(18);
    const FlowGraph flow = makeFlowGraph(haloComm(8, 2));
    const auto partner = pairRanks(flow, 1, Task());
    for (std::uint32_t rank = 0; rank < 16; ++rank) {
        CHECK(partner[partner[rank]] == rank);
        CHECK(partner[rank] != rank);
    }
}

}  // namespace skein::remap_test
