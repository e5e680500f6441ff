// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/field_annealer.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

/// Largest field entry: integers up to here are exact in a float.
constexpr double kExactFloat = 16777216.0;
/// Flows that round up may make a field a little larger.
constexpr double kRoundingMargin = 0.9;
constexpr std::uint32_t kThresholds = 1u << 14;
/// Slots between two looks at the clock: about 0.2 ms.
constexpr std::size_t kSlotsPerLook = 512;
constexpr std::uint32_t kUnmoved = 0xFFFFFFFFu;
constexpr std::uint32_t kFieldsBetweenLooks = 256;
/// Heavy peers are looked for first, but light ones as well: probability ~ flow^0.5 (measured best between 0
/// and 1).
constexpr double kPeerExponent = 0.5;

}  // namespace

FieldAnnealer::FieldAnnealer(Problem problem, std::vector<std::uint32_t> slotOfRank, std::uint64_t seed,
                             std::uint32_t regions, const Task& task)
    : flow_(problem.flow),
      model_(problem.model),
      rules_(problem.rules),
      ranksPerNode_(problem.rules.ranksPerNode()),
      slotOf_(std::move(slotOfRank)),
      random_(seed)
{
    const std::size_t slots = std::size_t{model_.nodes} * ranksPerNode_;
    rankAt_.assign(slots, kNoRank);
    for (std::uint32_t rank = 0; rank < flow_.ranks; ++rank) rankAt_[slotOf_[rank]] = rank;
    movedRanks_ = rules_.away(slotOf_);
    for (std::uint32_t slot = 0; slot < slots; ++slot) activeSlots_ += rules_.fixed(slot) ? 0 : 1;
    const std::uint32_t count = rules_.limitsMoves() ? 1 : std::clamp(regions, 1u, 255u);
    for (std::uint32_t region = 0; region < count; ++region) {
        regions_.emplace_back(Random::mix(seed + 1 + region));
        regions_.back().change.assign(model_.width, 0.0f);
    }
    regionOfNode_.assign(model_.nodes, 0);
    regionOfRank_.assign(flow_.ranks, 0);
    slotAtRoundStart_.assign(flow_.ranks, kUnmoved);
    scaleFlows();
    price_ = static_cast<float>(rules_.price() * scale_);
    fillPeerTable(seed, task);
    fillNeighbours();
    fillFields(task);
    threshold_.resize(kThresholds);
    for (std::uint32_t i = 0; i < kThresholds; ++i)
        threshold_[i] = static_cast<float>(-std::log((i + 0.5) / kThresholds));
    for (std::uint32_t i = kThresholds; i > 1; --i)
        std::swap(threshold_[i - 1], threshold_[random_.below(i)]);
}

void FieldAnnealer::reseed(std::uint64_t seed)
{
    random_ = Random(seed);
    for (std::size_t region = 0; region < regions_.size(); ++region)
        regions_[region].random = Random(Random::mix(seed + 1 + region));
}

void FieldAnnealer::scaleFlows()
{
    double heaviest = 0.0;
    for (std::uint32_t rank = 0; rank < flow_.ranks; ++rank) {
        double sum = 0.0;
        for (std::uint32_t entry = flow_.first[rank]; entry < flow_.first[rank + 1]; ++entry)
            sum += static_cast<double>(flow_.both(entry));
        heaviest = std::max(heaviest, sum);
    }
    const double limit = kRoundingMargin * kExactFloat / std::max(1.0, model_.diameter);
    scale_ = heaviest > 0.0 ? limit / heaviest : 1.0;
    if (scale_ > 1.0) scale_ = std::floor(scale_);
    weight_.resize(flow_.entries());
    double total = 0.0;
    for (std::size_t entry = 0; entry < weight_.size(); ++entry) {
        weight_[entry] =
            static_cast<float>(std::max(1.0, std::round(static_cast<double>(flow_.both(entry)) * scale_)));
        total += weight_[entry];
    }
    meanFlow_ = weight_.empty() ? 1.0 : total / static_cast<double>(weight_.size());
}

