// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/column.h"
#include "core/base/id.h"
#include "core/base/time_span.h"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace skein {

/// Finds rows by location and time. Rows have `begin`, `end` and `location`, are sorted by (location, begin)
/// and may overlap. The rows are not kept: pass the same ones to every call. 8 bytes per row. Immutable.
template <typename Row>
class LocationSpans {
public:
    LocationSpans() = default;
    /// O(rows).
    explicit LocationSpans(const Column<Row>& rows)
    {
        latestEnd_.reserve(rows.size());
        for (std::size_t number = 0; number < rows.size(); ++number) {
            const bool first = number == 0 || rows[number - 1].location != rows[number].location;
            while (offsets_.size() <= rows[number].location.index()) offsets_.push_back(number);
            latestEnd_.push_back(first ? rows[number].end : std::max(latestEnd_.back(), rows[number].end));
        }
        offsets_.push_back(rows.size());
    }

    /// Numbers of the rows of a location: [first, end).
    std::pair<std::size_t, std::size_t> rowsOf(LocationId location) const
    {
        if (location.index() + 1 >= offsets_.size()) return {latestEnd_.size(), latestEnd_.size()};
        return {offsets_[location.index()], offsets_[location.index() + 1]};
    }
    /// The first of them such that it, or any before it, ends after the time. O(log rows).
    std::size_t firstEndingAfter(LocationId location, TimeNs time) const
    {
        const auto [first, end] = rowsOf(location);
        const auto at = [this](std::size_t number) {
            return latestEnd_.begin() + static_cast<std::ptrdiff_t>(number);
        };
        return static_cast<std::size_t>(std::upper_bound(at(first), at(end), time) - latestEnd_.begin());
    }
    /// The first of them that begins at or after the time. O(log rows).
    std::size_t firstBeginningAt(const Column<Row>& rows, LocationId location, TimeNs time) const
    {
        const auto [first, end] = rowsOf(location);
        return static_cast<std::size_t>(
            std::lower_bound(rows.begin() + first, rows.begin() + end, time,
                             [](const Row& row, TimeNs at) { return row.begin < at; })
            - rows.begin());
    }
    /// The latest end of the location's rows up to and including this number.
    TimeNs latestEnd(std::size_t number) const { return latestEnd_[number]; }

private:
    std::vector<std::size_t> offsets_;  ///< [location]
    std::vector<TimeNs> latestEnd_;     ///< [row]
};

}  // namespace skein
