// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/constraints/prepared_mapping.h"
#include "algorithms/mapping/constraints/socket_order.h"
#include "algorithms/mapping/problem/hop_bytes.h"
#include "algorithms/mapping/search/remap.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace skein::capacity_test {

using namespace skein::test;

namespace {

constexpr std::uint32_t kNodes = 3;
constexpr std::uint32_t kCores = 4;
constexpr std::uint32_t kSocketCores = 2;
constexpr std::uint32_t kSockets = kNodes * kCores / kSocketCores;

RemapParams stepsOf(std::uint64_t steps)
{
    RemapParams params;
    params.budget.steps = steps;
    return params;
}

/// Every node holds at least one rank and the sockets at least two fewer than they have cores.
void limitRoom(MappingProblem& problem, Random& random)
{
    problem.constraints.coresPerSocket = kSocketCores;
    for (std::uint32_t node = 0; node < kNodes; ++node)
        problem.constraints.nodeCapacity.push_back(2 + random.below(3));
    for (std::uint32_t socket = 0; socket < kSockets; ++socket)
        problem.constraints.socketCapacity.push_back(1 + (socket % 3 == 0 ? 0 : random.below(2)));
}

/// A placement within the capacities, in random slots of the sockets.
std::vector<std::uint32_t> placementWithin(const MappingProblem& problem, Random& random)
{
    for (;;) {
        auto slots = shuffledSlots(problem.flow.ranks, problem.slots(), random);
        MappingProblem now = problem;
        now.current = slots;
        if (satisfies(now, slots)) return slots;
    }
}

/// Tries every socket for every rank; the first free core stands for all of a socket.
class EveryPlacement {
public:
    explicit EveryPlacement(const MappingProblem& problem)
        : problem_(problem), held_(kSockets, 0), slots_(problem.flow.ranks)
    {
    }

    std::int64_t leastHopBytes()
    {
        place(0);
        return least_;
    }

private:
    bool fits(std::uint32_t socket) const
    {
        const std::uint32_t node = socket / 2;
        return held_[socket] < problem_.constraints.socketCapacity[socket]
            && held_[2 * node] + held_[2 * node + 1] < problem_.constraints.nodeCapacity[node];
    }
    void place(std::uint32_t rank)
    {
        if (rank == slots_.size()) {
            least_ = std::min(least_, hopBytes(problem_.flow, problem_.distances, slots_, kCores));
            return;
        }
        for (std::uint32_t socket = 0; socket < kSockets; ++socket) {
            if (!fits(socket)) continue;
            slots_[rank] = socket * kSocketCores + held_[socket]++;
            place(rank + 1);
            --held_[socket];
        }
    }

    const MappingProblem& problem_;
    std::vector<std::uint32_t> held_;
    std::vector<std::uint32_t> slots_;
    std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
};

std::vector<std::uint32_t> heldBySockets(const MappingProblem& problem,
                                         std::span<const std::uint32_t> slotOfRank)
{
    std::vector<std::uint32_t> held(kSockets, 0);
    for (const std::uint32_t slot : slotOfRank) ++held.at(problem.socketOf(slot));
    return held;
}

/// Random communication on a random machine with limits, and a placement within them.
MappingProblem limitedProblem(Random& random)
{
    MappingProblem problem =
        problemOn(randomTable(kNodes, random), randomComm(5, 14, random), kCores, random);
    limitRoom(problem, random);
    problem.current = placementWithin(problem, random);
    return problem;
}

}  // namespace

TEST_CASE("remap: within random capacities of nodes and sockets, the best of all placements is found")
{
    Random random(41);
    for (int trial = 0; trial < 25; ++trial) {
        MappingProblem problem = limitedProblem(random);
        const RemapResult result = remap(problem, stepsOf(4000), Task()).value();
        CHECK(satisfies(problem, result.slotOfRank));
        const auto held = heldBySockets(problem, result.slotOfRank);
        for (std::uint32_t socket = 0; socket < kSockets; ++socket)
            CHECK(held[socket] <= problem.constraints.socketCapacity[socket]);
        CHECK(result.objectiveAfter <= result.objectiveBefore);
        CHECK(result.objectiveAfter == EveryPlacement(problem).leastHopBytes());
    }
}

