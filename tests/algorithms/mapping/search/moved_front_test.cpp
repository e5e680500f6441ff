// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/moved_front.h"

#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/moves/few_moves.h"
#include "algorithms/mapping/moves/path_relinking.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <limits>
#include <map>

namespace skein::moved_front_test {

using namespace skein::test;

namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

/// The least hop-bytes for each number of moved ranks, over all placements that meet the constraints.
std::vector<std::int64_t> exactFront(const MappingProblem& problem)
{
    std::vector<std::int64_t> least(problem.flow.ranks + 1, kNone);
    std::vector<std::uint32_t> order(problem.slots());
    std::iota(order.begin(), order.end(), 0u);
    do {
        const std::vector<std::uint32_t> slots(order.begin(), order.begin() + problem.flow.ranks);
        if (!satisfies(problem, slots)) continue;
        std::int64_t& best = least[countMoved(problem.current, slots)];
        best = std::min(best, hopBytes(problem.flow, problem.distances, slots, problem.ranksPerNode));
    } while (std::next_permutation(order.begin(), order.end()));
    return least;
}

std::int64_t leastWithin(const std::vector<std::int64_t>& least, std::uint32_t moved)
{
    return *std::min_element(least.begin(), least.begin() + moved + 1);
}

std::int64_t listedWithin(const std::vector<MovedTradeOff>& front, std::uint32_t moved)
{
    std::int64_t best = kNone;
    for (const MovedTradeOff& point : front)
        best = point.moved <= moved ? std::min(best, point.objective) : best;
    return best;
}

void checkPoints(const MappingProblem& problem, const std::vector<MovedTradeOff>& front)
{
    for (std::size_t i = 0; i < front.size(); ++i) {
        CHECK(satisfies(problem, front[i].slotOfRank));
        CHECK(countMoved(problem.current, front[i].slotOfRank) == front[i].moved);
        CHECK(hopBytes(problem.flow, problem.distances, front[i].slotOfRank, problem.ranksPerNode)
              == front[i].hopBytes);
        if (i == 0) continue;
        CHECK(front[i].moved > front[i - 1].moved);
        CHECK(front[i].objective < front[i - 1].objective);
    }
}

std::vector<MovedTradeOff> frontOf(const MappingProblem& problem, std::uint64_t steps, const Task& task)
{
    MovedFrontParams params;
    params.search.budget.steps = steps;
    const RemapResult result = remap(problem, params.search, Task()).value();
    return movedFront(problem, result.slotOfRank, params, SearchClock(SearchBudget{0.0, steps}), task);
}

}  // namespace

