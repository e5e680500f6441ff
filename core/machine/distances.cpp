// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/distances.h"

#include <algorithm>
#include <limits>

namespace skein {

namespace {

constexpr std::size_t kMaxDimensions = 24;
constexpr std::size_t kMaxLevels = 16;
constexpr std::uint64_t kMaxGridNodes = std::uint64_t{1} << 26;
constexpr std::uint32_t kMaxDimensionSize = 65535;

std::uint32_t hopsForDifference(const GridDimension& dimension, std::uint32_t difference)
{
    switch (dimension.shape) {
    case DimensionShape::Ring: return std::min(difference, dimension.size - difference);
    case DimensionShape::Line: return difference;
    case DimensionShape::Complete: return difference == 0 ? 0 : 1;
    }
    return 0;
}

Result<std::uint64_t> countNodes(std::span<const GridDimension> dimensions)
{
    if (dimensions.size() > kMaxDimensions) {
        return fail(ErrorCode::InvalidArgument, "A machine may have at most 24 dimensions.");
    }
    std::uint64_t nodes = 1;
    for (const GridDimension& dimension : dimensions) {
        if (dimension.size == 0 || dimension.size > kMaxDimensionSize) {
            return fail(ErrorCode::InvalidArgument, "The size of a dimension must be between 1 and 65535.");
        }
        nodes *= dimension.size;
        if (nodes > kMaxGridNodes)
            return fail(ErrorCode::InvalidArgument, "A machine may have at most 2^26 nodes.");
    }
    return nodes;
}

std::vector<std::uint16_t> gridCoordinates(std::span<const GridDimension> dimensions, std::uint32_t nodes)
{
    std::vector<std::uint16_t> coordinates(std::size_t{nodes} * dimensions.size());
    for (std::uint32_t node = 0; node < nodes; ++node) {
        std::uint32_t rest = node;
        for (std::size_t d = dimensions.size(); d-- > 0; rest /= dimensions[d].size) {
            coordinates[std::size_t{node} * dimensions.size() + d] =
                static_cast<std::uint16_t>(rest % dimensions[d].size);
        }
    }
    return coordinates;
}

bool routersFit(std::span<const std::uint32_t> routerOfNode, std::uint32_t routers, std::size_t entries)
{
    return entries == std::size_t{routers} * routers
        && std::all_of(routerOfNode.begin(), routerOfNode.end(),
                       [&](std::uint32_t router) { return router < routers; });
}

Unexpected routerMismatch()
{
    return fail(ErrorCode::InvalidArgument, "The table of distances does not fit the number of routers.");
}

template <typename Hops>
bool isSymmetric(std::span<const Hops> table, std::size_t routers)
{
    for (std::size_t a = 0; a < routers; ++a) {
        for (std::size_t b = 0; b < a; ++b) {
            if (table[a * routers + b] != table[b * routers + a]) return false;
        }
    }
    return true;
}

}  // namespace

Result<GridDistances> GridDistances::create(std::vector<GridDimension> dimensions)
{
    const auto nodes = countNodes(dimensions);
    if (!nodes) return Unexpected(nodes.error());
    GridDistances result;
    result.nodes_ = static_cast<std::uint32_t>(*nodes);
    result.coordinates_ = Column<std::uint16_t>(gridCoordinates(dimensions, result.nodes_));
    std::vector<std::uint16_t> hops;
    std::vector<std::size_t> centres;
    for (const GridDimension& dimension : dimensions) {
        centres.push_back(hops.size() + dimension.size - 1);
        for (std::uint32_t i = 0; i + 1 < 2 * dimension.size; ++i) {
            const std::uint32_t difference =
                i + 1 < dimension.size ? dimension.size - 1 - i : i + 1 - dimension.size;
            hops.push_back(static_cast<std::uint16_t>(hopsForDifference(dimension, difference)));
        }
    }
    result.hops_ = Column<std::uint16_t>(std::move(hops));
    for (const std::size_t centre : centres) result.centres_.push_back(result.hops_.data() + centre);
    result.dimensions_ = std::move(dimensions);
    return result;
}

Result<TreeDistances> TreeDistances::create(std::vector<std::uint32_t> children)
{
    if (children.empty() || children.size() > kMaxLevels)
        return fail(ErrorCode::InvalidArgument, "A tree has 1 to 16 levels.");
    TreeDistances tree;
    std::uint64_t nodes = 1;
    tree.binary_ = true;
    for (std::size_t level = 0; level < children.size(); ++level) {
        const std::uint32_t count = children[level];
        if (count == 0 || nodes * count > kMaxGridNodes)
            return fail(ErrorCode::InvalidArgument, "A tree has 1 to 2^26 nodes.");
        const auto from = static_cast<std::size_t>(std::bit_width(nodes));
        nodes *= count;
        tree.binary_ = tree.binary_ && std::has_single_bit(count);
        for (std::size_t bits = from; bits < static_cast<std::size_t>(std::bit_width(nodes)); ++bits)
            tree.hopsOfBits_[bits] = static_cast<std::uint8_t>(2 * (level + 1));
    }
    tree.nodes_ = static_cast<std::uint32_t>(nodes);
    tree.children_ = std::move(children);
    return tree;
}

Distances::Distances(GridDistances grid) : rep_(std::move(grid)) {}

Distances::Distances(TreeDistances tree) : rep_(std::move(tree)) {}

Result<Distances> Distances::fromRouters(std::vector<std::uint32_t> routerOfNode, std::uint32_t routers,
                                         std::span<const std::uint16_t> hops, std::uint32_t attachHops)
{
    if (!routersFit(routerOfNode, routers, hops.size())) return routerMismatch();
    const bool narrow =
        std::all_of(hops.begin(), hops.end(), [](std::uint16_t value) { return value < 256; });
    if (narrow) {
        std::vector<std::uint8_t> bytes(hops.size());
        std::transform(hops.begin(), hops.end(), bytes.begin(),
                       [](auto value) { return static_cast<std::uint8_t>(value); });
        return fromRouters(std::move(routerOfNode), routers, std::move(bytes), attachHops);
    }
    const bool symmetric = isSymmetric(hops, routers);
    return Distances(
        Rep(TableDistances<std::uint16_t>(Column<std::uint32_t>(std::move(routerOfNode)), routers,
                                          Column<std::uint16_t>({hops.begin(), hops.end()}), attachHops)),
        symmetric);
}

Result<Distances> Distances::fromRouters(std::vector<std::uint32_t> routerOfNode, std::uint32_t routers,
                                         std::vector<std::uint8_t> hops, std::uint32_t attachHops)
{
    if (!routersFit(routerOfNode, routers, hops.size())) return routerMismatch();
    const bool symmetric = isSymmetric(std::span<const std::uint8_t>(hops), routers);
    return Distances(Rep(TableDistances<std::uint8_t>(Column<std::uint32_t>(std::move(routerOfNode)), routers,
                                                      Column<std::uint8_t>(std::move(hops)), attachHops)),
                     symmetric);
}

std::uint32_t Distances::nodes() const
{
    return visit([](const auto& distances) { return distances.nodes(); });
}

std::uint32_t Distances::between(std::uint32_t a, std::uint32_t b) const
{
    return visit([&](const auto& distances) { return distances.between(a, b); });
}

}  // namespace skein
