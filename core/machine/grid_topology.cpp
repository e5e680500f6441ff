// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/topology_builders.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kMostRuledDimensions = 24;
constexpr VertexIndex kNodesBetweenLooks = 1024;

/// Directed links that leave the positions of one ring, line or complete graph.
std::uint64_t linksAlong(const GridDimension& dimension)
{
    const std::uint64_t size = dimension.size;
    switch (dimension.shape) {
    case DimensionShape::Ring: return size <= 2 ? size * (size - 1) : 2 * size;
    case DimensionShape::Line: return 2 * (size - 1);
    case DimensionShape::Complete: return size * (size - 1);
    }
    return 0;
}

Result<std::uint64_t> countLinks(const std::vector<GridDimension>& dimensions, std::string_view spec)
{
    std::uint64_t nodes = 1;
    for (const GridDimension& dimension : dimensions) {
        if (dimension.size == 0 || dimension.size > 65535)
            return fail(ErrorCode::InvalidArgument, "The size of a dimension must be between 1 and 65535.",
                        std::string(spec));
        nodes *= dimension.size;
        if (nodes > Topology::kMaximumVertices)
            return fail(ErrorCode::OutOfMemory,
                        fmt::format("A machine may have at most {} nodes.", Topology::kMaximumVertices),
                        std::string(spec));
    }
    std::uint64_t links = 0;
    for (const GridDimension& dimension : dimensions) links += nodes / dimension.size * linksAlong(dimension);
    if (links > Topology::kMaximumLinks)
        return fail(
            ErrorCode::OutOfMemory,
            fmt::format("A machine may have at most {} links, this has {}.", Topology::kMaximumLinks, links),
            std::string(spec));
    return links;
}

void appendNeighbours(const GridDimension& dimension, std::uint32_t at, std::uint32_t stride,
                      VertexIndex node, std::vector<VertexIndex>& neighbours)
{
    const auto to = [&](std::uint32_t position) {
        neighbours.push_back(node - at * stride + position * stride);
    };
    if (dimension.shape == DimensionShape::Complete) {
        for (std::uint32_t position = 0; position < dimension.size; ++position)
            if (position != at) to(position);
        return;
    }
    const bool wraps = dimension.shape == DimensionShape::Ring && dimension.size > 2;
    if (at > 0) to(at - 1);
    else if (wraps) to(dimension.size - 1);
    if (at + 1 < dimension.size) to(at + 1);
    else if (wraps) to(0);
}

}  // namespace

Result<Topology> makeGrid(std::vector<GridDimension> dimensions, std::string spec, const Task& task)
{
    const auto links = countLinks(dimensions, spec);
    if (!links) return Unexpected(links.error());
    const bool noneComplete = std::none_of(dimensions.begin(), dimensions.end(), [](const GridDimension& d) {
        return d.shape == DimensionShape::Complete;
    });
    if (*links > Topology::kMostListedLinks && noneComplete && dimensions.size() <= kMostRuledDimensions)
        return Topology::createByRule(std::move(dimensions), std::move(spec));
    Topology::Parts parts;
    parts.nodes = 1;
    for (const GridDimension& dimension : dimensions) parts.nodes *= dimension.size;
    parts.links.reserve(*links);
    std::vector<VertexIndex> neighbours;
    for (VertexIndex node = 0; node < parts.nodes; ++node) {
        if (node % kNodesBetweenLooks == 0 && task.stopRequested()) return cancelled();
        neighbours.clear();
        std::uint32_t stride = 1;
        for (std::size_t d = dimensions.size(); d-- > 0; stride *= dimensions[d].size)
            appendNeighbours(dimensions[d], node / stride % dimensions[d].size, stride, node, neighbours);
        std::sort(neighbours.begin(), neighbours.end());
        for (const VertexIndex neighbour : neighbours) parts.links.push_back({node, neighbour, 1.0f});
    }
    parts.spec = std::move(spec);
    parts.shape = GridShape{};
    parts.numbering = std::move(dimensions);
    return Topology::create(std::move(parts), task);
}

}  // namespace skein
