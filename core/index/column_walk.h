// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "core/index/interval_skip.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Decides columns of one location exactly, by going through all calls in the grid in one go: where these are
/// not many more than columns that is faster than any tree. Not thread-safe.
class ColumnWalk {
public:
    /// What the regions stand in, one a call path, must outlive the walk.
    explicit ColumnWalk(std::span<const std::uint32_t> regionOfCallPath) : regionOf_(regionOfCallPath) {}

    /// `first` is the first call that begins at or after the beginning of the grid, rounded down. One column
    /// each of the grid; those without calls stay as they are. A call without duration outside all others is
    /// shown where nothing else is. O(calls in the grid + columns + depth · log calls).
    void walk(const CallIntervals& calls, const IntervalSkip& skip, std::uint32_t first,
              const ColumnGrid& grid, std::span<ColumnSample> columns);

private:
    class Columns;
    struct Open {
        double end;  ///< in columns
        std::uint32_t callPath;
        std::uint32_t region;
    };
    struct Candidate {
        std::uint32_t region;
        std::uint32_t callPath;
        double part;          ///< of the column, of the region
        double callPathPart;  ///< largest of one call path
    };

    std::size_t findOpen(const CallIntervals& calls, const IntervalSkip& skip, std::uint32_t first,
                         const ColumnGrid& grid);

    std::span<const std::uint32_t> regionOf_;
    std::vector<std::uint32_t> around_;  ///< calls that are open at the beginning, innermost first
    std::vector<Open> open_;             ///< room for those that are open, below them nobody
    std::vector<Candidate> candidates_;  ///< room for those of the column that is decided
};

}  // namespace skein
