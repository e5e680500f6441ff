// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/repair.h"

#include "algorithms/mapping/constraints/capacity_left.h"
#include "algorithms/mapping/constraints/placement_units.h"
#include "algorithms/mapping/constraints/unit_flow.h"
#include "algorithms/mapping/constraints/unit_search.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/remap.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace skein::repair_test {
namespace {

using namespace skein::test;

/// Tries every slot for every rank.
class EveryPlacement {
public:
    explicit EveryPlacement(const MappingProblem& problem)
        : problem_(problem), slots_(problem.flow.ranks), taken_(problem.slots(), 0)
    {
        place(0);
    }

    /// The fewest ranks that move in a placement that meets the constraints; nothing where there is none.
    std::optional<std::uint32_t> fewestMoved() const { return fewest_; }
    std::int64_t leastHopBytes() const { return least_; }

private:
    void place(std::uint32_t rank)
    {
        if (rank == slots_.size()) return judge();
        for (std::uint32_t slot = 0; slot < taken_.size(); ++slot) {
            if (taken_[slot]) continue;
            taken_[slot] = 1;
            slots_[rank] = slot;
            place(rank + 1);
            taken_[slot] = 0;
        }
    }
    void judge()
    {
        if (!satisfies(problem_, slots_)) return;
        const std::uint32_t moved = countMoved(problem_.current, slots_);
        fewest_ = std::min(fewest_.value_or(moved), moved);
        least_ = std::min(least_, hopBytes(problem_.flow, problem_.distances, slots_, problem_.ranksPerNode));
    }

