// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/location_detail/depth_density_scene.h"

#include "core/index/first_call.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::size_t kMostCalls = std::size_t{1} << 22;

}  // namespace

DepthDensity::DepthDensity(const Experiment& experiment, const CallIntervals& calls, const LaneTable& table,
                           const ColumnGrid& grid, std::uint32_t rows, double widest)
    : columns_(grid.count)
{
    // Those that begin before the grid and reach into it by less than `widest` columns count as well.
    const double reach = widest * grid.nsPerColumn;
    const std::uint32_t first = firstCallFrom(calls, static_cast<TimeNs>(std::floor(grid.begin - reach)));
    const std::uint32_t end = firstCallFrom(calls, static_cast<TimeNs>(std::ceil(grid.end())));
    if (first == end || end - first > kMostCalls) return;
    cells_.resize(std::size_t{rows} * columns_);
    const std::size_t paths = experiment.callTree->size();
    for (std::uint32_t call = first; call < end; ++call) {
        const std::uint32_t path = calls.callPath[call];
        const double from = (static_cast<double>(calls.begin[call]) - grid.begin) / grid.nsPerColumn;
        const double to = (static_cast<double>(calls.end[call]) - grid.begin) / grid.nsPerColumn;
        if (path >= paths || to - from >= widest || to <= 0) continue;
        const std::uint32_t row = table.laneOf(path);
        if (row >= rows) continue;
        for (double column = std::max(0.0, std::floor(from)); column < std::min(to, grid.count * 1.0);
             ++column) {
            const double part = std::min(to, column + 1) - std::max(from, column);
            add(cells_[row * columns_ + static_cast<std::size_t>(column)], path, static_cast<float>(part));
        }
    }
}

/// Boyer and Moore's vote, weighted by time.
void DepthDensity::add(Cell& cell, std::uint32_t callPath, float part)
{
    cell.part += part;
    if (cell.callPath == callPath && cell.votes > 0) {
        cell.votes += part;
    } else if (cell.votes < part) {
        cell.callPath = callPath;
        cell.votes = part - cell.votes;
    } else {
        cell.votes -= part;
    }
}

}  // namespace skein
