// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/annealing/field_model.h"

#include <algorithm>

namespace skein {
namespace {

/// Of the fields of annealing: beyond that filling them alone takes many seconds.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 30;

std::vector<float> tableAlong(const GridDistances& grid, std::size_t dimension)
{
    const std::uint32_t size = grid.dimensions()[dimension].size;
    std::vector<float> table(std::size_t{size} * size);
    for (std::uint32_t a = 0; a < size; ++a) {
        for (std::uint32_t b = 0; b < size; ++b)
            table[std::size_t{a} * size + b] = static_cast<float>(grid.along(dimension, a, b));
    }
    return table;
}

std::optional<FieldModel> fromGrid(const GridDistances& grid)
{
    std::vector<std::uint32_t> sizes;
    std::uint32_t width = 0;
    for (const GridDimension& dimension : grid.dimensions()) {
        sizes.push_back(dimension.size);
        width += dimension.size;
        if (width > FieldModel::kMaxWidth) return std::nullopt;
    }
    // A hypercube has more dimensions than a model has factors.
    if (sizes.size() > FieldModel::kMaxFactors) return std::nullopt;
    std::vector<std::vector<float>> hops;
    for (std::size_t d = 0; d < sizes.size(); ++d) hops.push_back(tableAlong(grid, d));
    if (sizes.empty()) return makeFieldModel(std::vector<std::uint32_t>{1}, {{0.0f}});
    return makeFieldModel(sizes, std::move(hops));
}

/// One factor over routers, or over nodes where ranks of one node must be nearer than ranks of one router.
template <typename Table>
std::optional<FieldModel> fromTable(const Table& table, std::uint32_t ranksPerNode)
{
    const std::uint32_t nodes = table.nodes();
    const std::uint32_t routers = table.routers();
    const bool perNode = ranksPerNode > 1 && nodes != routers;
    const std::uint32_t size = perNode ? nodes : routers;
    if (size > FieldModel::kMaxWidth || size == 0) return std::nullopt;
    std::vector<float> hops(std::size_t{size} * size);
    for (std::uint32_t a = 0; a < size; ++a) {
        for (std::uint32_t b = 0; b < size; ++b) {
            const std::uint32_t value = perNode ? table.between(a, b) : table.betweenRouters(a, b);
            hops[std::size_t{a} * size + b] = static_cast<float>(value);
        }
    }
    FieldModel model = makeFieldModel(std::vector<std::uint32_t>{size}, {std::move(hops)});
    model.nodes = nodes;
    model.stride[0] = 0;
    model.entry.assign(std::size_t{nodes} * FieldModel::kMaxFactors, 0);
    for (std::uint32_t node = 0; node < nodes; ++node) {
        model.entry[std::size_t{node} * FieldModel::kMaxFactors] =
            static_cast<std::uint16_t>(perNode ? node : table.routerOf(node));
    }
    return model;
}

/// What annealing keeps for every slot.
std::uint64_t bytesOfFields(const GridDistances& grid, std::uint32_t ranksPerNode)
{
    std::uint64_t width = 0;
    for (const GridDimension& dimension : grid.dimensions()) width += dimension.size;
    return std::uint64_t{grid.nodes()} * ranksPerNode * width * sizeof(float);
}

std::optional<FieldModel> build(const GridDistances& grid, std::uint32_t) { return fromGrid(grid); }

/// Trees are tables up to the size of a model.
std::optional<FieldModel> build(const TreeDistances&, std::uint32_t) { return std::nullopt; }

template <typename Hops>
std::optional<FieldModel> build(const TableDistances<Hops>& table, std::uint32_t ranksPerNode)
{
    return fromTable(table, ranksPerNode);
}

}  // namespace

FieldModel makeFieldModel(std::span<const std::uint32_t> sizes, std::vector<std::vector<float>> hops)
{
    FieldModel model;
    model.factors = static_cast<std::uint32_t>(sizes.size());
    model.nodes = 1;
    std::uint32_t width = 0;
    for (std::size_t f = 0; f < sizes.size(); ++f) {
        model.size[f] = sizes[f];
        model.start[f] = width;
        width += sizes[f];
        model.nodes *= sizes[f];
        model.diameter += *std::max_element(hops[f].begin(), hops[f].end());
        model.hops[f] = std::move(hops[f]);
    }
    model.width = (width + FieldModel::kLane - 1) / FieldModel::kLane * FieldModel::kLane;
    std::uint32_t stride = 1;
    for (std::size_t f = sizes.size(); f-- > 0; stride *= sizes[f]) model.stride[f] = stride;
    model.entry.assign(std::size_t{model.nodes} * FieldModel::kMaxFactors, 0);
    for (std::uint32_t node = 0; node < model.nodes; ++node) {
        for (std::size_t f = 0; f < sizes.size(); ++f) {
            const std::uint32_t position = node / model.stride[f] % sizes[f];
            model.entry[std::size_t{node} * FieldModel::kMaxFactors + f] =
                static_cast<std::uint16_t>(model.start[f] + position);
        }
    }
    return model;
}

std::optional<FieldModel> makeFieldModel(const Distances& distances, std::uint32_t ranksPerNode)
{
    if (!distances.symmetric()) return std::nullopt;
    if (const GridDistances* grid = distances.grid(); grid && bytesOfFields(*grid, ranksPerNode) > kMostBytes)
        return std::nullopt;
    return distances.visit([&](const auto& representation) { return build(representation, ranksPerNode); });
}

}  // namespace skein
