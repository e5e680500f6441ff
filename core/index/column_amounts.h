// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "core/index/time_tree.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Adds up how long each region ran in every column, and decides which one took most. Amounts come in
/// any number of passes, one for each tree or location of a row, and in the order of time in each. Exact but
/// for rounding to single precision. Not thread-safe.
///
///     column       0        1        2
///     amounts    a 40     a 100    b 70     →  a, a, b
///                b 60               a 30
class ColumnAmounts {
public:
    /// Which region each call path is of; must outlive the amounts.
    explicit ColumnAmounts(std::span<const std::uint32_t> regionOfCallPath) : regionOf_(regionOfCallPath) {}

    /// Begins with columns in which nothing ran; one entry a column of the grid. `passes`: how
    /// often amounts begin again at an earlier time, see endPass().
    void start(const ColumnGrid& grid, std::span<ColumnSample> columns, std::size_t passes);

    /// A stretch of time that counts `weight` times, cut at the edges of columns. One without length leaves a
    /// mark where nothing else is. O(columns that it covers).
    void addSpan(std::uint32_t callPath, double from, double to, double weight)
    {
        if (from < left_ || to >= nextRight_ || from >= right_)
            return addAnywhere(callPath, from, to, weight);
        if (to < right_) return add(parts_, callPath, (to - from) * weight);
        add(parts_, callPath, (right_ - from) * weight);
        enter(column_ + 1);
        if (to > left_) add(parts_, callPath, (to - left_) * weight);
    }

    /// Neighbouring nodes of a tree no wider than a column, and wider than half of one, which count `weight`
    /// times; each belongs to the column of its middle.
    void addCells(const TimeTree::Cells& cells, double weight);

    /// What follows may be of any time.
    void endPass() { leave(); }

    /// Decides. Ties: the smaller region. O(columns · regions in them).
    void finish();

private:
    static constexpr std::size_t kNowhere = ~std::size_t{0};

    struct Part {
        std::uint32_t region;
        std::uint32_t callPath;  ///< of the largest amount
        float ns;
        float callPathNs;  ///< largest amount
    };
    /// Of one column. A line of the processor's cache; few columns hold more regions than it has room for.
    struct Parts {
        static constexpr std::uint32_t kRoom = 3;
        Part part[kRoom];
        std::uint32_t count = 0;
        std::uint32_t more = 0;  ///< number of the parts that follow, from 1 on; 0: none do
    };

    void add(Parts& parts, std::uint32_t callPath, double ns)
    {
        addPart(parts, {regionOf_[callPath], callPath, static_cast<float>(ns), static_cast<float>(ns)});
    }
    void addPart(Parts& parts, const Part& added)
    {
        for (std::uint32_t number = 0; number < parts.count; ++number)
            if (parts.part[number].region == added.region) return addTo(parts.part[number], added);
        if (parts.count == Parts::kRoom) return addBehind(parts, added);
        parts.part[parts.count++] = added;
    }
    static void addTo(Part& part, const Part& added)
    {
        part.ns += added.ns;
        if (added.callPathNs <= part.callPathNs) return;
        part.callPath = added.callPath;
        part.callPathNs = added.callPathNs;
    }
    void addBehind(Parts& full, const Part& added);
    void addAnywhere(std::uint32_t callPath, double from, double to, double weight);
    void addCell(double column, std::uint32_t callPath, float ns);
    void setColumns(const TimeTree::Cells& cells, std::size_t cell, std::span<ColumnSample> columns,
                    double right, double cellsPerColumn, float nsPerShare);
    void addColumns(std::size_t first, std::size_t end, std::uint32_t callPath, double weight);

    /// The column that amounts are added to from now on.
    void enter(std::size_t column)
    {
        if (column == column_) return;
        leave();
        column_ = column;
        left_ = grid_.begin + static_cast<double>(column) * grid_.nsPerColumn;
        right_ = grid_.begin + static_cast<double>(column + 1) * grid_.nsPerColumn;
        nextRight_ = column + 1 < grid_.count ? right_ + grid_.nsPerColumn : right_;
    }
    void leave();
    ColumnSample sampleOf(const Parts& parts) const;

    std::span<const std::uint32_t> regionOf_;
    ColumnGrid grid_;
    std::span<ColumnSample> columns_;
    double columnsPerNs_ = 1;
    bool isOnlyPass_ = true;       ///< then a column is decided as soon as it is left
    std::vector<Parts> together_;  ///< a column, of all sources; where there are several
    std::vector<Parts> more_;
    Parts parts_;                    ///< of the column that was entered
    std::size_t column_ = kNowhere;  ///< which one that is
    double left_ = 0;                ///< its edges
    double right_ = 0;
    double nextRight_ = 0;  ///< right edge of the next one; its own where it is the last
};

}  // namespace skein
