// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/id.h"
#include "core/base/task.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

/// The calling context tree (CCT) that all locations of an experiment share: a node is a call path.
/// Nodes are numbered so that a parent stands before its children. Roots have an invalid parent.
/// Immutable; reading from several threads is safe.
class CallTree {
public:
    CallTree() = default;
    /// Parallel arrays, one entry a node; parents[i] < i or CallPathId::kNone.
    CallTree(Column<std::uint32_t> parents, Column<std::uint32_t> regions, Column<std::uint32_t> callSites);

    std::size_t size() const { return parents_.size(); }
    CallPathId parent(CallPathId node) const { return CallPathId(parents_[node.index()]); }
    RegionId region(CallPathId node) const { return RegionId(regions_[node.index()]); }
    CallSiteId callSite(CallPathId node) const { return CallSiteId(callSites_[node.index()]); }
    /// 0 for roots.
    std::uint32_t depth(CallPathId node) const { return depths_[node.index()]; }
    /// True when an ancestor of the node is a call of the same region: such inclusive time must not be added
    /// again.
    bool isRecursive(CallPathId node) const { return recursive_[node.index()] != 0; }
    const std::vector<std::uint32_t>& roots() const { return roots_; }
    /// What the tree was made of, one entry a node.
    const Column<std::uint32_t>& parents() const { return parents_; }
    const Column<std::uint32_t>& regions() const { return regions_; }
    const Column<std::uint32_t>& callSites() const { return callSites_; }
    /// Children in the order of their numbers.
    std::span<const std::uint32_t> children(CallPathId node) const;

private:
    void deriveStructure();
    void deriveRecursion();

    Column<std::uint32_t> parents_, regions_, callSites_;
    std::vector<std::uint32_t> depths_, childOffsets_, children_, roots_;
    std::vector<std::uint8_t> recursive_;
};

/// Builds a call tree by asking for children; the same question gives the same node. Not thread-safe.
class CallTreeBuilder {
public:
    /// The node of `region` called from `parent` (invalid: a root) at `callSite`; made when it is new. O(1).
    CallPathId child(CallPathId parent, RegionId region, CallSiteId callSite = {});

    std::size_t size() const { return parents_.size(); }
    CallPathId parent(CallPathId node) const { return CallPathId(parents_[node.index()]); }
    RegionId region(CallPathId node) const { return RegionId(regions_[node.index()]); }
    CallSiteId callSite(CallPathId node) const { return CallSiteId(callSites_[node.index()]); }

    /// Adds every node of another tree, whose regions were numbered alike; returns the new number of each.
    /// nullopt after a stop request, with a part of the nodes added.
    std::optional<std::vector<std::uint32_t>> merge(const CallTreeBuilder& other, const Task& task);

    CallTree finish() &&;

private:
    std::size_t slotOf(std::uint32_t parent, std::uint32_t region, std::uint32_t callSite) const;
    void rehash(std::size_t slots);

    std::vector<std::uint32_t> parents_, regions_, callSites_;
    std::vector<std::uint32_t> slots_;  ///< open addressing: node number, or kNone where free
};

}  // namespace skein
