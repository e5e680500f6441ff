// SPDX-License-Identifier: GPL-3.0-or-later
// Where FieldAnnealer looks: neighbourhoods of nodes, regions of a round, candidates of a visit.
#include "algorithms/mapping/annealing/field_annealer.h"

#include <algorithm>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint32_t kNearest = 12;
constexpr std::uint32_t kNearestWindow = 4096;

/// Open nodes one step along one factor; every node of a complete or irregular factor counts as one step when
/// it is as near as the nearest.
void addSteps(const FieldModel& model, std::span<const std::uint8_t> open, std::uint32_t node,
              std::size_t factor, std::vector<std::uint32_t>& out)
{
    const std::uint32_t size = model.size[factor];
    const std::uint32_t at = model.position(node, factor);
    const float* row = model.hops[factor].data() + std::size_t{at} * size;
    float nearest = 0.0f;
    for (std::uint32_t x = 0; x < size; ++x) {
        if (x != at && (nearest == 0.0f || row[x] < nearest)) nearest = row[x];
    }
    for (std::uint32_t x = 0; x < size; ++x) {
        if (x == at || row[x] > nearest) continue;
        const std::uint32_t there = node + (x - at) * model.stride[factor];
        if (open[there]) out.push_back(there);
    }
}

/// The nearest open nodes by distance, for machines of which a job has only scattered nodes.
void addNearest(const FieldModel& model, std::span<const std::uint32_t> openNodes, std::uint32_t node,
                std::vector<std::uint32_t>& out)
{
    const auto middle = std::lower_bound(openNodes.begin(), openNodes.end(), node) - openNodes.begin();
    const auto begin = std::max<std::ptrdiff_t>(0, middle - kNearestWindow / 2);
    const auto end =
        std::min<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(openNodes.size()), begin + kNearestWindow);
    std::vector<std::pair<float, std::uint32_t>> byDistance;
    for (auto i = begin; i < end; ++i) {
        const std::uint32_t there = openNodes[static_cast<std::size_t>(i)];
        if (there != node) byDistance.emplace_back(model.between(node, there), there);
    }
    const std::size_t count = std::min<std::size_t>(kNearest, byDistance.size());
    std::partial_sort(byDistance.begin(), byDistance.begin() + static_cast<std::ptrdiff_t>(count),
                      byDistance.end());
    for (std::size_t i = 0; i < count; ++i) out.push_back(byDistance[i].second);
}

}  // namespace

void FieldAnnealer::fillNeighbours()
{
    std::vector<std::uint8_t> open(model_.nodes, 0);
    for (std::uint32_t slot = 0; slot < rankAt_.size(); ++slot)
        open[slot / ranksPerNode_] |= rules_.fixed(slot) ? 0 : 1;
    std::vector<std::uint32_t> openNodes;
    for (std::uint32_t node = 0; node < model_.nodes; ++node) {
        if (open[node]) openNodes.push_back(node);
    }
    const bool regular = model_.stride[0] != 0 && openNodes.size() == model_.nodes;
    std::vector<std::uint32_t> found;
    firstNeighbour_.assign(1, 0);
    for (std::uint32_t node = 0; node < model_.nodes; ++node) {
        found.clear();
        if (ranksPerNode_ > 1 && open[node]) found.assign(2, node);
        if (regular) {
            for (std::size_t f = 0; f < model_.factors; ++f) addSteps(model_, open, node, f, found);
        } else if (open[node]) {
            addNearest(model_, openNodes, node, found);
        }
        neighbours_.insert(neighbours_.end(), found.begin(), found.end());
        firstNeighbour_.push_back(static_cast<std::uint32_t>(neighbours_.size()));
    }
}

/// A random factor that is long enough for wide regions, whose swaps seldom miss a peer; the longest where
/// none is.
std::uint32_t FieldAnnealer::splitFactor(std::uint32_t regions)
{
    std::uint32_t longest = 0, wide = 0;
    for (std::uint32_t f = 0; f < model_.factors; ++f) {
        if (model_.size[f] > model_.size[longest]) longest = f;
        if (model_.size[f] >= 4 * regions) ++wide;
    }
    if (wide == 0) return longest;
    std::uint32_t chosen = random_.below(wide);
    for (std::uint32_t f = 0; f < model_.factors; ++f) {
        if (model_.size[f] >= 4 * regions && chosen-- == 0) return f;
    }
    return longest;
}

