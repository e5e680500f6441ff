// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/tau_profile/location_rows.h"

#include "core/base/parallel_for.h"

#include <algorithm>

namespace skein::tau {

LocationRows::LocationRows(std::vector<std::uint32_t> items, std::size_t metrics)
    : items_(std::move(items)), metrics_(metrics)
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

MetricCube makeCube(std::span<const LocationRows> locations, std::span<const MetricId> metrics,
                    std::span<const double> scales, const Task& task)
{
    std::vector<std::uint64_t> offsets{0};
    for (const LocationRows& rows : locations) offsets.push_back(offsets.back() + rows.size());
    const std::size_t total = offsets.back();
    std::vector<std::uint32_t> items(total);
    std::vector<double> calls(total), subroutines(total);
    std::vector<std::vector<double>> inclusive(metrics.size(), std::vector<double>(total)),
        exclusive = inclusive;
    parallelFor(locations.size(), task, [&](std::size_t location) {
        const LocationRows& rows = locations[location];
        for (std::size_t row = 0, to = offsets[location]; row < rows.size(); ++row, ++to) {
            items[to] = rows.item(row);
            calls[to] = rows.calls(row);
            subroutines[to] = rows.subroutines(row);
            for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
                inclusive[metric][to] = rows.inclusive(row, metric) * scales[metric];
                exclusive[metric][to] = rows.exclusive(row, metric) * scales[metric];
            }
        }
    });
    MetricCube cube;
    cube.metrics.assign(metrics.begin(), metrics.end());
    for (std::size_t metric = 0; metric < metrics.size(); ++metric) {
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
