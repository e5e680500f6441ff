// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "core/session/experiment.h"
#include "views/common/scene/color/lane_table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace skein {

/// How much of each column of time the calls of each depth fill that are too narrow for bars of their own.
/// Immutable.
class DepthDensity {
public:
    struct Cell {
        float part = 0;  ///< of the column, 0 … 1
        std::uint32_t callPath =
            0;  ///< that fills most of it where one fills more than half, else a large one

    private:
        friend class DepthDensity;
        float votes = 0;
    };

    /// Goes through all calls that begin in the grid, where these are no more than 2^22; else, and where
    /// there are none, known() is false. Calls of at least `widest` columns are left out. Depths are those of
    /// the table, without hidden regions. O(calls + rows · columns).
    DepthDensity(const Experiment& experiment, const CallIntervals& calls, const LaneTable& table,
                 const ColumnGrid& grid, std::uint32_t rows, double widest);

    bool known() const { return !cells_.empty(); }
    const Cell& at(std::uint32_t row, std::size_t column) const { return cells_[row * columns_ + column]; }

private:
    void add(Cell& cell, std::uint32_t callPath, float part);

    std::size_t columns_;
    std::vector<Cell> cells_;  ///< [row × columns + column]
};

}  // namespace skein
