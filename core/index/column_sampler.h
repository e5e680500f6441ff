// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_tally.h"
#include "core/index/column_walk.h"
#include "core/index/own_time.h"
#include "core/index/timeline_index.h"

#include <cstdint>
#include <optional>
#include <span>

namespace skein {

/// For every column the call path of the region that took most time in it.
///
/// Where no more than two calls a column begin in the grid, or no more than are asked for, these are gone
/// through, and columns decided exactly. Otherwise the tree is descended until a node is a leaf or no wider
/// than a column; such a node is a cell and belongs to the column of its middle (edges of columns move by
/// half a column at most), what its other regions took is not seen.
/// Leaves are looked into, cut exactly at the edges of columns. So columns wider than all cells in them are
/// decided by the sum over their one or two cells (then the region shown took at least half as much as any
/// other), and columns within leaves exactly. A column in which anything was called shows a call. Not
/// thread-safe: use one object a thread.
class ColumnSampler {
public:
    ColumnSampler(const CallTree& callTree, const CallIntervals& calls, const TimelineIndex::Location& index);

    /// `exactCalls`: how many calls a column are gone through at most, if more than two. O(columns ·
    /// exactCalls).
    void sample(const ColumnGrid& grid, std::span<ColumnSample> columns, std::uint32_t exactCalls = 1);

private:
    friend class TreeWalk;

    std::optional<std::uint32_t> fewCalls(const ColumnGrid& grid, std::size_t most) const;
    void cells(const TimeTree::Cells& row);
    void wide(const TimeTree::Node& node);
    void expect(const TimeTree::Node& node);
    void walkRun();

    const CallIntervals& calls_;
    const TimelineIndex::Location& index_;
    OwnTimeWalker walker_;
    ColumnTally tally_;
    ColumnWalk walk_;
    TimeSpan run_;                ///< neighbouring leaves that are still to be looked into
    std::uint32_t runFirst_ = 0;  ///< the first call that begins in or after them
};

}  // namespace skein
