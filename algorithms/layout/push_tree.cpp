// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/push_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace skein {
namespace {

constexpr int kKeyLevels = 24;
constexpr std::uint32_t kPointsOfLeaf = 6;

/// Bits apart by one.
std::uint64_t spread(std::uint32_t bits)
{
    std::uint64_t value = bits;
    value = (value | value << 16) & 0x0000FFFF0000FFFFull;
    value = (value | value << 8) & 0x00FF00FF00FF00FFull;
    value = (value | value << 4) & 0x0F0F0F0F0F0F0F0Full;
    value = (value | value << 2) & 0x3333333333333333ull;
    return (value | value << 1) & 0x5555555555555555ull;
}

}  // namespace

PushTree::PushTree(std::span<const PlanePoint> points, std::span<const float> masses) : points_(points)
{
    const auto count = static_cast<std::uint32_t>(points.size());
    double left = std::numeric_limits<double>::infinity(), top = left, right = -left, bottom = -left;
    for (const PlanePoint& point : points) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
    }
    side_ = std::max({right - left, bottom - top, 1e-300}) * (1 + 1e-9);
    std::vector<std::pair<std::uint64_t, std::uint32_t>> sorted(count);
    constexpr double kCells = 1u << kKeyLevels;
    constexpr std::uint32_t kLast = (1u << kKeyLevels) - 1;
    const auto place = [&](double along) {
        return std::min(kLast, static_cast<std::uint32_t>(along / side_ * kCells));
    };
    for (std::uint32_t i = 0; i < count; ++i)
        sorted[i] = {spread(place(points[i].x - left)) | spread(place(points[i].y - top)) << 1, i};
    std::sort(sorted.begin(), sorted.end());
    order_.resize(count);
    keys_.resize(count);
    sorted_.resize(count);
    mass_.resize(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        std::tie(keys_[i], order_[i]) = sorted[i];
        sorted_[i] = points[order_[i]];
        mass_[i] = static_cast<double>(masses[order_[i]]);
    }
    cells_.reserve(count);
    if (count > 0) build(0, count, 0);
}

void PushTree::build(std::uint32_t begin, std::uint32_t end, int level)
{
    const auto index = static_cast<std::uint32_t>(cells_.size());
    const double side = std::ldexp(side_, -level);
    Cell cell;
    cell.begin = begin;
    cell.end = end;
    cell.side2 = side * side;
    cell.leaf = end - begin <= kPointsOfLeaf || level == kKeyLevels;
    sum(cell);
    cells_.push_back(cell);
    if (!cell.leaf) {
        const int shift = 2 * (kKeyLevels - 1 - level);
        for (std::uint32_t from = begin; from < end;) {
            const std::uint64_t quarter = keys_[from] >> shift;
            std::uint32_t to = from + 1;
            while (to < end && keys_[to] >> shift == quarter) ++to;
            build(from, to, level + 1);
            from = to;
        }
    }
    cells_[index].skip = static_cast<std::uint32_t>(cells_.size());
}

void PushTree::sum(Cell& cell) const
{
    for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
        cell.mass += mass_[i];
        cell.x += mass_[i] * sorted_[i].x;
        cell.y += mass_[i] * sorted_[i].y;
    }
    cell.x /= cell.mass;
    cell.y /= cell.mass;
}

template <PushRange kRange>
PlanePoint PushTree::pushOf(std::uint32_t point, double seen) const
{
    const auto strength = [](double mass, double away2) {
        return kRange == PushRange::Far ? mass / away2 : mass / (away2 * std::sqrt(away2));
    };
    const PlanePoint own = points_[point];
    const double seen2 = seen * seen;
    PlanePoint push;
    for (std::uint32_t at = 0; at < cells_.size();) {
        const Cell& cell = cells_[at];
        const double x = own.x - cell.x, y = own.y - cell.y;
        const double away2 = x * x + y * y;
        if (cell.side2 < seen2 * away2) {
            const double factor = strength(cell.mass, away2);
            push.x += factor * x;
            push.y += factor * y;
            at = cell.skip;
            continue;
        }
        ++at;
        if (!cell.leaf) continue;
        for (std::uint32_t i = cell.begin; i < cell.end; ++i) {
            const double dx = own.x - sorted_[i].x, dy = own.y - sorted_[i].y;
            const double near2 = dx * dx + dy * dy;
            const double factor = near2 > 0 ? strength(mass_[i], near2) : 0;
            push.x += factor * dx;
            push.y += factor * dy;
        }
    }
    return push;
}

template PlanePoint PushTree::pushOf<PushRange::Far>(std::uint32_t, double) const;
template PlanePoint PushTree::pushOf<PushRange::Near>(std::uint32_t, double) const;

}  // namespace skein
