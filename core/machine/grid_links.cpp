// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/grid_links.h"

#include <algorithm>
#include <array>

namespace skein {
namespace {

/// Two for each of the dimensions that a grid may have.
constexpr std::size_t kMostNeighbours = 48;

}  // namespace

GridLinks::GridLinks(std::span<const GridDimension> dimensions)
{
    bool equal = true;
    for (std::size_t d = dimensions.size(); d-- > 0;) {
        const GridDimension& dimension = dimensions[d];
        const bool wraps = dimension.shape == DimensionShape::Ring && dimension.size > 2;
        axes_.push_back({dimension.size, nodes_, wraps});
        equal = equal && (wraps || dimension.size <= 2);
        degree_ += axes_.back().linksOf(0);
        nodes_ *= dimension.size;
    }
    if (!equal) degree_ = 0;
}

std::uint32_t GridLinks::first(std::uint32_t node) const
{
    if (degree_ > 0) return node * degree_;
    std::uint32_t links = 0;
    for (const Axis& axis : axes_) {
        const std::uint32_t row = axis.size * axis.stride;
        const std::uint32_t inRow = node % row, position = inRow / axis.stride;
        links +=
            node / row * axis.linksBefore(axis.size) * axis.stride + axis.linksBefore(position) * axis.stride;
        if (inRow % axis.stride > 0) links += inRow % axis.stride * axis.linksOf(position);
    }
    return links;
}

std::uint32_t GridLinks::source(std::uint32_t link) const
{
    if (degree_ > 0) return link / degree_;
    std::uint32_t low = 0, high = nodes_;
    while (high - low > 1) {
        const std::uint32_t middle = low + (high - low) / 2;
        (first(middle) <= link ? low : high) = middle;
    }
    return low;
}

template <typename F>
void GridLinks::forNeighbours(std::uint32_t node, const F& f) const
{
    for (const Axis& axis : axes_) {
        if (axis.size == 1) continue;
        const std::uint32_t position = node / axis.stride % axis.size;
        const std::uint32_t begin = node - position * axis.stride;
        if (position > 0) f(node - axis.stride);
        else if (axis.wraps) f(begin + (axis.size - 1) * axis.stride);
        if (position + 1 < axis.size) f(node + axis.stride);
        else if (axis.wraps) f(begin);
    }
}

std::uint32_t GridLinks::target(std::uint32_t link) const
{
    const std::uint32_t node = source(link);
    std::array<std::uint32_t, kMostNeighbours> neighbours{};
    std::size_t count = 0;
    forNeighbours(node, [&](std::uint32_t neighbour) { neighbours[count++] = neighbour; });
    const auto wanted = neighbours.begin() + (link - first(node));
    std::nth_element(neighbours.begin(), wanted, neighbours.begin() + static_cast<std::ptrdiff_t>(count));
    return *wanted;
}

std::uint32_t GridLinks::find(std::uint32_t from, std::uint32_t to) const
{
    std::uint32_t before = 0;
    bool found = false;
    forNeighbours(from, [&](std::uint32_t neighbour) {
        before += neighbour < to ? 1 : 0;
        found = found || neighbour == to;
    });
    return found ? first(from) + before : kNone;
}

}  // namespace skein
