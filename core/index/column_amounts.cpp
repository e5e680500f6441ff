// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/column_amounts.h"

#include <algorithm>
#include <cmath>

namespace skein {

void ColumnAmounts::start(const ColumnGrid& grid, std::span<ColumnSample> columns, std::size_t passes)
{
    grid_ = grid;
    columns_ = columns.first(grid.count);
    columnsPerNs_ = 1 / grid.nsPerColumn;
    isOnlyPass_ = passes == 1;
    std::fill(columns_.begin(), columns_.end(), ColumnSample{});
    together_.assign(isOnlyPass_ ? 0 : grid.count, Parts());
    more_.clear();
    parts_.count = parts_.more = 0;
    column_ = kNowhere;
    left_ = right_ = nextRight_ = 0;
}

void ColumnAmounts::addAnywhere(std::uint32_t callPath, double from, double to, double weight)
{
    const bool instant = from == to;
    from = std::max(from, grid_.begin);
    to = std::min(to, grid_.end());
    const auto first = static_cast<std::size_t>(std::max(0.0, (from - grid_.begin) * columnsPerNs_));
    if (to < from || (to == from && !instant) || first >= grid_.count) return;
    enter(first);
    if (to <= right_) return add(parts_, callPath, (to - from) * weight);
    if (right_ > from) add(parts_, callPath, (right_ - from) * weight);
    const auto last =
        std::min(static_cast<std::size_t>((to - grid_.begin) * columnsPerNs_), std::size_t{grid_.count});
    if (last > first + 1) addColumns(first + 1, last, callPath, weight);
    if (last == grid_.count) return leave();
    enter(last);
    if (to > left_) add(parts_, callPath, (to - left_) * weight);
}

/// Whole ones.
void ColumnAmounts::addColumns(std::size_t first, std::size_t end, std::uint32_t callPath, double weight)
{
    const auto ns = static_cast<float>(weight * grid_.nsPerColumn);
    if (isOnlyPass_)
        return std::fill(columns_.begin() + static_cast<std::ptrdiff_t>(first),
                         columns_.begin() + static_cast<std::ptrdiff_t>(end), ColumnSample{callPath, ns});
    for (std::size_t column = first; column < end; ++column)
        addPart(together_[column], {regionOf_[callPath], callPath, ns, ns});
}

inline void ColumnAmounts::addCell(double column, std::uint32_t callPath, float ns)
{
    if (callPath == CallPathId::kNone || column < 0 || column >= grid_.count) return;
    enter(static_cast<std::size_t>(column));
    add(parts_, callPath, static_cast<double>(ns));
}

/// Columns of one or two cells each, from `cell` on; the first one ends at `right`, in cells. What they are
/// changes from column to column as good as at random, so there is no branch on it.
void ColumnAmounts::setColumns(const TimeTree::Cells& cells, std::size_t cell,
                               std::span<ColumnSample> columns, double right, double cellsPerColumn,
                               float nsPerShare)
{
    // Of 2^32 parts of a cell.
    constexpr double kParts = 4294967296.0;
    const auto step = static_cast<std::uint64_t>(std::llround(cellsPerColumn * kParts));
    auto end = static_cast<std::uint64_t>(std::llround(right * kParts));
    const auto highest = static_cast<std::uint32_t>(regionOf_.size() - 1);
    for (ColumnSample& column : columns) {
        const std::size_t next = (end + 0xFFFFFFFFu) >> 32;
        const std::size_t second = next - 1;
        const std::uint32_t a = cells.callPaths[cell], b = cells.callPaths[second];
        const int partA = a == CallPathId::kNone ? 0 : std::min<int>(cells.shares[cell], 254);
        const int partB =
            b == CallPathId::kNone || second == cell ? 0 : std::min<int>(cells.shares[second], 254);
        const bool isSame = regionOf_[std::min(a, highest)] == regionOf_[std::min(b, highest)];
        const int part = std::max(partA, partB) + (isSame ? std::min(partA, partB) : 0);
        column = {partB > partA ? b : a, static_cast<float>(part) * nsPerShare};
        cell = next;
        end += step;
    }
}

void ColumnAmounts::addCells(const TimeTree::Cells& cells, double weight)
{
    const double perCell = static_cast<double>(cells.widthNs) * columnsPerNs_;
    const double middle = (static_cast<double>(cells.begin) - grid_.begin) * columnsPerNs_ + perCell / 2;
    const auto nsPerShare = static_cast<float>(static_cast<double>(cells.widthNs) * weight / 254);
    const std::size_t count = cells.callPaths.size();
    // The first cell whose middle is not left of a column.
    const auto firstOf = [&](std::int64_t column) {
        const double cell = std::ceil((static_cast<double>(column) - middle) / perCell);
        return static_cast<std::size_t>(std::clamp(cell, 0.0, static_cast<double>(count)));
    };
    const auto addUpTo = [&](std::size_t cell, std::size_t end) {
        for (; cell < end; ++cell)
            addCell(middle + static_cast<double>(cell) * perCell, cells.callPaths[cell],
                    nsPerShare * static_cast<float>(std::min<int>(cells.shares[cell], 254)));
    };
    const auto first = std::max<std::int64_t>(0, static_cast<std::int64_t>(std::ceil(middle)));
    const auto last = std::min<std::int64_t>(
        grid_.count,
        static_cast<std::int64_t>(std::floor(middle + perCell * (static_cast<double>(count) - 0.5))));
    if (!isOnlyPass_ || first >= last) return addUpTo(firstOf(0), firstOf(grid_.count));
    // Other nodes may take part in the columns beside.
    addUpTo(firstOf(0), firstOf(first));
    leave();
    setColumns(cells, firstOf(first),
               columns_.subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(last - first)),
               (static_cast<double>(first + 1) - middle) / perCell, 1 / perCell, nsPerShare);
    addUpTo(firstOf(last), firstOf(grid_.count));
}

/// Beside a column's first parts, which are of other regions.
void ColumnAmounts::addBehind(Parts& full, const Part& added)
{
    if (full.more == 0) {
        full.more = static_cast<std::uint32_t>(more_.size() + 1);
        more_.emplace_back();  // `full` may be gone now, where it is one of these
        return addPart(more_.back(), added);
    }
    addPart(more_[full.more - 1], added);
}

void ColumnAmounts::leave()
{
    if (column_ == kNowhere) return;
    if (isOnlyPass_) {
        columns_[column_] = sampleOf(parts_);
        more_.clear();
    } else {
        Parts& all = together_[column_];
        for (Parts parts = parts_;; parts = more_[parts.more - 1]) {
            for (std::uint32_t number = 0; number < parts.count; ++number) addPart(all, parts.part[number]);
            if (parts.more == 0) break;
        }
    }
    parts_.count = parts_.more = 0;
    column_ = kNowhere;
    left_ = right_ = nextRight_ = 0;
}

ColumnSample ColumnAmounts::sampleOf(const Parts& parts) const
{
    ColumnSample best;
    std::uint32_t region = 0xFFFFFFFFu;
    for (const Parts* at = &parts;; at = &more_[at->more - 1]) {
        for (std::uint32_t number = 0; number < at->count; ++number) {
            const Part& part = at->part[number];
            if (part.ns < best.timeNs || (part.ns == best.timeNs && part.region > region)) continue;
            best = {part.callPath, part.ns};
            region = part.region;
        }
        if (at->more == 0) return best;
    }
}

void ColumnAmounts::finish()
{
    leave();
    for (std::size_t column = 0; column < together_.size(); ++column)
        columns_[column] = sampleOf(together_[column]);
}

}  // namespace skein