void FieldAnnealer::fillPeerTable(std::uint64_t seed, const Task& task)
{
    Random random(Random::mix(seed ^ 0x5EED));
    peerTable_.resize(std::size_t{flow_.ranks} * kPeerTable);
    std::vector<double> cumulated;
    for (std::uint32_t rank = 0; rank < flow_.ranks; ++rank) {
        if (rank % kFieldsBetweenLooks == 0 && task.stopRequested()) return;
        cumulated.clear();
        double sum = 0.0;
        for (std::uint32_t entry = flow_.first[rank]; entry < flow_.first[rank + 1]; ++entry) {
            cumulated.push_back(sum += std::pow(static_cast<double>(weight_[entry]), kPeerExponent));
        }
        for (std::uint32_t i = 0; i < kPeerTable; ++i) {
            const double at = (i + random.unit()) / kPeerTable * sum;
            auto index = static_cast<std::size_t>(std::lower_bound(cumulated.begin(), cumulated.end(), at)
                                                  - cumulated.begin());
            if (!cumulated.empty()) index = std::min(index, cumulated.size() - 1);
            peerTable_[std::size_t{rank} * kPeerTable + i] =
                cumulated.empty() ? rank : flow_.peer[flow_.first[rank] + index];
        }
    }
}

void FieldAnnealer::fillFields(const Task& task)
{
    fields_.assign(rankAt_.size() * model_.width, 0.0f);
    for (std::uint32_t rank = 0; rank < flow_.ranks; ++rank) {
        if (rank % kFieldsBetweenLooks == 0 && task.stopRequested()) return;
        float* row = fields_.data() + std::size_t{slotOf_[rank]} * model_.width;
        for (std::uint32_t entry = flow_.first[rank]; entry < flow_.first[rank + 1]; ++entry) {
            const std::uint32_t node = slotOf_[flow_.peer[entry]] / ranksPerNode_;
            for (std::size_t f = 0; f < model_.factors; ++f) {
                const float* hops =
                    model_.hops[f].data() + std::size_t{model_.position(node, f)} * model_.size[f];
                float* part = row + model_.start[f];
                for (std::uint32_t x = 0; x < model_.size[f]; ++x) part[x] += weight_[entry] * hops[x];
            }
        }
    }
}

void FieldAnnealer::round(double temperature, std::uint32_t sweeps, const SearchClock& clock,
                          const Task& task)
{
    divide();
    const auto heat = static_cast<float>(temperature * meanFlow_);
    const auto count = static_cast<std::uint32_t>(regions_.size());
    parallelFor(count, task, [&](std::size_t region) {
        runRegion(static_cast<std::uint32_t>(region), heat, sweeps, clock, task);
    });
    const Task unstoppable = Task().withThreads(task.threads());
    parallelFor(count, unstoppable,
                [&](std::size_t region) { applyForeignMoves(static_cast<std::uint32_t>(region)); });
    for (Region& region : regions_) {
        for (const Move& move : region.moves) slotAtRoundStart_[move.rank] = kUnmoved;
        region.moves.clear();
        tried_ += std::exchange(region.tried, 0);
        done_ += std::exchange(region.done, 0);
    }
}

void FieldAnnealer::runRegion(std::uint32_t index, float temperature, std::uint32_t sweeps,
                              const SearchClock& clock, const Task& task)
{
    using Sweep = void (FieldAnnealer::*)(Region&, std::uint8_t, std::span<const std::uint32_t>, float);
    static constexpr Sweep kSweeps[] = {&FieldAnnealer::sweep<1>, &FieldAnnealer::sweep<2>,
                                        &FieldAnnealer::sweep<3>, &FieldAnnealer::sweep<4>,
                                        &FieldAnnealer::sweep<5>, &FieldAnnealer::sweep<6>,
                                        &FieldAnnealer::sweep<7>, &FieldAnnealer::sweep<8>};
    Region& region = regions_[index];
    const std::span<const std::uint32_t> slots(region.slots);
    for (std::uint32_t i = 0; i < sweeps; ++i) {
        for (std::size_t begin = 0; begin < slots.size(); begin += kSlotsPerLook) {
            if (task.stopRequested() || clock.late()) return;
            const auto part = slots.subspan(begin, std::min(kSlotsPerLook, slots.size() - begin));
            (this->*kSweeps[model_.factors - 1])(region, static_cast<std::uint8_t>(index), part, temperature);
        }
    }
}