TEST_CASE("remap: a placement within the capacities is a candidate, whichever slots of its sockets it takes")
{
    Random random(43);
    for (int trial = 0; trial < 25; ++trial) {
        MappingProblem problem = limitedProblem(random);
        problem.constraints.pinned = {1, 3};
        CHECK(prepareMapping(problem).value().startIsCurrent);
        problem.constraints.maxMoved = 0;
        CHECK(remap(problem, stepsOf(2000), Task()).value().slotOfRank == problem.current);
    }
}

TEST_CASE("remap: ranks beyond the capacity of a socket leave it, and pinned ones beyond it are refused")
{
    Random random(47);
    MappingProblem problem = problemOn(torusOf({kNodes}), randomComm(4, 9, random), kCores, random);
    problem.current = {0, 1, 2, 3};
    problem.constraints.coresPerSocket = kSocketCores;
    problem.constraints.socketCapacity = {0, 1, 2, 2, 1, 1};
    const RemapResult result = remap(problem, stepsOf(2000), Task()).value();
    CHECK(satisfies(problem, result.slotOfRank));
    CHECK_FALSE(satisfies(problem, problem.current));
    problem.constraints.pinned = {2, 3};
    CHECK(remap(problem, stepsOf(2000), Task()).error().message.find("no room") != std::string::npos);
    problem.constraints.pinned.clear();
    problem.constraints.socketCapacity = {1, 1};
    CHECK_FALSE(remap(problem, stepsOf(2000), Task()).has_value());
}

TEST_CASE("remap: fewest bytes between sockets among all orders inside the nodes, as a level of their own")
{
    Random random(53);
    for (int trial = 0; trial < 20; ++trial) {
        MappingProblem problem = problemOn(torusOf({4}), randomComm(16, 80, random), kCores, random);
        const std::int64_t hopsOnly = remap(problem, stepsOf(3000), Task()).value().objectiveAfter;
        problem.constraints.coresPerSocket = kSocketCores;
        RemapResult result = remap(problem, stepsOf(3000), Task()).value();
        CHECK(result.objectiveAfter == hopsOnly);
        CHECK(satisfies(problem, result.slotOfRank));
        const std::int64_t found = bytesBetweenSockets(problem, result.slotOfRank);
        const auto rankAt = ranksOfSlots(result.slotOfRank, problem.slots());
        for (std::uint32_t node = 0; node < 4; ++node) {
            for (const auto& [a, b] : {std::pair{0u, 2u}, {0u, 3u}}) {
                auto other = result.slotOfRank;
                std::swap(other[rankAt[node * kCores + a]], other[rankAt[node * kCores + b]]);
                CHECK(bytesBetweenSockets(problem, other) >= found);
            }
        }
    }
}

TEST_CASE("remap: orders inside the nodes keep pinned ranks, capacities and the limit of moves")
{
    Random random(59);
    for (int trial = 0; trial < 20; ++trial) {
        MappingProblem problem = problemOn(torusOf({kNodes}), randomComm(5, 30, random), kCores, random);
        limitRoom(problem, random);
        problem.current = placementWithin(problem, random);
        problem.constraints.pinned = {2};
        problem.constraints.maxMoved = 1 + random.below(3);
        auto slots = problem.current;
        orderSockets(problem, slots, SearchClock(SearchBudget{0.0, 1}), Task());
        CHECK(satisfies(problem, slots));
        CHECK(bytesBetweenSockets(problem, slots) <= bytesBetweenSockets(problem, problem.current));
        CHECK(hopBytes(problem.flow, problem.distances, slots, kCores)
              == hopBytes(problem.flow, problem.distances, problem.current, kCores));
    }
}

}  // namespace skein::capacity_test
