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
///
///     cells(row)      neighbouring nodes no wider than a column, all of one width and wider than half a
///                     column; some may be without calls
///     wide(node)      every wider node, which has no children and is not without calls
///     expect(node)    a wide node some nodes before its turn, so that what it needs can be fetched from
///     memory
///
/// Some next to the grid may be told. Level by level all nodes that have children are replaced by them. Since
/// nodes stand level by level in the tree, those between two leaves are one row, and cost nothing each on the
/// way down. O(nodes told + leaves above them · levels).
class TreeWalk {
public:
    TreeWalk(const TimeTree& tree, const ColumnGrid& grid)
        : tree_(tree),
          from_(static_cast<TimeNs>(std::floor(grid.begin))),
          to_(static_cast<TimeNs>(std::ceil(grid.end()))),
          cellNs_(grid.nsPerColumn < 1
                      ? 0
                      : static_cast<TimeNs>(std::bit_floor(static_cast<std::uint64_t>(grid.nsPerColumn))))
    {
        if (tree.empty() || grid.count == 0) return;
        begin_ = tree.root().span.begin;
        end_ = tree.root().span.end;
        rootNs_ = tree.root().span.lengthNs();
        rows_.push_back({0, 0, 1});
        while (widthOf(level_) > cellNs_ && descend()) {}
    }

    template <typename Visitor>
    void tell(Visitor& visitor) const
    {
        constexpr int kAhead = 12;
        Place ahead;
        for (int node = 0; node < kAhead; ++node) tellAhead(visitor, ahead);
        TimeNs begin = begin_;
        for (const Row& row : rows_) {
            const TimeNs width = widthOf(row.level);
            if (width <= cellNs_) {
                visitor.cells(tree_.cells(row.first, row.count, begin, width));
                begin += width * row.count;
                continue;
            }
            for (std::uint32_t node = row.first; node < row.first + row.count; ++node, begin += width) {
                tellAhead(visitor, ahead);
                const TimeTree::Node leaf = tree_.nodeAt(node, {begin, begin + width});
                if (leaf.callPath != CallPathId::kNone) visitor.wide(leaf);
            }
        }
    }

private:
    /// Neighbouring nodes of one level, which all have children or all have none.
    struct Row {
        std::uint32_t level;
        std::uint32_t first;
        std::uint32_t count;
    };
    struct Place {
        std::size_t row = 0;
        std::uint32_t node = 0;  ///< of the row
    };

    TimeNs widthOf(std::uint32_t level) const { return rootNs_ >> level; }

    /// Tells the next node that is wide.
    template <typename Visitor>
    void tellAhead(Visitor& visitor, Place& place) const
    {
        while (place.row < rows_.size()
               && (place.node == rows_[place.row].count || widthOf(rows_[place.row].level) <= cellNs_))
            place = {place.row + 1, 0};
        if (place.row == rows_.size()) return;
        const TimeTree::Node node = tree_.nodeAt(rows_[place.row].first + place.node++, {});
        if (node.callPath != CallPathId::kNone) visitor.expect(node);
    }

    /// Replaces nodes that have children by them; false where none has.
    bool descend()
    {
        next_.clear();
        bool any = false;
        for (const Row& row : rows_) {
            if (row.level != level_) next_.push_back(row);
            else any |= replace(row);
        }
        rows_.swap(next_);
        ++level_;
        trim();
        return any;
    }

    bool replace(const Row& row)
    {
        bool any = false;
        const std::uint32_t end = row.first + row.count;
        for (std::uint32_t first = row.first; first < end;) {
            const bool leaf = tree_.isLeaf(first);
            const std::uint32_t same = tree_.endOfKind(first, end);
            if (leaf) next_.push_back({level_, first, same - first});
            else next_.push_back({level_ + 1, tree_.firstChild(first), 2 * (same - first)});
            any |= !leaf;
            first = same;
        }
        return any;
    }

    /// Drops what lies outside of the grid.
    void trim()
    {
        std::size_t before = 0;
        for (; before < rows_.size(); ++before) {
            Row& row = rows_[before];
            const TimeNs width = widthOf(row.level);
            const auto outside =
                static_cast<std::uint32_t>(std::clamp<TimeNs>((from_ - begin_) / width, 0, row.count));
            row.first += outside;
            row.count -= outside;
            begin_ += width * outside;
            if (row.count > 0) break;
        }
        rows_.erase(rows_.begin(), rows_.begin() + static_cast<std::ptrdiff_t>(before));
        while (!rows_.empty()) {
            Row& row = rows_.back();
            const TimeNs width = widthOf(row.level);
            const auto outside =
                static_cast<std::uint32_t>(std::clamp<TimeNs>((end_ - to_) / width, 0, row.count));
            row.count -= outside;
            end_ -= width * outside;
            if (row.count > 0) break;
            rows_.pop_back();
        }
    }

    const TimeTree& tree_;
    TimeNs from_;
    TimeNs to_;
    TimeNs cellNs_;  ///< width of the widest nodes that are cells; 0: none are
    TimeNs rootNs_ = 0;
    TimeNs begin_ = 0;  ///< of the first node
    TimeNs end_ = 0;    ///< of the last
    std::uint32_t level_ = 0;
    std::vector<Row> rows_, next_;
};

}  // namespace skein
