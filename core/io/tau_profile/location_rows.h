// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/profile/profile.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein::tau {

/// The rows of one location while a cube is built: sorted items with calls and values that can be added to.
class LocationRows {
public:
    LocationRows() = default;
    /// Items in any order, repeated ones become one row. O(n log n).
    LocationRows(std::vector<std::uint32_t> items, std::size_t metrics);

    static constexpr std::size_t kAbsent = static_cast<std::size_t>(-1);
    /// Row of an item, or kAbsent. O(log n).
    std::size_t find(std::uint32_t item) const;

    std::size_t size() const { return items_.size(); }
    std::size_t metrics() const { return metrics_; }
    std::uint32_t item(std::size_t row) const { return items_[row]; }
    double& calls(std::size_t row) { return calls_[row]; }
    double calls(std::size_t row) const { return calls_[row]; }
    double& subroutines(std::size_t row) { return subroutines_[row]; }
    double subroutines(std::size_t row) const { return subroutines_[row]; }
    double& exclusive(std::size_t row, std::size_t metric) { return values_[2 * (row * metrics_ + metric)]; }
    double exclusive(std::size_t row, std::size_t metric) const
    {
        return values_[2 * (row * metrics_ + metric)];
    }
    double& inclusive(std::size_t row, std::size_t metric)
    {
        return values_[2 * (row * metrics_ + metric) + 1];
    }
    double inclusive(std::size_t row, std::size_t metric) const
    {
        return values_[2 * (row * metrics_ + metric) + 1];
    }

    /// Adds all numbers of a row of another object with the same metrics.
    void addRow(std::size_t row, const LocationRows& other, std::size_t otherRow);

private:
    std::vector<std::uint32_t> items_;
    std::vector<double> calls_, subroutines_, values_;
    std::size_t metrics_ = 0;
};

/// Joins the rows of all locations, each value times the scale of its metric. Incomplete after a stop
/// request.
MetricCube makeCube(std::span<const LocationRows> locations, std::span<const MetricId> metrics,
                    std::span<const double> scales, const Task& task);

}  // namespace skein::tau
