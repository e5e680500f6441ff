// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/problem/hop_bytes.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <stop_token>

namespace skein::hop_bytes_test {

using namespace skein::test;

namespace {

std::int64_t hopBytesOfMatrix(const CommMatrix& comm, const Distances& distances,
                              std::span<const std::uint32_t> slots, std::uint32_t ranksPerNode)
{
    std::int64_t sum = 0;
    for (const auto& entry : comm.entries()) {
        sum += static_cast<std::int64_t>(entry.bytes)
            * distances.between(slots[entry.sender] / ranksPerNode, slots[entry.receiver] / ranksPerNode);
    }
    return sum;
}

}  // namespace

TEST_CASE("hop-bytes are the sum over messages, on symmetric and asymmetric machines")
{
    Random random(1);
    for (int trial = 0; trial < 20; ++trial) {
        const CommMatrix comm = randomComm(20, 80, random);
        for (const Distances& distances : {torusOf({3, 4}), randomTable(12, random)}) {
            const MappingProblem problem = problemOn(distances, comm, 2, random);
            CHECK(hopBytes(problem.flow, distances, problem.current, 2)
                  == hopBytesOfMatrix(comm, distances, problem.current, 2));
        }
    }
}

TEST_CASE("hop-bytes of many ranks are the same on any number of threads, and unknown after a stop")
{
    Random random(4);
    const Distances distances = torusOf({30, 20, 20});
    const MappingProblem problem = problemOn(distances, randomComm(24'000, 60'000, random), 2, random);
    const std::int64_t sum = hopBytes(problem.flow, distances, problem.current, 2);
    for (const int threads : {1, 2, 5})
        CHECK(hopBytes(problem.flow, distances, problem.current, 2, Task().withThreads(threads)) == sum);
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(hopBytes(problem.flow, distances, problem.current, 2, Task(stop.get_token())).has_value());
}

TEST_CASE("the change of a swap equals full evaluation, empty slots and asymmetric machines included")
{
    Random random(2);
    for (int trial = 0; trial < 60; ++trial) {
        const Distances distances = trial % 2 == 0 ? torusOf({3, 2, 2}) : randomTable(12, random);
        const MappingProblem problem = problemOn(distances, randomComm(20, 120, random), 2, random);
        const auto rankAt = ranksOfSlots(problem.current, problem.slots());
        const std::uint32_t slot = random.below(24), other = random.below(24);
        if (slot == other) continue;
        auto after = problem.current;
        if (rankAt[slot] != kNoRank) after[rankAt[slot]] = other;
        if (rankAt[other] != kNoRank) after[rankAt[other]] = slot;
        const std::int64_t change =
            hopBytesChange(problem.flow, distances, problem.current, rankAt, 2, slot, other);
        CHECK(hopBytes(problem.flow, distances, after, 2)
                  - hopBytes(problem.flow, distances, problem.current, 2)
              == change);
    }
}

TEST_CASE("contracting ranks keeps the flows between groups and drops those inside")
{
    Random random(3);
    const FlowGraph flow = makeFlowGraph(randomComm(12, 60, random));
    std::vector<std::uint32_t> group(12);
    for (std::uint32_t rank = 0; rank < 12; ++rank) group[rank] = rank / 3;
    const FlowGraph contracted = contract(flow, group, 4, Task());
    for (std::uint32_t a = 0; a < 4; ++a) {
        CHECK(contracted.between(a, a) == 0);
        for (std::uint32_t b = 0; b < 4; ++b) {
            if (a == b) continue;
            std::int64_t sum = 0;
            for (std::uint32_t i = 0; i < 12; ++i) {
                for (std::uint32_t j = 0; j < 12; ++j) {
                    if (group[i] == a && group[j] == b) sum += flow.between(i, j);
                }
            }
            CHECK(contracted.between(a, b) == sum);
        }
    }
}

TEST_CASE("communication without sizes is weighed by messages")
{
    const CommMatrix comm(2, {{0, 1, 7, 0}});
    CHECK(makeFlowGraph(comm).between(0, 1) == 7);
}

TEST_CASE("amounts whose hop-bytes could overflow are refused")
{
    const CommMatrix comm(2, {{0, 1, 1, std::uint64_t{1} << 61}});
    CHECK(!checkRange(makeFlowGraph(comm), torusOf({4})));
}

}  // namespace skein::hop_bytes_test