TEST_CASE("moved front: small problems against all placements; exact for up to two moved ranks")
{
    Random random(71);
    for (int round = 0; round < 8; ++round) {
        const bool table = round % 3 == 0;
        const std::uint32_t ranks = 5 + random.below(2), perNode = round % 4 == 1 ? 2 : 1;
        Distances distances =
            table ? randomTable(perNode == 2 ? 3 : 7, random) : torusOf({perNode == 2 ? 3u : 6u});
        MappingProblem problem =
            problemOn(std::move(distances), randomComm(ranks, 18, random), perNode, random);
        if (round % 4 == 2) problem.constraints.pinned = {1};
        if (round % 4 == 3) problem.constraints.apart = {{0, 2, 4}};
        const std::vector<std::int64_t> least = exactFront(problem);
        const auto front = frontOf(problem, 60'000, Task());
        INFO("round " << round << ", " << ranks << " ranks, " << front.size() << " points");
        REQUIRE(!front.empty());
        checkPoints(problem, front);
        CHECK(front.front().moved == 0);
        for (const MovedTradeOff& point : front) CHECK(point.objective >= least[point.moved]);
        for (std::uint32_t moved = 1; moved <= 2; ++moved)
            CHECK(listedWithin(front, moved) == leastWithin(least, moved));
        CHECK(front.back().objective == leastWithin(least, ranks));
    }
}

TEST_CASE("moved front: no point is worse than a search with that limit and budget, on any number of threads")
{
    Random random(72);
    MappingProblem problem = problemOn(torusOf({4, 4, 2}), randomComm(60, 400, random), 2, random);
    problem.constraints.together = {{3, 4}};
    problem.constraints.apart = {{7, 8, 9}};
    const std::uint64_t steps = 1'000'000;
    const auto front = frontOf(problem, steps, Task().withThreads(1));
    checkPoints(problem, front);
    const SearchClock clock(SearchBudget{0.0, steps});
    const auto ladder = movedLadder(problem, front.back().moved, clock, 1);
    REQUIRE(ladder.size() >= 4);
    for (const std::uint32_t limit : ladder) {
        MappingProblem limited = problem;
        limited.constraints.maxMoved = limit;
        RemapParams params;
        params.budget = budgetOfRung(problem, clock, ladder.size(), 1);
        const auto result = remap(limited, params, Task());
        if (result) CHECK(listedWithin(front, limit) <= result->objectiveAfter);
    }
    const auto again = frontOf(problem, steps, Task().withThreads(3));
    REQUIRE(again.size() == front.size());
    for (std::size_t i = 0; i < front.size(); ++i) CHECK(again[i].slotOfRank == front[i].slotOfRank);
}

TEST_CASE("moved front: without time it is no move and all moves")
{
    Random random(5);
    const MappingProblem problem = problemOn(torusOf({8, 8}), haloComm(8, 8), 1, random);
    MovedFrontParams params;
    params.search.budget.steps = 20000;
    const RemapResult result = remap(problem, params.search, Task()).value();
    const auto front =
        movedFront(problem, result.slotOfRank, params, SearchClock(SearchBudget{0.0, 0}), Task());
    REQUIRE(front.size() == 2);
    CHECK(front[0].hopBytes == result.objectiveBefore);
    CHECK(front[1].hopBytes == result.objectiveAfter);
    CHECK(front[1].moved == countMoved(problem.current, result.slotOfRank));
}

TEST_CASE("moved front: a placement with two blocks exchanged is mended with just these moves")
{
    Random random(6);
    MappingProblem problem = problemOn(torusOf({8, 8}), haloComm(8, 8), 1, random);
    std::iota(problem.current.begin(), problem.current.end(), 0u);
    const std::int64_t ordered = hopBytes(problem.flow, problem.distances, problem.current, 1);
    for (const std::uint32_t rank : {9u, 10u, 17u, 18u})
        std::swap(problem.current[rank], problem.current[rank + 28]);
    problem.constraints.maxMoved = 8;
    RemapParams params;
    params.budget.steps = 1'000'000;
    const RemapResult result = remap(problem, params, Task()).value();
    CHECK(satisfies(problem, result.slotOfRank));
    CHECK(result.objectiveAfter == ordered);
    params.budget.steps = 300'000;
    problem.constraints.maxMoved = 0;
    CHECK(remap(problem, params, Task()).value().slotOfRank == problem.current);
}

TEST_CASE("home walk: every step is a placement with the cost it tells, and ends where all are at home")
{
    Random random(73);
    for (const bool table : {false, true}) {
        const MappingProblem problem = problemOn(table ? randomTable(12, random) : torusOf({3, 4}),
                                                 randomComm(20, 120, random), 2, random);
        const PreparedMapping prepared = prepareMapping(problem).value();
        PathRelinking walk(problem, prepared, shuffledSlots(20, 24, random), 1000);
        std::uint32_t before = walk.moved();
        while (walk.step()) {
            CHECK(satisfies(problem, walk.slotOfRank()));
            CHECK(walk.moved() == countMoved(problem.current, walk.slotOfRank()));
            CHECK(walk.moved() < before);
            CHECK(walk.hopBytes() == hopBytes(problem.flow, problem.distances, walk.slotOfRank(), 2));
            before = walk.moved();
        }
        CHECK(walk.moved() == 0);
    }
}

TEST_CASE("home walk: groups that stay together stay, and no rank takes a place beside one that it is kept "
          "apart from")
{
    Random random(74);
    MappingProblem problem = problemOn(torusOf({3, 4}), randomComm(20, 120, random), 2, random);
    problem.constraints.together = {{0, 1}, {5, 6}};
    problem.constraints.apart = {{2, 3, 4}};
    RemapParams params;
    params.budget.steps = 100'000;
    const RemapResult result = remap(problem, params, Task()).value();
    const PreparedMapping prepared = prepareMapping(problem).value();
    PathRelinking walk(problem, prepared, result.slotOfRank, 1000);
    while (walk.step()) CHECK(satisfies(problem, walk.slotOfRank()));
    for (const std::uint32_t rank : {0u, 1u, 5u, 6u})
        CHECK(walk.slotOfRank()[rank] == result.slotOfRank[rank]);
}

TEST_CASE("few moves: a wide beam finds the best of every number of moves that all placements have")
{
    Random random(75);
    for (int round = 0; round < 6; ++round) {
        const MappingProblem problem =
            problemOn(randomTable(6, random), randomComm(5, 20, random), 1, random);
        const std::vector<std::int64_t> least = exactFront(problem);
        std::uint64_t steps = 0;
        const auto found = searchFewMoves(problem, prepareMapping(problem).value().rules, problem.current, 5,
                                          1000, SearchClock(SearchBudget{0.0, 1u << 30}), steps, Task());
        CHECK(steps > 0);
        for (const FewMoves& few : found) CHECK(few.hopBytes == least[few.moved]);
        CHECK(found.size() == 6);
    }
}

}  // namespace skein::moved_front_test
