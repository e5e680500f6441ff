// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/task.h"
#include "core/index/leads.h"
#include "core/index/other_regions.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skein::disk {
struct Fields;
}

namespace skein {

class BlockStorage;

/// What one location did, at every scale: a binary tree over time. Every node covers a span and names one
/// call path, the one that stands for the span in a picture (here with kLeafCalls = 1):
///
///     time     0               4               8               12              16
///     calls    [      solve       ][   wait   ][   solve    ][     write      ]
///     root     |                             solve                             |
///     level 1  |             solve             |             write             |
///     level 2  |     solve     |      wait     |     solve     |     write     |
///     level 3                                  | solve | solve |
///
/// Time 0 … 2^k ns is halved until at most kLeafCalls calls begin in a node, so all locations are cut at the
/// same times. Where more than kBusyCalls calls begin in the span 2^kAroundLevels times as wide around a
/// node, it is halved further, until nothing begins or ends in it: neighbouring nodes then have the same
/// width, and a picture never has to read the calls of a few nodes that are wider than a column.
///
/// The call path of a node is exact and found in two steps: the *region* that took the most exclusive time
/// within the span, then the call path of that region that took the most (ties: the smaller id). Time outside
/// all calls does not compete: a span in which anything was called names a call. A call without duration
/// counts as 1 ns where nothing else runs.
///
/// A tree can also stand for several locations that share a row (BundleTree): times are sums over them.
///
/// Nodes are stored level by level, and in time order within a level, so a picture reads few stretches of
/// memory. Drawing a row of c columns visits O(c) nodes, however many calls there are. About 11 bytes per
/// event.
class TimeTree {
public:
    static constexpr std::uint32_t kLeafCalls = 4;
    static constexpr std::uint32_t kAroundLevels = 6;
    static constexpr std::uint32_t kBusyCalls = 128;
    static constexpr std::uint8_t kUniform = 255;

    /// A node, copied out of the columns.
    struct Node {
        TimeSpan span;
        std::uint32_t index = 0;
        std::uint32_t callPath = 0;  ///< CallPathId::kNone: no call overlaps the span
        std::uint8_t share =
            0;  ///< fraction of the span that its region took, in 254ths rounded down, ≥ 1;
                ///< kUniform: one call's own time fills the span, nothing begins or ends inside
        bool leaf = false;

        /// Fraction of the span that its region took, 0 … 1.
        double part() const { return share == kUniform ? 1.0 : share * (1.0 / 254); }
    };

    /// Neighbouring nodes of one width.
    struct Cells {
        TimeNs begin = 0;
        TimeNs widthNs = 0;
        std::span<const std::uint32_t> callPaths;
        std::span<const std::uint8_t> shares;
        const OtherRegions* others = nullptr;  ///< of nodes whose share is not kUniform, one after the other
    };

    TimeTree() = default;

