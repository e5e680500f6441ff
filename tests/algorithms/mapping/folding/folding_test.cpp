// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/folding/folding.h"
#include "algorithms/mapping/folding/sampled_cost.h"
#include "tests/algorithms/mapping/mapping_support.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <stop_token>
#include <thread>

namespace skein::folding_test {

using namespace skein::test;

namespace {

struct PlainPair {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    double bytes = 0.0;
};

std::vector<PlainPair> pairsOf(const FlowGraph& flow)
{
    std::vector<PlainPair> pairs;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            if (flow.peer[entry] >= rank)
                pairs.push_back({rank, flow.peer[entry], static_cast<double>(flow.both(entry))});
        }
    }
    return pairs;
}

/// Flows of some ranks only, those between others without bytes.
CommMatrix patchyComm(std::uint32_t ranks, Random& random)
{
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t i = 0; i < 20 * ranks; ++i) {
        const std::uint32_t sender = random.below(ranks) / 3 * 3, receiver = random.below(ranks) / 3 * 3;
        entries.push_back({sender, receiver, 1, random.below(3) == 0 ? 0 : random.below(1000)});
    }
    return {ranks, std::move(entries)};
}

MappingProblem halosOn(Distances distances, std::uint32_t width, std::uint32_t height)
{
    MappingProblem problem;
    problem.flow = makeFlowGraph(haloComm(width, height));
    problem.distances = std::move(distances);
    problem.ranksPerNode = 1;
    problem.current.resize(problem.flow.ranks);
    std::iota(problem.current.begin(), problem.current.end(), 0u);
    return problem;
}

FoldingGrid wholeGrid(std::vector<std::uint32_t> sizes)
{
    FoldingGrid grid;
    std::uint32_t places = 1;
    for (const std::uint32_t size : sizes) places *= size;
    grid.sizes = std::move(sizes);
    grid.slotAt.resize(places);
    std::iota(grid.slotAt.begin(), grid.slotAt.end(), 0u);
    return grid;
}

bool isPermutation(std::vector<std::uint32_t> slots)
{
    std::sort(slots.begin(), slots.end());
    for (std::uint32_t i = 0; i < slots.size(); ++i) {
        if (slots[i] != i) return false;
    }
    return true;
}

Task stoppedTask()
{
    std::stop_source stop;
    stop.request_stop();
    return Task(stop.get_token());
}

}  // namespace

TEST_CASE("a sample of flows draws the pairs that the sums of all of them tell")
{
    Random random(7);
    for (int trial = 0; trial < 10; ++trial) {
        const MappingProblem problem = problemOn(torusOf({5, 6, 10}), patchyComm(300, random), 1, random);
        const std::vector<PlainPair> pairs = pairsOf(problem.flow);
        std::vector<double> cumulated;
        for (const PlainPair& pair : pairs)
            cumulated.push_back((cumulated.empty() ? 0.0 : cumulated.back()) + pair.bytes);
        std::vector<std::uint32_t> places(300);
        std::iota(places.begin(), places.end(), 0u);
        const SampledCost cost(problem, places, Task());
        constexpr std::size_t kWanted = 250;
        REQUIRE(pairs.size() > kWanted);
        const auto seed = static_cast<std::uint64_t>(trial);
        Random ours(seed), plain(seed);
        const FlowSample sample = cost.sample(kWanted, ours);
        const double step = cumulated.back() / static_cast<double>(kWanted);
        REQUIRE(sample.size() == kWanted);
        for (std::size_t i = 0; i < kWanted; ++i) {
            const double at = (static_cast<double>(i) + plain.unit()) * step;
            const auto found = static_cast<std::size_t>(
                std::lower_bound(cumulated.begin(), cumulated.end(), at) - cumulated.begin());
            CHECK(sample.from[i] == pairs[found].from);
            CHECK(sample.to[i] == pairs[found].to);
            CHECK(sample.weight[i] == step);
        }
        const FlowSample all = cost.sample(pairs.size(), ours);
        REQUIRE(all.size() == pairs.size());
        for (std::size_t i = 0; i < pairs.size(); ++i) {
            CHECK(all.from[i] == pairs[i].from);
            CHECK(all.to[i] == pairs[i].to);
            CHECK(all.weight[i] == pairs[i].bytes);
        }
        CHECK(SampledCost(problem, places, stoppedTask()).sample(kWanted, ours).size() == 0);
    }
}

TEST_CASE("folding that was stopped before it began has a map on a small machine, and none on a large one")
{
    const SearchClock clock(SearchBudget{60.0, 0});
    const FoldingOutcome small =
        foldRanks(halosOn(torusOf({8, 8}), 16, 4), wholeGrid({8, 8}), 0, 1, clock, stoppedTask());
    CHECK(small.slotOfRank.size() == 64);
    CHECK(isPermutation(small.slotOfRank));
    const FoldingOutcome large = foldRanks(halosOn(torusOf({64, 32, 40}), 512, 160), wholeGrid({64, 32, 40}),
                                           0, 1, clock, stoppedTask());
    CHECK(large.slotOfRank.empty());
}

TEST_CASE("folding onto a large machine that is stopped while it anneals has a map")
{
    const MappingProblem problem = halosOn(torusOf({64, 32, 40}), 512, 160);
    std::stop_source stop;
    const std::jthread stopper([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(400));
        stop.request_stop();
    });
    const FoldingOutcome outcome = foldRanks(problem, wholeGrid({64, 32, 40}), 0, 1,
                                             SearchClock(SearchBudget{60.0, 0}), Task(stop.get_token()));
    CHECK(outcome.slotOfRank.size() == problem.flow.ranks);
    CHECK(isPermutation(outcome.slotOfRank));
    CHECK(outcome.steps > 0);
}

}  // namespace skein::folding_test
