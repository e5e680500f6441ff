// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "core/index/time_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Decides for columns which region took most time, from amounts of time that come in the order of time.
/// Not thread-safe.
class ColumnTally {
public:
    /// What the regions stand in, one a call path, must outlive the tally.
    explicit ColumnTally(std::span<const std::uint32_t> regionOfCallPath) : regionOf_(regionOfCallPath) {}

    /// Begins anew with columns that show nothing.
    void start(const ColumnGrid& grid, std::span<ColumnSample> columns)
    {
        grid_ = grid;
        columns_ = columns.first(grid.count);
        end_ = grid.end();
        columnsPerNs_ = 1 / grid.nsPerColumn;
        std::fill(columns_.begin(), columns_.end(), ColumnSample{});
        current_ = -1;
        others_.clear();
    }

    /// −1 before the grid.
    std::int64_t columnOf(double time) const
    {
        const double column = (time - grid_.begin) * columnsPerNs_;
        return column < 0 ? -1 : static_cast<std::int64_t>(column);
    }

    /// An amount within one column; outside of the grid it is left out.
    void add(std::int64_t column, std::uint32_t callPath, double time)
    {
        if (column < 0 || column >= static_cast<std::int64_t>(grid_.count) || time < 0) return;
        if (column == current_) return addCandidate(callPath, time);
        closeColumn();
        current_ = column;
        right_ = grid_.begin + static_cast<double>(column + 1) * grid_.nsPerColumn;
        first_ = {regionOf_[callPath], callPath, time, time};
    }

    /// Neighbouring nodes of a tree no wider than a column; each belongs to the column of its middle.
    void addCells(const TimeTree::Cells& cells)
    {
        const std::size_t count = cells.callPaths.size();
        const double perCell = static_cast<double>(cells.widthNs) * columnsPerNs_;
        const double middle = (static_cast<double>(cells.begin) - grid_.begin) * columnsPerNs_ + perCell / 2;
        const auto columnAt = [&](std::size_t cell) {
            return static_cast<std::int64_t>(std::floor(middle + static_cast<double>(cell) * perCell));
        };
        std::size_t cell = 0;
        if (count >= kManyCells && perCell > 0.5) {
            // Other nodes may take part in the first and the last column.
            const std::int64_t first = std::max<std::int64_t>(columnAt(0) + 1, 0);
            const std::int64_t last = std::min<std::int64_t>(columnAt(count - 1), grid_.count);
            for (; cell < count && columnAt(cell) < first; ++cell) addCell(columnAt(cell), cells, cell);
            if (cell < count && first < last)
                cell = setColumns(cells, cell, first, last, 1 / perCell, middle);
        }
        for (; cell < count; ++cell) addCell(columnAt(cell), cells, cell);
    }

    /// A stretch of time of which a part is taken; cut at the edges of columns.
    void addSpan(std::uint32_t callPath, double from, double to, double share)
    {
        if (current_ >= 0 && to <= right_) return addCandidate(callPath, share * (to - from));
        addOverEdges(callPath, from, to, share);
    }

    /// After the last amount.
    void finish() { closeColumn(); }

private:
    static constexpr std::size_t kManyCells = 8;

    [[gnu::noinline]] void addOverEdges(std::uint32_t callPath, double from, double to, double share)
    {
        if (current_ >= 0 && from < right_ && to <= right_ + grid_.nsPerColumn && to <= end_)
            return addOverEdge(callPath, from, to, share);
        from = std::max(from, grid_.begin);
        to = std::min(to, end_);
        if (to <= from) return;
        auto first = static_cast<std::int64_t>((from - grid_.begin) * columnsPerNs_);
        const double right = grid_.begin + static_cast<double>(first + 1) * grid_.nsPerColumn;
        if (to <= right) return add(first, callPath, share * (to - from));
        add(first, callPath, share * (right - from));
        closeColumn();
        const auto last = std::min(static_cast<std::int64_t>((to - grid_.begin) * columnsPerNs_),
                                   static_cast<std::int64_t>(grid_.count));
        const ColumnSample full{callPath, static_cast<float>(share * grid_.nsPerColumn)};
        for (++first; first < last; ++first) columns_[static_cast<std::size_t>(first)] = full;
        const double rest = to - (grid_.begin + static_cast<double>(last) * grid_.nsPerColumn);
        if (rest > 0) add(last, callPath, share * rest);
    }

