// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/location_rows.h"

#include <algorithm>

namespace skein::tau {

LocationRows::LocationRows(std::vector<std::uint32_t> items, std::size_t metrics) : items_(std::move(items)), metrics_(metrics)
{
    std::sort(items_.begin(), items_.end());
    items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
    calls_.resize(items_.size());
    subroutines_.resize(items_.size());
    values_.resize(items_.size() * metrics_ * 2);
}

std::size_t LocationRows::find(std::uint32_t item) const
{
    const auto found = std::lower_bound(items_.begin(), items_.end(), item);
    if (found == items_.end() || *found != item) return kAbsent;
    return static_cast<std::size_t>(found - items_.begin());
}

void LocationRows::addRow(std::size_t row, const LocationRows& other, std::size_t otherRow)
{
    calls_[row] += other.calls_[otherRow];
    subroutines_[row] += other.subroutines_[otherRow];
    for (std::size_t value = 0; value < 2 * metrics_; ++value)
        values_[2 * row * metrics_ + value] += other.values_[2 * otherRow * metrics_ + value];
}

MetricCube makeCube(std::span<const LocationRows> locations, std::span<const MetricId> metrics, std::span<const double> scales)
{
    std::vector<std::uint64_t> offsets{0};
    for (const LocationRows& rows : locations) offsets.push_back(offsets.back() + rows.size());
    const std::size_t total = offsets.back();
    std::vector<std::uint32_t> items;
    std::vector<double> calls, subroutines;
    items.reserve(total);
    calls.reserve(total);
    subroutines.reserve(total);
    std::vector<std::vector<double>> inclusive(metrics.size()), exclusive(metrics.size());
    for (const LocationRows& rows : locations) {
        for (std::size_t row = 0; row < rows.size(); ++row) {
            items.push_back(rows.item(row));
            calls.push_back(rows.calls(row));
            subroutines.push_back(rows.subroutines(row));
        }
    }
    MetricCube cube;
    cube.metrics.assign(metrics.begin(), metrics.end());
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
        inclusive[metric].reserve(total);
        exclusive[metric].reserve(total);
        for (const LocationRows& rows : locations) {
            for (std::size_t row = 0; row < rows.size(); ++row) {
                inclusive[metric].push_back(rows.inclusive(row, metric) * scales[metric]);
                exclusive[metric].push_back(rows.exclusive(row, metric) * scales[metric]);
            }
        }
        cube.inclusive.emplace_back(std::move(inclusive[metric]));
        cube.exclusive.emplace_back(std::move(exclusive[metric]));
    }
    cube.locationOffsets = Column<std::uint64_t>(std::move(offsets));
    cube.items = Column<std::uint32_t>(std::move(items));
    cube.calls = Column<double>(std::move(calls));
    cube.subroutines = Column<double>(std::move(subroutines));
    return cube;
}

}  // namespace skein::tau
