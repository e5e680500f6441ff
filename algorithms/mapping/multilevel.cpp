// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/multilevel.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kCoarsestRanks = 64;
/// A level gets this share of the effort of the next finer one.
constexpr double kLevelShare = 0.6;
constexpr int kExchangePasses = 10;

struct Level {
    FlowGraph flow;
    FieldModel model;
    std::uint32_t ranksPerNode = 1;
    std::vector<std::uint32_t> parent;  ///< rank → rank of the next coarser level
    std::int32_t halved = -1;           ///< factor that the next coarser level halves; -1: the cores
};

struct Edge {
    double key = 0.0;
    std::uint32_t a = 0;
    std::uint32_t b = 0;
};

std::vector<Edge> edgesByWeight(const FlowGraph& flow, Random& random)
{
    std::vector<double> total(flow.ranks, 1.0);
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) total[rank] += static_cast<double>(flow.both(entry));
    }
    std::vector<Edge> edges;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            const std::uint32_t peer = flow.peer[entry];
            if (peer < rank) continue;
            const double weight = static_cast<double>(flow.both(entry)) / std::sqrt(total[rank] * total[peer]);
            edges.push_back({weight * (1.0 + 0.02 * random.unit()), rank, peer});
        }
    }
    std::sort(edges.begin(), edges.end(), [](const Edge& x, const Edge& y) {
        return x.key != y.key ? x.key > y.key : (x.a != y.a ? x.a < y.a : x.b < y.b);
    });
    return edges;
}

/// Exchanges partners of two pairs wherever that joins more. Returns whether any did.
bool exchangePartners(const FlowGraph& flow, std::vector<std::uint32_t>& partner)
{
    bool changed = false;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        for (std::uint32_t entry = flow.first[rank]; entry < flow.first[rank + 1]; ++entry) {
            const std::uint32_t peer = flow.peer[entry];
            const std::uint32_t mine = partner[rank];
            const std::uint32_t theirs = partner[peer];
            if (peer == mine) continue;
            const std::int64_t gain = flow.both(entry) + flow.between(mine, theirs) - flow.between(rank, mine) - flow.between(peer, theirs);
            if (gain <= 0) continue;
            partner[rank] = peer;
            partner[peer] = rank;
            partner[mine] = theirs;
            partner[theirs] = mine;
            changed = true;
        }
    }
    return changed;
}

bool canHalve(const Level& level)
{
    if (level.ranksPerNode % 2 == 0) return true;
    if (level.ranksPerNode != 1) return false;
    for (std::uint32_t f = 0; f < level.model.factors; ++f) {
        if (level.model.size[f] % 2 == 0 && level.model.stride[f] != 0) return true;
    }
    return false;
}

/// The factor whose neighbouring positions are nearest, so that pairs stay compact; the longest among equals.
std::uint32_t factorToHalve(const FieldModel& model)
{
    std::uint32_t best = FieldModel::kMaxFactors;
    for (std::uint32_t f = 0; f < model.factors; ++f) {
        if (model.size[f] % 2 != 0) continue;
        if (best == FieldModel::kMaxFactors) {
            best = f;
            continue;
        }
        const float step = model.hops[f][1];
        const float bestStep = model.hops[best][1];
        if (step < bestStep || (step == bestStep && model.size[f] > model.size[best])) best = f;
    }
    return best;
}

std::vector<float> meanTable(const std::vector<float>& hops, std::uint32_t size)
{
    const std::uint32_t half = size / 2;
    std::vector<float> table(std::size_t{half} * half, 0.0f);
    for (std::uint32_t a = 0; a < size; ++a) {
        for (std::uint32_t b = 0; b < size; ++b) {
            if (a / 2 != b / 2) table[std::size_t{a / 2} * half + b / 2] += hops[std::size_t{a} * size + b] / 4.0f;
        }
    }
    return table;
}

FieldModel halve(const FieldModel& model, std::uint32_t factor)
{
    std::vector<std::uint32_t> sizes(model.size.begin(), model.size.begin() + model.factors);
    std::vector<std::vector<float>> hops(model.hops.begin(), model.hops.begin() + model.factors);
    hops[factor] = meanTable(hops[factor], sizes[factor]);
    sizes[factor] /= 2;
    return makeFieldModel(sizes, std::move(hops));
}