    bool empty() const { return callPath_.empty(); }
    std::size_t size() const { return callPath_.size(); }
    Node root() const { return nodeAt(0, {0, TimeNs{1} << rootBits_}); }
    /// A node by its number; the caller knows its span.
    Node nodeAt(std::uint32_t index, TimeSpan span) const
    {
        return {span, index, callPath_[index], share_[index], isLeaf(index)};
    }
    Node left(const Node& inner) const
    {
        return nodeAt(child_[inner.index], {inner.span.begin, inner.span.begin + inner.span.lengthNs() / 2});
    }
    Node right(const Node& inner) const
    {
        return nodeAt(child_[inner.index] + 1,
                      {inner.span.begin + inner.span.lengthNs() / 2, inner.span.end});
    }
    /// The left child of an inner node. The right child follows it, and then the children of the next inner
    /// node.
    std::uint32_t firstChild(std::uint32_t inner) const { return child_[inner]; }
    bool isLeaf(std::uint32_t node) const { return (leaf_[node / 64] >> node % 64 & 1) != 0; }
    /// The end of the run of nodes from `first`, at most `end`, that are all leaves or all inner nodes.
    /// O(length of the run / 64).
    std::uint32_t endOfKind(std::uint32_t first, std::uint32_t end) const
    {
        const std::uint64_t same = isLeaf(first) ? ~std::uint64_t{0} : 0;
        std::uint32_t node = first;
        std::uint64_t others = (leaf_[node / 64] ^ same) & (~std::uint64_t{0} << node % 64);
        while (others == 0) {
            node = (node / 64 + 1) * 64;
            if (node >= end) return end;
            others = leaf_[node / 64] ^ same;
        }
        return std::min(end, node / 64 * 64 + static_cast<std::uint32_t>(std::countr_zero(others)));
    }
    Cells cells(std::uint32_t first, std::uint32_t count, TimeNs begin, TimeNs width) const
    {
        return {begin, width, callPath_.span().subspan(first, count), share_.span().subspan(first, count),
                others_.data() + othersBefore(first)};
    }
    /// What ran beside its region in a node whose share is not kUniform.
    const OtherRegions& others(std::uint32_t node) const { return others_[othersBefore(node)]; }
    /// The first call that begins in or after a leaf.
    std::uint32_t firstCall(const Node& leaf) const { return child_[leaf.index]; }
    /// In a bundle: the lead that is in force where a leaf begins.
    std::uint32_t firstLead(std::uint32_t leaf) const { return child_[leaf]; }
    /// Asks the system to read the first nodes, those of the widest spans, if they are on disk.
    void expect(std::size_t nodes) const;
    /// Moves its columns into the storage.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const
    {
        return callPath_.bytes() + child_.bytes() + share_.bytes() + leaf_.bytes() + others_.bytes()
            + othersBefore_.bytes();
    }

private:
    friend struct disk::Fields;
    friend class TimeTreeBuilder;

    /// How many nodes before this one have others.
    std::size_t othersBefore(std::uint32_t node) const
    {
        std::size_t before = othersBefore_[node / 64];
        for (std::uint32_t at = node / 64 * 64; at < node; ++at) before += share_[at] != kUniform;
        return before;
    }

    int rootBits_ = 0;
    Column<std::uint32_t> callPath_;
    Column<std::uint32_t> child_;  ///< inner nodes: the left child, the right one follows; leaves: first call
                                   ///< of one location, first lead of several
    Column<std::uint8_t> share_;
    Column<std::uint64_t> leaf_;          ///< a bit a node
    Column<OtherRegions> others_;         ///< a node whose share is not kUniform
    Column<std::uint32_t> othersBefore_;  ///< of every 64th node: how many before it have others
};

/// Builds the tree. `regionOfCallPath` is indexed by call path. nullopt if the task was stopped. O(calls ·
/// log calls).
std::optional<TimeTree> buildTimeTree(const CallIntervals& calls,
                                      std::span<const std::uint32_t> regionOfCallPath,
                                      std::uint32_t regionCount, const Task& task);

/// Calls show(callPath, from, to, share) for every lead from the begin of a leaf to the end of a span, in
/// time order. Leads in which no location is in a call are left out.
template <typename Show>
void visitLeads(const TimeTree& tree, const Leads& leads, std::uint32_t leaf, TimeSpan span, Show show)
{
    for (std::size_t lead = tree.firstLead(leaf); lead < leads.size() && leads.begin(lead) < span.end;
         ++lead) {
        const Leads::Lead shown = leads[lead];
        if (shown.callPath == CallPathId::kNone) continue;
        show(shown, static_cast<double>(std::max(shown.span.begin, span.begin)),
             static_cast<double>(std::min(shown.span.end, span.end)));
    }
}

/// What several locations did together: a tree over their leads instead of calls. A node is halved until at
/// most kLeafLeads leads begin in it, and at most kBusyLeads in the span 2^kAroundLevels times as wide around
/// it. If the locations work in lock step, there are far fewer nodes than calls.
struct BundleTree {
    static constexpr std::uint32_t kLeafLeads = 4;
    static constexpr std::uint32_t kBusyLeads = 32;

    TimeTree tree;
    Leads leads;

    /// Moves its columns into the storage.
    void moveTo(BlockStorage& storage);
    std::size_t bytes() const { return tree.bytes() + leads.bytes(); }
};

/// nullopt if the task was stopped. O(calls · log locations + nodes · locations).
std::optional<BundleTree> buildBundleTree(std::span<const CallIntervals* const> locations,
                                          std::span<const std::uint32_t> regionOfCallPath,
                                          std::uint32_t regionCount, const Task& task);

}  // namespace skein