/// Splits the nodes into as many ranges along a random factor, from a random position, as there are regions.
void FieldAnnealer::divide()
{
    const auto count = static_cast<std::uint32_t>(regions_.size());
    const std::uint32_t factor = splitFactor(count);
    const bool along = model_.stride[0] != 0 && model_.size[factor] >= count;
    const std::uint32_t range = along ? model_.size[factor] : model_.nodes;
    const std::uint32_t offset = random_.below(range);
    for (Region& region : regions_) region.slots.clear();
    for (std::uint32_t node = 0; node < model_.nodes; ++node) {
        const std::uint32_t position = (along ? model_.position(node, factor) : node) + offset;
        const std::uint32_t wrapped = position >= range ? position - range : position;
        regionOfNode_[node] = static_cast<std::uint8_t>(std::uint64_t{wrapped} * count / range);
        for (std::uint32_t slot = node * ranksPerNode_; slot < (node + 1) * ranksPerNode_; ++slot) {
            if (!rules_.fixed(slot)) regions_[regionOfNode_[node]].slots.push_back(slot);
        }
    }
    for (std::uint32_t rank = 0; rank < flow_.ranks; ++rank)
        regionOfRank_[rank] = regionOfNode_[slotOf_[rank] / ranksPerNode_];
}

std::uint32_t FieldAnnealer::beside(std::uint32_t node, std::uint64_t bits) const
{
    const std::uint32_t begin = firstNeighbour_[node];
    const std::uint32_t count = firstNeighbour_[node + 1] - begin;
    if (count == 0) return node;
    return neighbours_[begin + static_cast<std::uint32_t>(((bits & 0xFFFFu) * count) >> 16)];
}

/// A node that differs in one factor only, which keeps most of the field; anywhere in the region on irregular
/// machines.
std::uint32_t FieldAnnealer::somewhereElse(const Region& region, std::uint32_t node, std::uint64_t bits) const
{
    if (model_.stride[0] == 0) {
        const auto index = (bits >> 32) * region.slots.size() >> 32;
        return region.slots[index] / ranksPerNode_;
    }
    const auto factor = static_cast<std::uint32_t>(((bits & 0xFFFFu) * model_.factors) >> 16);
    const auto x = static_cast<std::uint32_t>((((bits >> 16) & 0xFFFFu) * model_.size[factor]) >> 16);
    return node + (x - model_.position(node, factor)) * model_.stride[factor];
}

/// Slots that are worth trying for the rank of a slot: beside peers that it talks to, and one elsewhere. All
/// lie on other nodes of the same region, but a rank's way home where moves have a price: there is one region
/// then.
std::uint32_t FieldAnnealer::candidates(Region& region, std::uint8_t id, std::uint32_t slot,
                                        std::uint32_t* out)
{
    const std::uint32_t node = slot / ranksPerNode_;
    const std::uint32_t rank = rankAt_[slot];
    std::uint32_t count = 0;
    const auto offer = [&](std::uint32_t target, std::uint64_t bits) {
        if (target == node || regionOfNode_[target] != id) return;
        const std::uint32_t core =
            ranksPerNode_ == 1 ? 0 : static_cast<std::uint32_t>(((bits & 0xFFFFu) * ranksPerNode_) >> 16);
        const std::uint32_t found = target * ranksPerNode_ + core;
        if (!rules_.fixed(found)) out[count++] = found;
    };
    if (rank != kNoRank) {
        const std::uint32_t* peers = peerTable_.data() + std::size_t{rank} * kPeerTable;
        for (std::uint32_t i = 0; i + 1 < kCandidates; ++i) {
            const std::uint64_t bits = region.random.next();
            const std::uint32_t peer = peers[bits >> 60];
            if (regionOfRank_[peer] == id)
                offer(beside(slotOf_[peer] / ranksPerNode_, bits >> 16), bits >> 36);
        }
    }
    if (price_ > 0.0f && rank != kNoRank) {
        const std::uint32_t home = rules_.home(rank);
        if (home != slot && !rules_.fixed(home)) out[count++] = home;
    }
    const std::uint64_t bits = region.random.next();
    offer(somewhereElse(region, node, bits), bits >> 44);
    return count;
}

}  // namespace skein