template <std::size_t Factors>
void FieldAnnealer::sweep(Region& region, std::uint8_t id, std::span<const std::uint32_t> slots,
                          float temperature)
{
    for (const std::uint32_t slot : slots) visit<Factors>(region, id, slot, temperature);
}

/// What a swap of the ranks of two slots adds to the cost, as if the two did not talk to each other.
template <std::size_t Factors>
float FieldAnnealer::gain(const float* row, const std::uint16_t* at, std::uint32_t target) const
{
    const float* other = fields_.data() + std::size_t{target} * model_.width;
    const std::uint16_t* there =
        model_.entry.data() + std::size_t{target / ranksPerNode_} * FieldModel::kMaxFactors;
    float sum = 0.0f;
    for (std::size_t f = 0; f < Factors; ++f)
        sum += (row[there[f]] - row[at[f]]) + (other[at[f]] - other[there[f]]);
    return sum;
}

template <std::size_t Factors>
void FieldAnnealer::visit(Region& region, std::uint8_t id, std::uint32_t slot, float temperature)
{
    std::uint32_t targets[kMostCandidates];
    const std::uint32_t count = candidates(region, id, slot, targets);
    region.tried += count;
    const std::uint32_t node = slot / ranksPerNode_;
    const float* row = fields_.data() + std::size_t{slot} * model_.width;
    const std::uint16_t* at = model_.entry.data() + std::size_t{node} * FieldModel::kMaxFactors;
    const auto quantile = static_cast<std::uint32_t>(region.random.next() >> 40);
    std::uint32_t best = count;
    float bestExcess = 0.0f, bestChange = 0.0f, bestLimit = 0.0f;
    for (std::uint32_t i = 0; i < count; ++i) {
        float change = gain<Factors>(row, at, targets[i]);
        if (price_ > 0.0f)
            change += price_ * static_cast<float>(rules_.movedChange(rankAt_, slot, targets[i]));
        const float limit = temperature * threshold_[(quantile + i) % kThresholds];
        if (change - limit >= bestExcess || !mayExchange(slot, targets[i])) continue;
        bestExcess = change - limit;
        bestChange = change;
        bestLimit = limit;
        best = i;
    }
    if (best == count) return;
    const std::uint32_t target = targets[best];
    const float direct = flowBetween(rankAt_[slot], rankAt_[target]);
    if (direct > 0.0f) bestChange += 2.0f * direct * model_.between(node, target / ranksPerNode_);
    if (bestChange >= bestLimit) return;
    region.done += bestChange != 0.0f ? 1 : 0;
    swap(region, id, slot, target);
}

float FieldAnnealer::flowBetween(std::uint32_t a, std::uint32_t b) const
{
    if (a == kNoRank || b == kNoRank) return 0.0f;
    for (std::uint32_t entry = flow_.first[a]; entry < flow_.first[a + 1]; ++entry) {
        if (flow_.peer[entry] == b) return weight_[entry];
    }
    return 0.0f;
}

