// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/random.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "algorithms/mapping/qap/qap_instance.h"

#include <numeric>

namespace skein::test {

inline Distances gridOf(std::vector<GridDimension> dimensions)
{
    return Distances(GridDistances::create(std::move(dimensions)).value());
}

inline Distances torusOf(std::vector<std::uint32_t> sizes)
{
    std::vector<GridDimension> dimensions;
    for (const std::uint32_t size : sizes) dimensions.push_back({size, DimensionShape::Ring});
    return gridOf(std::move(dimensions));
}

inline Distances randomTable(std::uint32_t nodes, Random& random)
{
    std::vector<std::uint32_t> routers(nodes);
    std::iota(routers.begin(), routers.end(), 0u);
    std::vector<std::uint16_t> hops(std::size_t{nodes} * nodes, 0);
    for (std::uint32_t a = 0; a < nodes; ++a) {
        for (std::uint32_t b = 0; b < nodes; ++b)
            hops[std::size_t{a} * nodes + b] = static_cast<std::uint16_t>(a == b ? 0 : 1 + random.below(9));
    }
    return Distances::fromRouters(std::move(routers), nodes, hops, 0).value();
}

/// Communication of random pairs with very different amounts, self messages included.
inline CommMatrix randomComm(std::uint32_t ranks, std::uint32_t pairs, Random& random)
{
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t i = 0; i < pairs; ++i)
        entries.push_back(
            {random.below(ranks), random.below(ranks), 1, std::uint64_t{1} << random.below(20)});
    return {ranks, std::move(entries)};
}

/// Neighbours on a two-dimensional grid of ranks, both ways.
inline CommMatrix haloComm(std::uint32_t width, std::uint32_t height)
{
    std::vector<CommMatrix::Entry> entries;
    for (std::uint32_t y = 0; y < height; ++y) {
        for (std::uint32_t x = 0; x < width; ++x) {
            const std::uint32_t rank = y * width + x;
            if (x + 1 < width) entries.push_back({rank, rank + 1, 1, 1000});
            if (x + 1 < width) entries.push_back({rank + 1, rank, 1, 900});
            if (y + 1 < height) entries.push_back({rank, rank + width, 1, 500});
            if (y + 1 < height) entries.push_back({rank + width, rank, 1, 400});
        }
    }
    return {width * height, std::move(entries)};
}

inline std::vector<std::uint32_t> shuffledSlots(std::uint32_t ranks, std::uint32_t slots, Random& random)
{
    std::vector<std::uint32_t> all(slots);
    std::iota(all.begin(), all.end(), 0u);
    for (std::uint32_t i = slots; i > 1; --i) std::swap(all[i - 1], all[random.below(i)]);
    all.resize(ranks);
    return all;
}

inline MappingProblem problemOn(Distances distances, const CommMatrix& comm, std::uint32_t ranksPerNode,
                                Random& random)
{
    MappingProblem problem;
    problem.flow = makeFlowGraph(comm);
    problem.distances = std::move(distances);
    problem.ranksPerNode = ranksPerNode;
    problem.current = shuffledSlots(comm.ranks(), problem.slots(), random);
    return problem;
}

inline QapInstance randomQap(std::uint32_t size, bool symmetric, Random& random)
{
    QapInstance instance;
    instance.size = size;
    instance.flow.resize(std::size_t{size} * size);
    instance.distance.resize(std::size_t{size} * size);
    for (auto* matrix : {&instance.flow, &instance.distance}) {
        for (std::uint32_t i = 0; i < size; ++i) {
            for (std::uint32_t j = 0; j < size; ++j) {
                const bool mirror = symmetric && j < i;
                (*matrix)[i * size + j] = mirror ? (*matrix)[j * size + i] : random.below(50);
            }
        }
    }
    return instance;
}

}  // namespace skein::test
