// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "core/index/time_tree.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace skein {

/// Goes through a time tree in the order of time down to the width of a column, and tells a visitor
///   cell(node)      of every node no wider than a column,
///   wide(node)      of every wider node, which has no children,
///   expect(node)    of a wide node some nodes before its turn, so that what it needs can be fetched from memory;
/// nodes without calls are left out, and some next to the grid may be told. Level by level all nodes that have children
/// are replaced by them, without a branch a node: what has children is as good as random. Since nodes stand level by
/// level in the tree, memory is read in order. O(nodes told + nodes above them).
class TreeWalk {
public:
    TreeWalk(const TimeTree& tree, const ColumnGrid& grid)
        : tree_(tree), from_(static_cast<TimeNs>(std::floor(grid.begin))), to_(static_cast<TimeNs>(std::ceil(grid.end()))),
          cellNs_(grid.nsPerColumn < 1 ? 0 : static_cast<TimeNs>(std::bit_floor(static_cast<std::uint64_t>(grid.nsPerColumn))))
    {
        if (tree.empty() || grid.count == 0) return;
        last_ = 1;
        begin_ = tree.root().span.begin;
        end_ = tree.root().span.end;
        rootNs_ = tree.root().span.lengthNs();
        while (first_ < last_ && widthOf(level_) > cellNs_ && !tree_.anyLeaf(first_, last_)) descendRange();
        if (first_ >= last_ || widthOf(level_) <= cellNs_) return;
        for (std::uint32_t node = first_; node < last_; ++node) nodes_.push_back(std::uint64_t{level_} << 32 | node);
        first_ = last_;
        while (widthOf(level_) > cellNs_ && descendList()) {}
    }

    template <typename Visitor>
    void tell(Visitor& visitor) const
    {
        tellRange(visitor);
        tellList(visitor);
    }

private:
    /// Where no leaf was met on the way, all nodes are cells of the same width.
    template <typename Visitor>
    void tellRange(Visitor& visitor) const
    {
        const TimeNs width = widthOf(level_);
        TimeNs begin = begin_;
        for (std::uint32_t node = first_; node < last_; ++node, begin += width) {
            const TimeTree::Node cell = tree_.nodeAt(node, {begin, begin + width});
            if (cell.callPath != CallPathId::kNone) visitor.cell(cell);
        }
    }

    template <typename Visitor>
    void tellList(Visitor& visitor) const
    {
        constexpr std::size_t kAhead = 24;
        TimeNs begin = begin_;
        for (std::size_t at = 0; at < nodes_.size(); ++at) {
            if (at + kAhead < nodes_.size() && widthOf(levelOf(nodes_[at + kAhead])) > cellNs_)
                visitor.expect(tree_.nodeAt(static_cast<std::uint32_t>(nodes_[at + kAhead]), {}));
            const TimeNs length = widthOf(levelOf(nodes_[at]));
            const TimeTree::Node node = tree_.nodeAt(static_cast<std::uint32_t>(nodes_[at]), {begin, begin + length});
            begin += length;
            if (node.callPath == CallPathId::kNone) continue;
            if (length <= cellNs_) visitor.cell(node);
            else visitor.wide(node);
        }
    }

    static std::uint32_t levelOf(std::uint64_t node) { return static_cast<std::uint32_t>(node >> 32); }
    TimeNs widthOf(std::uint32_t level) const { return rootNs_ >> level; }

    /// As long as all nodes of a level have children they are a range.
    void descendRange()
    {
        const std::uint32_t count = last_ - first_;
        first_ = tree_.firstChild(first_);
        last_ = first_ + 2 * count;
        const TimeNs width = widthOf(++level_);
        for (; first_ < last_ && begin_ + width <= from_; begin_ += width) ++first_;
        for (; first_ < last_ && end_ - width >= to_; end_ -= width) --last_;
    }

    /// False where no node has children.
    bool descendList()
    {
        const auto hasChildren = [this](std::uint64_t node) { return !tree_.isLeaf(static_cast<std::uint32_t>(node)); };
        const auto inner = std::find_if(nodes_.begin(), nodes_.end(), hasChildren);
        if (inner == nodes_.end()) return false;
        std::uint64_t child = std::uint64_t{++level_} << 32 | tree_.firstChild(static_cast<std::uint32_t>(*inner));
        next_.resize(2 * nodes_.size());
        std::size_t count = 0;
        for (const std::uint64_t node : nodes_) {
            const std::uint64_t inside = hasChildren(node);
            next_[count] = inside ? child : node;
            next_[count + 1] = child + 1;
            count += 1 + inside;
            child += 2 * inside;
        }
        next_.resize(count);
        nodes_.swap(next_);
        trim();
        return true;
    }

    void trim()
    {
        std::size_t before = 0;
        for (; before < nodes_.size() && begin_ + widthOf(levelOf(nodes_[before])) <= from_; ++before) begin_ += widthOf(levelOf(nodes_[before]));
        nodes_.erase(nodes_.begin(), nodes_.begin() + static_cast<std::ptrdiff_t>(before));
        for (; !nodes_.empty() && end_ - widthOf(levelOf(nodes_.back())) >= to_; nodes_.pop_back()) end_ -= widthOf(levelOf(nodes_.back()));
    }

    const TimeTree& tree_;
    TimeNs from_;
    TimeNs to_;
    TimeNs cellNs_;  ///< width of the widest nodes that are cells; 0: none are
    TimeNs rootNs_ = 0;
    TimeNs begin_ = 0;  ///< of the first node
    TimeNs end_ = 0;    ///< of the last
    std::uint32_t level_ = 0;
    std::uint32_t first_ = 0, last_ = 0;        ///< nodes of one level that are all replaced by their children, or all cells
    std::vector<std::uint64_t> nodes_, next_;  ///< index, and the level above it
};

}  // namespace skein