void FieldAnnealer::swap(Region& region, std::uint8_t id, std::uint32_t slot, std::uint32_t other)
{
    const std::uint32_t rank = rankAt_[slot];
    const std::uint32_t partner = rankAt_[other];
    if (rules_.limitsMoves())
        movedRanks_ = static_cast<std::uint32_t>(static_cast<int>(movedRanks_)
                                                 + rules_.movedChange(rankAt_, slot, other));
    float* row = fields_.data() + std::size_t{slot} * model_.width;
    std::swap_ranges(row, row + model_.width, fields_.data() + std::size_t{other} * model_.width);
    std::swap(rankAt_[slot], rankAt_[other]);
    measureChange(region, slot / ranksPerNode_, other / ranksPerNode_);
    if (rank != kNoRank) {
        remember(region, rank, slot);
        slotOf_[rank] = other;
    }
    if (partner != kNoRank) {
        remember(region, partner, other);
        slotOf_[partner] = slot;
    }
    if (rank != kNoRank) applyChange(region, id, rank, 1.0f);
    if (partner != kNoRank) applyChange(region, id, partner, -1.0f);
}

void FieldAnnealer::remember(Region& region, std::uint32_t rank, std::uint32_t slot)
{
    if (regions_.size() == 1 || slotAtRoundStart_[rank] != kUnmoved) return;
    slotAtRoundStart_[rank] = slot;
    region.moves.push_back({rank, slot});
}

/// How much dearer each entry of a peer's field becomes, per unit of flow, when a rank goes from one node to
/// another.
void FieldAnnealer::measureChange(Region& region, std::uint32_t fromNode, std::uint32_t toNode) const
{
    std::fill(region.change.begin(), region.change.end(), 0.0f);
    region.blocks.clear();
    for (std::size_t f = 0; f < model_.factors; ++f) {
        const std::uint32_t from = model_.position(fromNode, f);
        const std::uint32_t to = model_.position(toNode, f);
        if (from == to) continue;
        const float* before = model_.hops[f].data() + std::size_t{from} * model_.size[f];
        const float* after = model_.hops[f].data() + std::size_t{to} * model_.size[f];
        const std::uint32_t start = model_.start[f];
        for (std::uint32_t x = 0; x < model_.size[f]; ++x) region.change[start + x] = after[x] - before[x];
        const std::uint32_t lastBlock = (start + model_.size[f] - 1) / FieldModel::kLane;
        for (std::uint32_t block = start / FieldModel::kLane; block <= lastBlock; ++block) {
            if (region.blocks.empty() || region.blocks.back() < block * FieldModel::kLane)
                region.blocks.push_back(block * FieldModel::kLane);
        }
    }
}

void FieldAnnealer::applyChange(const Region& region, std::uint8_t id, std::uint32_t rank, float sign)
{
    for (std::uint32_t entry = flow_.first[rank]; entry < flow_.first[rank + 1]; ++entry) {
        const std::uint32_t peer = flow_.peer[entry];
        if (regionOfRank_[peer] != id) continue;
        const float weight = sign * weight_[entry];
        float* row = fields_.data() + std::size_t{slotOf_[peer]} * model_.width;
        for (const std::uint32_t block : region.blocks) {
            for (std::uint32_t x = 0; x < FieldModel::kLane; ++x)
                row[block + x] += weight * region.change[block + x];
        }
    }
}

void FieldAnnealer::applyForeignMoves(std::uint32_t index)
{
    Region& own = regions_[index];
    for (std::uint32_t other = 0; other < regions_.size(); ++other) {
        if (other == index) continue;
        for (const Move& move : regions_[other].moves) {
            if (slotOf_[move.rank] / ranksPerNode_ == move.from / ranksPerNode_) continue;
            measureChange(own, move.from / ranksPerNode_, slotOf_[move.rank] / ranksPerNode_);
            applyChange(own, static_cast<std::uint8_t>(index), move.rank, 1.0f);
        }
    }
}

double FieldAnnealer::scaledCost() const
{
    double cost = 0.0;
    for (std::uint32_t rank = 0; rank < flow_.ranks; ++rank) {
        const float* row = fields_.data() + std::size_t{slotOf_[rank]} * model_.width;
        const std::uint16_t* at =
            model_.entry.data() + std::size_t{slotOf_[rank] / ranksPerNode_} * FieldModel::kMaxFactors;
        for (std::size_t f = 0; f < model_.factors; ++f) cost += row[at[f]];
    }
    return cost / 2.0;
}

}  // namespace skein
