// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/multilevel.h"

#include "algorithms/mapping/annealing/rank_groups.h"
#include "algorithms/mapping/base/mixed_radix.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

constexpr std::uint32_t kCoarsestRanks = 64;
/// A level gets this share of the effort of the next finer one.
constexpr double kLevelShare = 0.6;
constexpr std::int32_t kCores = -1;
constexpr std::uint32_t kLargestDivisor = 16;

/// What the next coarser level divides, and by which prime.
struct Division {
    std::int32_t factor = kCores;
    std::uint32_t by = 0;  ///< 0: nothing can be divided
};

std::uint32_t smallestPrime(std::uint32_t number)
{
    const std::vector<std::uint32_t> factors = primeFactors(number);
    return factors.empty() || factors.front() > kLargestDivisor ? 0 : factors.front();
}

/// The cores of a node first. Then the factor whose neighbouring positions are nearest, so that groups stay
/// compact; by two where possible, the longest among equals.
Division divisionOf(const FieldModel& model, std::uint32_t ranksPerNode)
{
    if (ranksPerNode > 1) return {kCores, smallestPrime(ranksPerNode)};
    Division best;
    std::tuple<std::uint32_t, float, std::uint32_t> bestKey;
    for (std::uint32_t f = 0; f < model.factors; ++f) {
        const std::uint32_t prime = smallestPrime(model.size[f]);
        if (prime == 0 || model.stride[f] == 0) continue;
        const std::tuple key{prime, model.hops[f][1],
                             std::numeric_limits<std::uint32_t>::max() - model.size[f]};
        if (best.by != 0 && key >= bestKey) continue;
        best = {static_cast<std::int32_t>(f), prime};
        bestKey = key;
    }
    return best;
}

struct Level {
    FlowGraph flow;
    FieldModel model;
    std::uint32_t ranksPerNode = 1;
    std::vector<std::uint32_t> parent;  ///< rank → rank of the next coarser level
    Division division;                  ///< to the next coarser level
};

std::vector<float> meanTable(const std::vector<float>& hops, std::uint32_t size, std::uint32_t by)
{
    const std::uint32_t parts = size / by;
    std::vector<float> table(std::size_t{parts} * parts, 0.0f);
    for (std::uint32_t a = 0; a < size; ++a) {
        for (std::uint32_t b = 0; b < size; ++b) {
            if (a / by != b / by)
                table[std::size_t{a / by} * parts + b / by] +=
                    hops[std::size_t{a} * size + b] / static_cast<float>(by * by);
        }
    }
    return table;
}

FieldModel divide(const FieldModel& model, const Division& division)
{
    const auto factor = static_cast<std::size_t>(division.factor);
    std::vector<std::uint32_t> sizes(model.size.begin(), model.size.begin() + model.factors);
    std::vector<std::vector<float>> hops(model.hops.begin(), model.hops.begin() + model.factors);
    hops[factor] = meanTable(hops[factor], sizes[factor], division.by);
    sizes[factor] /= division.by;
    return makeFieldModel(sizes, std::move(hops));
}

/// Without flows where the task was stopped.
Level coarsen(Level& fine, std::uint64_t seed, const Task& task)
{
    fine.parent = groupRanks(fine.flow, fine.division.by, seed, task);
    Level coarse;
    if (task.stopRequested()) return coarse;
    coarse.flow = contract(fine.flow, fine.parent, fine.flow.ranks / fine.division.by, task);
    coarse.ranksPerNode = fine.ranksPerNode;
    if (fine.division.factor == kCores) {
        coarse.ranksPerNode /= fine.division.by;
        coarse.model = fine.model;
    } else {
        coarse.model = divide(fine.model, fine.division);
    }
    coarse.division = divisionOf(coarse.model, coarse.ranksPerNode);
    return coarse;
}

