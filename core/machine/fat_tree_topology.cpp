// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/topology_builders.h"

#include <fmt/format.h>

namespace skein {
namespace {

constexpr std::size_t kMaximumLevels = 16;
constexpr std::uint32_t kVerticesBetweenLooks = 1024;

std::uint64_t parentsBelow(const FatTreeShape& shape, std::size_t level)
{
    std::uint64_t product = 1;
    for (std::size_t i = 0; i < level; ++i) product *= shape.parents[i];
    return product;
}

Result<void> checkShape(const FatTreeShape& shape, const std::string& spec)
{
    if (shape.levels() == 0 || shape.levels() > kMaximumLevels || shape.parents.size() != shape.levels()
        || shape.cables.size() != shape.levels())
        return fail(ErrorCode::InvalidArgument,
                    "A fat tree needs 1 to 16 levels with children, parents and cables of each.", spec);
    double vertices = 0.0;
    double links = 0.0;
    for (std::size_t level = 0; level <= shape.levels(); ++level) {
        double size = 1.0;
        for (std::size_t i = 0; i < shape.levels(); ++i)
            size *= i < level ? shape.parents[i] : shape.children[i];
        vertices += size;
        if (level < shape.levels()) links += 2.0 * size * shape.parents[level] * shape.cables[level];
    }
    if (vertices < 1.0)
        return fail(ErrorCode::InvalidArgument, "The numbers of a fat tree's level must be at least 1.",
                    spec);
    if (vertices > Topology::kMaximumVertices || links > Topology::kMaximumLinks)
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("A machine may have at most {} nodes and routers and {} links.",
                                Topology::kMaximumVertices, Topology::kMaximumLinks),
                    spec);
    return {};
}

/// False where the task was stopped.
bool wireLevel(const FatTreeShape& shape, std::size_t level, VertexIndex base, VertexIndex baseAbove,
               Topology::Parts& parts, const Task& task)
{
    const auto size = static_cast<std::uint32_t>(fatTreeLevelSize(shape, level));
    for (std::uint32_t index = 0; index < size; ++index) {
        if (index % kVerticesBetweenLooks == 0 && task.stopRequested()) return false;
        for (std::uint32_t up = 0; up < shape.parents[level]; ++up) {
            const VertexIndex above = baseAbove + fatTreeParent(shape, level, index, up);
            for (std::uint32_t cable = 0; cable < shape.cables[level]; ++cable) {
                parts.links.push_back({base + index, above, 1.0f});
                parts.links.push_back({above, base + index, 1.0f});
            }
        }
    }
    return true;
}

}  // namespace

std::uint64_t fatTreeLevelSize(const FatTreeShape& shape, std::size_t level)
{
    std::uint64_t size = parentsBelow(shape, level);
    for (std::size_t i = level; i < shape.levels(); ++i) size *= shape.children[i];
    return size;
}

std::uint32_t fatTreeParent(const FatTreeShape& shape, std::size_t level, std::uint32_t index,
                            std::uint32_t up)
{
    const auto below = static_cast<std::uint32_t>(parentsBelow(shape, level));
    const std::uint32_t subtree = index / below / shape.children[level];
    return (subtree * shape.parents[level] + up) * below + index % below;
}

Result<Topology> makeFatTree(const FatTreeShape& shape, std::string spec, const Task& task)
{
    if (auto checked = checkShape(shape, spec); !checked) return Unexpected(checked.error());
    Topology::Parts parts;
    parts.nodes = static_cast<std::uint32_t>(fatTreeLevelSize(shape, 0));
    VertexIndex base = 0;
    for (std::size_t level = 0; level < shape.levels(); ++level) {
        const VertexIndex above = base + static_cast<std::uint32_t>(fatTreeLevelSize(shape, level));
        if (!wireLevel(shape, level, base, above, parts, task)) return cancelled();
        base = above;
    }
    parts.routers = base + static_cast<std::uint32_t>(fatTreeLevelSize(shape, shape.levels())) - parts.nodes;
    parts.shape = shape;
    for (std::size_t level = shape.levels(); level-- > 0;)
        parts.numbering.push_back({shape.children[level], DimensionShape::Complete});
    parts.spec = std::move(spec);
    return Topology::create(std::move(parts), task);
}

}  // namespace skein