    void addCell(std::int64_t column, const TimeTree::Cells& cells, std::size_t cell)
    {
        if (cells.callPaths[cell] != CallPathId::kNone) add(column, cells.callPaths[cell], cells.nsOf(cell));
    }

    /// Columns [column, end), each of one or two cells from `cell` on. The first cell behind them is told.
    /// Cells that change from column to column are as good as random, so there is no branch.
    std::size_t setColumns(const TimeTree::Cells& cells, std::size_t cell, std::int64_t column,
                           std::int64_t end, double cellsPerColumn, double middle)
    {
        closeColumn();
        // Of 2^32 parts of a cell: where a column ends.
        constexpr double kParts = 4294967296.0;
        const auto step = static_cast<std::uint64_t>(std::llround(cellsPerColumn * kParts));
        auto right = static_cast<std::uint64_t>(
            std::llround((static_cast<double>(column + 1) - middle) * cellsPerColumn * kParts));
        const std::uint32_t* const callPaths = cells.callPaths.data();
        const std::uint8_t* const shares = cells.shares.data();
        const std::uint32_t* const regions = regionOf_.data();
        const auto highest = static_cast<std::uint32_t>(regionOf_.size() - 1);
        const float nsPerShare = static_cast<float>(cells.widthNs) / 254;
        for (; column < end; ++column, right += step) {
            const std::size_t next = (right + 0xFFFFFFFFu) >> 32;
            const std::size_t second = next - 1;
            const std::uint32_t a = callPaths[cell], b = callPaths[second];
            const int timeA = a == CallPathId::kNone ? 0 : std::min<int>(shares[cell], 254);
            const int timeB =
                b == CallPathId::kNone || second == cell ? 0 : std::min<int>(shares[second], 254);
            const bool same = regions[std::min(a, highest)] == regions[std::min(b, highest)];
            const int time = std::max(timeA, timeB) + (same ? std::min(timeA, timeB) : 0);
            columns_[static_cast<std::size_t>(column)] = {timeB > timeA ? b : a,
                                                          static_cast<float>(time) * nsPerShare};
            cell = next;
        }
        return cell;
    }

    struct Candidate {
        std::uint32_t region;
        std::uint32_t callPath;
        double time;          ///< of the region
        double callPathTime;  ///< largest of one call path
    };

    void addCandidate(std::uint32_t callPath, double time)
    {
        const std::uint32_t region = regionOf_[callPath];
        const auto addTo = [&](Candidate& candidate) {
            candidate.time += time;
            if (time <= candidate.callPathTime) return;
            candidate.callPath = callPath;
            candidate.callPathTime = time;
        };
        if (first_.region == region) return addTo(first_);
        const auto found = std::find_if(others_.begin(), others_.end(),
                                        [&](const Candidate& other) { return other.region == region; });
        if (found != others_.end()) return addTo(*found);
        others_.push_back({region, callPath, time, time});
    }

    /// A stretch that goes on into the next column.
    void addOverEdge(std::uint32_t callPath, double from, double to, double share)
    {
        const double edge = right_;
        const std::int64_t column = current_ + 1;
        addCandidate(callPath, share * (edge - from));
        closeColumn();
        if (column < static_cast<std::int64_t>(grid_.count)) add(column, callPath, share * (to - edge));
    }

    void closeColumn()
    {
        if (current_ < 0) return;
        const Candidate* best = &first_;
        for (const Candidate& candidate : others_)
            if (candidate.time > best->time) best = &candidate;
        columns_[static_cast<std::size_t>(current_)] = {best->callPath, static_cast<float>(best->time)};
        others_.clear();
        current_ = -1;
    }

    std::span<const std::uint32_t> regionOf_;
    ColumnGrid grid_;
    double end_ = 0;
    double columnsPerNs_ = 1;
    std::span<ColumnSample> columns_;
    std::int64_t current_ = -1;  ///< column that candidates are gathered for; −1: none
    double right_ = 0;           ///< its right edge
    Candidate first_{};          ///< most columns have no other
    std::vector<Candidate> others_;
};

}  // namespace skein