    const MappingProblem& problem_;
    std::vector<std::uint32_t> slots_;
    std::vector<std::uint8_t> taken_;
    std::optional<std::uint32_t> fewest_;
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

std::vector<std::uint32_t> someRanks(std::uint32_t ranks, std::uint32_t count, Random& random)
{
    std::vector<std::uint32_t> all = shuffledSlots(ranks, ranks, random);
    all.resize(std::min(count, ranks));
    return all;
}

/// Six or seven ranks on seven to nine slots with constraints of every kind.
MappingProblem randomProblem(Random& random)
{
    const bool fours = random.below(3) == 0;
    const std::uint32_t nodes = fours ? 2 : 3 + random.below(2), perNode = fours ? 4 : 2;
    const std::uint32_t ranks = nodes * perNode - random.below(3);
    MappingProblem problem = problemOn(torusOf({nodes}), randomComm(ranks, 20, random), perNode, random);
    MappingConstraints& constraints = problem.constraints;
    for (std::uint32_t i = random.below(4); i > 0; --i)
        constraints.apart.push_back(someRanks(ranks, 2 + random.below(2), random));
    if (random.below(3) == 0) constraints.together.push_back(someRanks(ranks, 2, random));
    if (random.below(4) == 0) constraints.together.push_back(someRanks(ranks, 2, random));
    if (random.below(3) == 0) constraints.pinned = someRanks(ranks, 1 + random.below(2), random);
    if (random.below(3) == 0) {
        constraints.nodeCapacity.assign(nodes, perNode);
        constraints.nodeCapacity[random.below(nodes)] -= 1;
    }
    if (fours && random.below(2) == 0) {
        constraints.coresPerSocket = 2;
        constraints.socketCapacity.assign(nodes * 2, 2);
        constraints.socketCapacity[random.below(nodes * 2)] = 1;
    }
    return problem;
}

bool proven(const Error& error) { return error.message.find("not proven") == std::string::npos; }

TEST_CASE("repair: on a full machine ranks kept apart exchange places")
{
    Random random(3);
    MappingProblem problem =
        problemOn(gridOf({{4, DimensionShape::Line}}), randomComm(8, 20, random), 2, random);
    std::iota(problem.current.begin(), problem.current.end(), 0u);
    problem.constraints.apart = {{0, 1}};
    const auto repaired = repairPlacement(problem, Task());
    REQUIRE(repaired.has_value());
    CHECK(satisfies(problem, repaired->slotOfRank));
    CHECK(countMoved(problem.current, repaired->slotOfRank) == 2);
    RemapParams params;
    params.budget.steps = 1000;
    CHECK(satisfies(problem, remap(problem, params, Task()).value().slotOfRank));
}

TEST_CASE("repair: a placement is found whenever there is one, within any limit of moves")
{
    Random random(81);
    int possible = 0, impossible = 0;
    for (int trial = 0; trial < 150; ++trial) {
        MappingProblem problem = randomProblem(random);
        const auto fewest = EveryPlacement(problem).fewestMoved();
        INFO("trial " << trial);
        const auto repaired = repairPlacement(problem, Task());
        REQUIRE(repaired.has_value() == fewest.has_value());
        ++(fewest ? possible : impossible);
        if (!repaired) CHECK(proven(repaired.error()));
        if (!fewest) continue;
        CHECK(satisfies(problem, repaired->slotOfRank));
        for (const std::uint32_t slot : repaired->slotOfRank) CHECK(repaired->usable[slot] == 1);
        problem.constraints.maxMoved = *fewest;
        const auto exact = repairPlacement(problem, Task());
        REQUIRE(exact.has_value());
        CHECK(satisfies(problem, exact->slotOfRank));
        if (*fewest == 0) continue;
        problem.constraints.maxMoved = *fewest - 1;
        const auto none = repairPlacement(problem, Task());
        REQUIRE_FALSE(none.has_value());
        CHECK(proven(none.error()));
    }
    CHECK(possible > 50);
    CHECK(impossible > 5);
}

TEST_CASE("repair: capacities alone are met or told, and so is a job without ranks")
{
    Random random(87);
    MappingProblem problem = problemOn(torusOf({3}), randomComm(6, 20, random), 4, random);
    problem.current = {0, 1, 2, 3, 4, 5};
    problem.constraints.coresPerSocket = 2;
    problem.constraints.socketCapacity = {1, 1, 1, 1, 1, 1};
    CHECK(countMoved(problem.current, repairPlacement(problem, Task())->slotOfRank) == 3);
    problem.constraints.maxMoved = 2;
    const auto few = repairPlacement(problem, Task());
    REQUIRE_FALSE(few.has_value());
    CHECK(few.error().message.find("moves more than 2 ranks") != std::string::npos);
    problem.flow = makeFlowGraph(CommMatrix(0, {}));
    problem.current.clear();
    CHECK(repairPlacement(problem, Task())->slotOfRank.empty());
}

TEST_CASE("repair: flows and searches of all placements move the same number of ranks")
{
    Random random(82);
    for (int trial = 0; trial < 40; ++trial) {
        const std::uint32_t ranks = 40 - random.below(5);
        MappingProblem problem = problemOn(torusOf({10}), randomComm(ranks, 50, random), 4, random);
        std::iota(problem.current.begin(), problem.current.end(), 0u);
        const auto mixed = someRanks(ranks, 12, random);
        problem.constraints.apart = {{mixed.begin(), mixed.begin() + 4 + random.below(3)},
                                     {mixed.begin() + 7, mixed.end()}};
        const auto units = makePlacementUnits(problem, usableSlots(problem, {})).value();
        REQUIRE(flowIsExact(units));
        const auto flow = flowOfUnits(problem, units, Task());
        REQUIRE(flow.has_value());
        const UnitNodes searched =
            searchUnits(problem, units, UnitGoal::FewestMoves, kNoRank, 300'000'000, Task());
        INFO("trial " << trial);
        REQUIRE(searched.complete);
        CHECK(searched.moved == flow->moved);
        problem.constraints.maxMoved = flow->moved;
        CHECK(repairPlacement(problem, Task()).has_value());
    }
}

/// Ranks in several groups each, drawn so that a hidden placement keeps them all apart.
MappingProblem hiddenPlacement(std::uint32_t nodes, std::uint32_t perNode, std::uint32_t groups,
                               Random& random)
{
    const std::uint32_t ranks = nodes * perNode;
    MappingProblem problem =
        problemOn(torusOf({nodes}), randomComm(ranks, 4 * ranks, random), perNode, random);
    std::iota(problem.current.begin(), problem.current.end(), 0u);
    const std::vector<std::uint32_t> hidden = shuffledSlots(ranks, ranks, random);
    for (std::uint32_t group = 0; group < groups; ++group) {
        std::vector<std::uint32_t> members;
        std::vector<std::uint8_t> used(nodes, 0);
        for (const std::uint32_t rank : someRanks(ranks, nodes, random)) {
            if (used[hidden[rank] / perNode]++ == 0) members.push_back(rank);
        }
        problem.constraints.apart.push_back(members);
    }
    return problem;
}

TEST_CASE("repair: hundreds of ranks in several groups each on a full machine find the places there are")
{
    Random random(83);
    for (const std::uint32_t groups : {4u, 12u, 24u}) {
        const MappingProblem problem = hiddenPlacement(64, 4, groups, random);
        INFO(groups << " groups");
        const auto repaired = repairPlacement(problem, Task());
        REQUIRE(repaired.has_value());
        CHECK(satisfies(problem, repaired->slotOfRank));
    }
}

TEST_CASE("repair: too many ranks kept apart, or more moves than allowed, are told of large machines too")
{
    Random random(84);
    MappingProblem problem = problemOn(torusOf({500}), randomComm(4000, 9000, random), 8, random);
    std::iota(problem.current.begin(), problem.current.end(), 0u);
    std::vector<std::uint32_t> group(501);
    std::iota(group.begin(), group.end(), 0u);
    problem.constraints.apart = {group};
    const auto none = repairPlacement(problem, Task());
    REQUIRE_FALSE(none.has_value());
    CHECK(none.error().message.find("No placement meets all constraints") == 0);
    problem.constraints.apart.front().pop_back();
    const auto repaired = repairPlacement(problem, Task());
    REQUIRE(repaired.has_value());
    CHECK(satisfies(problem, repaired->slotOfRank));
    // Of the 500 ranks on the first 63 nodes one stays on each; the others exchange places with ranks of
    // theirs.
    problem.constraints.maxMoved = 2 * (500 - 63);
    CHECK(repairPlacement(problem, Task()).has_value());
    problem.constraints.maxMoved -= 1;
    const auto few = repairPlacement(problem, Task());
    REQUIRE_FALSE(few.has_value());
    CHECK(few.error().message.find("at least 874") != std::string::npos);
}

TEST_CASE("repair: constraints that contradict each other are told")
{
    Random random(85);
    MappingProblem problem = problemOn(torusOf({4}), randomComm(8, 20, random), 2, random);
    std::iota(problem.current.begin(), problem.current.end(), 0u);
    const auto message = [&] { return repairPlacement(problem, Task()).error().message; };
    problem.constraints.together = {{0, 4}};
    problem.constraints.apart = {{0, 4}};
    CHECK(message().find("both on the node") != std::string::npos);
    problem.constraints.apart.clear();
    problem.constraints.pinned = {0, 4};
    CHECK(message().find("pinned to another node") != std::string::npos);
    problem.constraints = {};
    problem.constraints.freeNodes = {1};
    CHECK(message().find("may hold only 6") != std::string::npos);
}

TEST_CASE("remap: under a limit of moves it is chosen which ranks leave a node that holds too many")
{
    Random random(86);
    int limited = 0;
    for (int trial = 0; trial < 120; ++trial) {
        MappingProblem problem = randomProblem(random);
        problem.constraints.together.clear();
        const std::uint32_t nodes = problem.distances.nodes();
        problem.constraints.nodeCapacity.assign(nodes, problem.ranksPerNode);
        problem.constraints.nodeCapacity[random.below(nodes)] -= 1;
        problem.constraints.maxMoved = 1 + random.below(4);
        const EveryPlacement every(problem);
        RemapParams params;
        params.budget.steps = 60'000;
        const auto result = remap(problem, params, Task());
        INFO("trial " << trial);
        REQUIRE(result.has_value() == every.fewestMoved().has_value());
        if (!result) continue;
        ++limited;
        CHECK(satisfies(problem, result->slotOfRank));
        CHECK(result->objectiveAfter == every.leastHopBytes());
    }
    CHECK(limited > 40);
}

}  // namespace
}  // namespace skein::repair_test