std::uint32_t fineNode(const Level& fine, const FieldModel& coarse, std::uint32_t node, std::uint32_t child)
{
    std::uint32_t result = 0;
    for (std::uint32_t f = 0; f < fine.model.factors; ++f) {
        const std::uint32_t position = coarse.position(node, f);
        const bool divided = static_cast<std::int32_t>(f) == fine.division.factor;
        result += (divided ? fine.division.by * position + child : position) * fine.model.stride[f];
    }
    return result;
}

std::vector<std::uint32_t> refine(const Level& fine, const Level& coarse,
                                  std::span<const std::uint32_t> coarseSlots)
{
    std::vector<std::uint32_t> slots(fine.flow.ranks);
    std::vector<std::uint8_t> children(coarse.flow.ranks, 0);
    for (std::uint32_t rank = 0; rank < fine.flow.ranks; ++rank) {
        const std::uint32_t parent = fine.parent[rank];
        const std::uint32_t child = children[parent]++;
        const std::uint32_t node = coarseSlots[parent] / coarse.ranksPerNode;
        const std::uint32_t core = coarseSlots[parent] % coarse.ranksPerNode;
        const bool cores = fine.division.factor == kCores;
        slots[rank] = cores ? node * fine.ranksPerNode + fine.division.by * core + child
                            : fineNode(fine, coarse.model, node, child);
    }
    return slots;
}

FlowGraph padded(const FlowGraph& flow, std::uint32_t ranks)
{
    FlowGraph result = flow;
    result.ranks = ranks;
    result.first.resize(ranks + std::size_t{1}, result.first.back());
    return result;
}

AnnealingOutcome annealLevel(const Level& level, std::vector<std::uint32_t> start, bool coarsest,
                             std::uint64_t seed, const SearchClock& clock, const Task& task)
{
    const std::uint32_t slots = level.model.nodes * level.ranksPerNode;
    const SwapRules rules(std::vector<std::uint8_t>(slots, 0), level.ranksPerNode);
    AnnealingSchedule schedule;
    schedule.firstAcceptance = coarsest ? 0.4 : 0.08;
    schedule.lastAcceptance = coarsest ? 0.003 : 0.005;
    schedule.regions = level.flow.ranks >= 1024 ? 2 : 1;
    return anneal({level.flow, level.model, rules}, std::move(start), schedule, seed, clock, {}, task);
}

}  // namespace

AnnealingOutcome multilevelStart(const FlowGraph& flow, const FieldModel& model, std::uint32_t ranksPerNode,
                                 std::uint64_t seed, const SearchClock& clock, const Task& task)
{
    std::vector<Level> levels(1);
    levels[0].flow = padded(flow, model.nodes * ranksPerNode);
    levels[0].model = model;
    levels[0].ranksPerNode = ranksPerNode;
    levels[0].division = divisionOf(model, ranksPerNode);
    while (levels.back().flow.ranks > kCoarsestRanks && levels.back().division.by != 0
           && !task.stopRequested() && !clock.late()) {
        Level coarse = coarsen(levels.back(), seed + levels.size(), task);
        levels.push_back(std::move(coarse));
    }
    if (task.stopRequested() || clock.late()) return {};
    std::vector<std::uint32_t> slots(levels.back().flow.ranks);
    std::iota(slots.begin(), slots.end(), 0u);
    double weight = 1.0, total = 0.0;
    for (std::size_t i = 0; i < levels.size(); ++i, weight *= kLevelShare) total += weight;
    weight /= kLevelShare;
    std::uint64_t steps = 0;
    for (std::size_t i = levels.size(); i-- > 0; weight /= kLevelShare) {
        const SearchClock part = clock.part(steps, std::min(1.0, weight / total));
        total -= weight;
        AnnealingOutcome outcome =
            annealLevel(levels[i], std::move(slots), i + 1 == levels.size(), seed * 31 + i, part, task);
        steps += outcome.steps;
        slots = i > 0 ? refine(levels[i - 1], levels[i], outcome.slotOfRank) : std::move(outcome.slotOfRank);
    }
    slots.resize(flow.ranks);
    return {std::move(slots), steps};
}

}  // namespace skein
