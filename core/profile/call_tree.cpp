// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/call_tree.h"

#include <unordered_map>

namespace skein {
namespace {

constexpr std::uint32_t kNoNode = CallPathId::kNone;

std::uint64_t hashOf(std::uint32_t parent, std::uint32_t region, std::uint32_t callSite)
{
    std::uint64_t hash = (std::uint64_t{parent} << 32 | region) * 0x9E3779B97F4A7C15ull;
    hash ^= (hash >> 29) + callSite * 0xBF58476D1CE4E5B9ull;
    return hash ^ (hash >> 32);
}

}  // namespace

CallTree::CallTree(Column<std::uint32_t> parents, Column<std::uint32_t> regions,
                   Column<std::uint32_t> callSites)
    : parents_(std::move(parents)), regions_(std::move(regions)), callSites_(std::move(callSites))
{
    deriveStructure();
}

void CallTree::deriveStructure()
{
    const std::size_t count = parents_.size();
    depths_.resize(count);
    recursive_.resize(count);
    childOffsets_.assign(count + 1, 0);
    for (std::size_t node = 0; node < count; ++node) {
        const std::uint32_t parent = parents_[node];
        if (parent == kNoNode) {
            roots_.push_back(static_cast<std::uint32_t>(node));
            continue;
        }
        depths_[node] = depths_[parent] + 1;
        ++childOffsets_[parent + 1];
    }
    for (std::size_t node = 0; node < count; ++node) childOffsets_[node + 1] += childOffsets_[node];
    children_.resize(count - roots_.size());
    std::vector<std::uint32_t> next(childOffsets_.begin(), childOffsets_.end() - 1);
    for (std::size_t node = 0; node < count; ++node)
        if (parents_[node] != kNoNode) children_[next[parents_[node]]++] = static_cast<std::uint32_t>(node);
    deriveRecursion();
}

/// One walk through the tree that knows how often each region is open: linear for any depth.
void CallTree::deriveRecursion()
{
    std::unordered_map<std::uint32_t, std::uint32_t> open;
    std::vector<std::uint32_t> path;
    std::vector<std::uint32_t> pending(roots_.rbegin(), roots_.rend());
    while (!pending.empty()) {
        const std::uint32_t node = pending.back();
        pending.pop_back();
        for (; path.size() > depths_[node]; path.pop_back()) --open[regions_[path.back()]];
        recursive_[node] = open[regions_[node]]++ > 0;
        path.push_back(node);
        for (std::uint32_t at = childOffsets_[node + 1]; at-- > childOffsets_[node];)
            pending.push_back(children_[at]);
    }
}

std::span<const std::uint32_t> CallTree::children(CallPathId node) const
{
    const std::size_t from = childOffsets_[node.index()];
    return {children_.data() + from, childOffsets_[node.index() + 1] - from};
}

std::size_t CallTreeBuilder::slotOf(std::uint32_t parent, std::uint32_t region, std::uint32_t callSite) const
{
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hashOf(parent, region, callSite) & mask;
    for (;; slot = (slot + 1) & mask) {
        const std::uint32_t node = slots_[slot];
        if (node == kNoNode) return slot;
        if (parents_[node] == parent && regions_[node] == region && callSites_[node] == callSite) return slot;
    }
}

void CallTreeBuilder::rehash(std::size_t slots)
{
    slots_.assign(slots, kNoNode);
    for (std::size_t node = 0; node < parents_.size(); ++node)
        slots_[slotOf(parents_[node], regions_[node], callSites_[node])] = static_cast<std::uint32_t>(node);
}

CallPathId CallTreeBuilder::child(CallPathId parent, RegionId region, CallSiteId callSite)
{
    if (parents_.size() * 2 >= slots_.size()) rehash(slots_.empty() ? 64 : slots_.size() * 2);
    const std::size_t slot = slotOf(parent.value(), region.value(), callSite.value());
    if (slots_[slot] != kNoNode) return CallPathId(slots_[slot]);
    slots_[slot] = static_cast<std::uint32_t>(parents_.size());
    parents_.push_back(parent.value());
    regions_.push_back(region.value());
    callSites_.push_back(callSite.value());
    return CallPathId(slots_[slot]);
}

std::optional<std::vector<std::uint32_t>> CallTreeBuilder::merge(const CallTreeBuilder& other,
                                                                 const Task& task)
{
    constexpr std::size_t kAskEvery = 1u << 14;
    std::vector<std::uint32_t> numbers(other.size());
    for (std::size_t node = 0; node < other.size(); ++node) {
        if (node % kAskEvery == 0 && task.stopRequested()) return std::nullopt;
        const std::uint32_t parent = other.parents_[node];
        const CallPathId above = parent == kNoNode ? CallPathId() : CallPathId(numbers[parent]);
        numbers[node] =
            child(above, RegionId(other.regions_[node]), CallSiteId(other.callSites_[node])).value();
    }
    return numbers;
}

CallTree CallTreeBuilder::finish() &&
{
    slots_.clear();
    return CallTree(Column<std::uint32_t>(std::move(parents_)), Column<std::uint32_t>(std::move(regions_)),
                    Column<std::uint32_t>(std::move(callSites_)));
}

}  // namespace skein