Level coarsen(Level& fine, std::uint64_t seed)
{
    const std::vector<std::uint32_t> partner = pairRanks(fine.flow, seed);
    fine.parent.assign(fine.flow.ranks, kNoRank);
    std::uint32_t groups = 0;
    for (std::uint32_t rank = 0; rank < fine.flow.ranks; ++rank) {
        if (fine.parent[rank] == kNoRank) fine.parent[rank] = fine.parent[partner[rank]] = groups++;
    }
    Level coarse;
    coarse.flow = contract(fine.flow, fine.parent, groups);
    coarse.ranksPerNode = fine.ranksPerNode;
    if (fine.ranksPerNode > 1) {
        coarse.ranksPerNode /= 2;
        coarse.model = fine.model;
        return coarse;
    }
    fine.halved = static_cast<std::int32_t>(factorToHalve(fine.model));
    coarse.model = halve(fine.model, static_cast<std::uint32_t>(fine.halved));
    return coarse;
}

std::uint32_t fineNode(const FieldModel& fine, const FieldModel& coarse, std::uint32_t node, std::uint32_t halved, std::uint32_t child)
{
    std::uint32_t result = 0;
    for (std::uint32_t f = 0; f < fine.factors; ++f) {
        const std::uint32_t position = coarse.position(node, f);
        result += (f == halved ? 2 * position + child : position) * fine.stride[f];
    }
    return result;
}

std::vector<std::uint32_t> refine(const Level& fine, const Level& coarse, std::span<const std::uint32_t> coarseSlots)
{
    std::vector<std::uint32_t> slots(fine.flow.ranks);
    std::vector<std::uint8_t> children(coarse.flow.ranks, 0);
    for (std::uint32_t rank = 0; rank < fine.flow.ranks; ++rank) {
        const std::uint32_t parent = fine.parent[rank];
        const std::uint32_t child = children[parent]++;
        const std::uint32_t node = coarseSlots[parent] / coarse.ranksPerNode;
        const std::uint32_t core = coarseSlots[parent] % coarse.ranksPerNode;
        if (fine.halved < 0) {
            slots[rank] = node * fine.ranksPerNode + 2 * core + child;
        } else {
            slots[rank] = fineNode(fine.model, coarse.model, node, static_cast<std::uint32_t>(fine.halved), child);
        }
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

AnnealingOutcome annealLevel(const Level& level, std::vector<std::uint32_t> start, bool coarsest, std::uint64_t seed,
                             const SearchClock& clock, const Task& task)
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

std::vector<std::uint32_t> pairRanks(const FlowGraph& flow, std::uint64_t seed)
{
    Random random(seed);
    std::vector<std::uint32_t> partner(flow.ranks, kNoRank);
    for (const Edge& edge : edgesByWeight(flow, random)) {
        if (partner[edge.a] != kNoRank || partner[edge.b] != kNoRank) continue;
        partner[edge.a] = edge.b;
        partner[edge.b] = edge.a;
    }
    std::uint32_t waiting = kNoRank;
    for (std::uint32_t rank = 0; rank < flow.ranks; ++rank) {
        if (partner[rank] != kNoRank) continue;
        if (waiting == kNoRank) {
            waiting = rank;
            continue;
        }
        partner[rank] = waiting;
        partner[waiting] = rank;
        waiting = kNoRank;
    }
    for (int pass = 0; pass < kExchangePasses && exchangePartners(flow, partner); ++pass) {
    }
    return partner;
}

AnnealingOutcome multilevelStart(const FlowGraph& flow, const FieldModel& model, std::uint32_t ranksPerNode, std::uint64_t seed,
                                 const SearchClock& clock, const Task& task)
{
    std::vector<Level> levels(1);
    levels[0].flow = padded(flow, model.nodes * ranksPerNode);
    levels[0].model = model;
    levels[0].ranksPerNode = ranksPerNode;
    while (levels.back().flow.ranks > kCoarsestRanks && canHalve(levels.back()) && !task.stopRequested()) {
        Level coarse = coarsen(levels.back(), seed + levels.size());
        levels.push_back(std::move(coarse));
    }
    std::vector<std::uint32_t> slots(levels.back().flow.ranks);
    std::iota(slots.begin(), slots.end(), 0u);
    double weight = 1.0, total = 0.0;
    for (std::size_t i = 0; i < levels.size(); ++i, weight *= kLevelShare) total += weight;
    weight /= kLevelShare;
    std::uint64_t steps = 0;
    for (std::size_t i = levels.size(); i-- > 0; weight /= kLevelShare) {
        const SearchClock part = clock.part(steps, std::min(1.0, weight / total));
        total -= weight;
        AnnealingOutcome outcome = annealLevel(levels[i], std::move(slots), i + 1 == levels.size(), seed * 31 + i, part, task);
        steps += outcome.steps;
        slots = i > 0 ? refine(levels[i - 1], levels[i], outcome.slotOfRank) : std::move(outcome.slotOfRank);
    }
    slots.resize(flow.ranks);
    return {std::move(slots), steps};
}

}  // namespace skein
