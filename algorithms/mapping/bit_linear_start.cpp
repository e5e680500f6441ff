// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/bit_linear_start.h"

#include "algorithms/mapping/random.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace skein {
namespace {

constexpr std::size_t kSample = 4000;
/// Annealings side by side, whatever the threads; the best counts. Steps of the clock are counted for each.
constexpr std::size_t kChains = 2;
constexpr double kFirstHeat = 0.02;   ///< of the cost at the start
constexpr double kCooling = 0.02;     ///< last heat / first heat

struct SampledFlow {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::int64_t bytes = 0;
};

/// A fixed sample of all pairs of ranks that talk, each once.
std::vector<SampledFlow> sampleOf(const FlowGraph& flow, Random& random)
{
    std::vector<SampledFlow> flows;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            if (flow.peer[entry] > rank) flows.push_back({rank, flow.peer[entry], flow.both(entry)});
        }
    }
    const std::size_t wanted = std::min(kSample, flows.size());
    for (std::size_t i = 0; i < wanted; ++i) {
        std::swap(flows[i], flows[i + random.below(static_cast<std::uint32_t>(flows.size() - i))]);
    }
    flows.resize(wanted);
    return flows;
}

/// The images of the bits of a rank.
using BitMatrix = std::vector<std::uint32_t>;

std::uint32_t imageOf(const BitMatrix& matrix, std::uint32_t rank)
{
    std::uint32_t slot = 0;
    for (; rank != 0; rank &= rank - 1) slot ^= matrix[static_cast<std::size_t>(std::countr_zero(rank))];
    return slot;
}

/// Exchanges two columns, adds one to another, or adds one row to another: each keeps the matrix invertible.
void alter(BitMatrix& matrix, Random& random)
{
    const auto bits = static_cast<std::uint32_t>(matrix.size());
    const std::uint32_t i = random.below(bits);
    const std::uint32_t j = (i + 1 + random.below(bits - 1)) % bits;
    switch (random.below(3)) {
        case 0: std::swap(matrix[i], matrix[j]); break;
        case 1: matrix[i] ^= matrix[j]; break;
        default:
            for (std::uint32_t& column : matrix) column ^= ((column >> i) & 1u) << j;
    }
}

double costOf(const BitMatrix& matrix, const std::vector<SampledFlow>& flows, const Distances& distances, std::uint32_t ranksPerNode)
{
    return distances.visit([&](const auto& hops) {
        double sum = 0.0;
        for (const SampledFlow& flow : flows) {
            sum += static_cast<double>(flow.bytes) * hops.between(imageOf(matrix, flow.from) / ranksPerNode, imageOf(matrix, flow.to) / ranksPerNode);
        }
        return sum;
    });
}

/// One annealing of the matrix from the identity.
struct Chain {
    BitMatrix best;
    double bestCost = 0.0;
    std::uint64_t steps = 0;
};

Chain runChain(const MappingProblem& problem, const std::vector<SampledFlow>& flows, std::uint64_t seed, const SearchClock& clock, const Task& task)
{
    Random random(seed);
    BitMatrix matrix;
    for (std::uint32_t bit = 1; bit < problem.slots(); bit *= 2) matrix.push_back(bit);
    double cost = costOf(matrix, flows, problem.distances, problem.ranksPerNode);
    const double heat = kFirstHeat * cost;
    Chain chain{matrix, cost, 0};
    for (double spent = 0.0; spent < 1.0 && !task.stopRequested(); spent = clock.spent(++chain.steps)) {
        BitMatrix next = matrix;
        alter(next, random);
        const double nextCost = costOf(next, flows, problem.distances, problem.ranksPerNode);
        const double temperature = heat * std::pow(kCooling, spent);
        if (nextCost > cost && random.unit() >= std::exp((cost - nextCost) / temperature)) continue;
        matrix = std::move(next);
        cost = nextCost;
        if (cost >= chain.bestCost) continue;
        chain.best = matrix;
        chain.bestCost = cost;
    }
    return chain;
}

}  // namespace

BitLinearOutcome bitLinearStart(const MappingProblem& problem, std::uint64_t seed, const SearchClock& clock, const Task& task)
{
    const std::uint32_t slots = problem.slots();
    if (slots < 4 || !std::has_single_bit(slots) || problem.flow.ranks != slots) return {};
    Random random(seed);
    const std::vector<SampledFlow> flows = sampleOf(problem.flow, random);
    std::vector<Chain> chains(kChains);
    // Every chain runs even after a stop request, so that each has its first map.
    const Task always = Task().withThreads(task.threads());
    parallelFor(kChains, always, [&](std::size_t i) { chains[i] = runChain(problem, flows, Random::mix(seed + i), clock, task); });
    const Chain* best = &chains.front();
    BitLinearOutcome outcome;
    for (const Chain& chain : chains) {
        outcome.steps += chain.steps;
        if (chain.bestCost < best->bestCost) best = &chain;
    }
    for (std::uint32_t rank = 0; rank < slots; ++rank) outcome.slotOfRank.push_back(imageOf(best->best, rank));
    return outcome;
}

}  // namespace skein
