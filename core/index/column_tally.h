// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Decides for columns which region took most time, from amounts of time that come in the order of time.
/// Not thread-safe.
class ColumnTally {
public:
    /// What the regions stand in, one a call path, must outlive the tally.
    explicit ColumnTally(std::span<const std::uint32_t> regionOfCallPath) : regionOf_(regionOfCallPath.data()) {}

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

    /// A stretch of time of which a part is taken; cut at the edges of columns.
    void addSpan(std::uint32_t callPath, double from, double to, double share)
    {
        if (current_ >= 0 && to <= right_) return addCandidate(callPath, share * (to - from));
        from = std::max(from, grid_.begin);
        to = std::min(to, end_);
        if (to <= from) return;
        auto first = static_cast<std::int64_t>((from - grid_.begin) * columnsPerNs_);
        const double right = grid_.begin + static_cast<double>(first + 1) * grid_.nsPerColumn;
        if (to <= right) return add(first, callPath, share * (to - from));
        add(first, callPath, share * (right - from));
        closeColumn();
        const auto last = std::min(static_cast<std::int64_t>((to - grid_.begin) * columnsPerNs_), static_cast<std::int64_t>(grid_.count));
        const ColumnSample full{callPath, static_cast<float>(share * grid_.nsPerColumn)};
        for (++first; first < last; ++first) columns_[static_cast<std::size_t>(first)] = full;
        const double rest = to - (grid_.begin + static_cast<double>(last) * grid_.nsPerColumn);
        if (rest > 0) add(last, callPath, share * rest);
    }

    /// After the last amount.
    void finish() { closeColumn(); }

private:
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
        for (Candidate& candidate : others_)
            if (candidate.region == region) return addTo(candidate);
        others_.push_back({region, callPath, time, time});
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

    const std::uint32_t* regionOf_;
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
