// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/comm_graph.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

namespace skein {
namespace {

/// The router of each vertex: that of its first link for nodes, itself for the others.
std::vector<VertexIndex> routersOfVertices(const Topology& topology)
{
    std::vector<VertexIndex> router(topology.vertices());
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex) {
        router[vertex] = vertex;
        if (topology.forwards(vertex) || topology.firstLink(vertex) == topology.firstLink(vertex + 1))
            continue;
        router[vertex] = topology.target(topology.firstLink(vertex));
    }
    return router;
}

Result<std::vector<std::size_t>> dimensionsOf(const Topology& topology, std::string_view letters)
{
    std::vector<std::size_t> dimensions;
    for (const char letter : letters) {
        std::size_t found = topology.numbering().size();
        for (std::size_t d = 0; d < topology.numbering().size(); ++d)
            if (dimensionLetter(d) == letter) found = d;
        if (found == topology.numbering().size())
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("The machine {} has no dimension {}.", topology.spec(), letter));
        if (std::ranges::find(dimensions, found) != dimensions.end())
            return fail(ErrorCode::InvalidArgument,
                        fmt::format("Dimension {} is named twice in {}.", letter, letters));
        dimensions.push_back(found);
    }
    return dimensions;
}

std::string nameOfPosition(std::span<const std::size_t> dimensions, std::span<const std::uint32_t> position)
{
    std::string text;
    for (std::size_t i = 0; i < dimensions.size(); ++i)
        text += fmt::format("{}{} {}", i > 0 ? ", " : "", dimensionLetter(dimensions[i]), position[i]);
    return text.empty() ? "all" : text;
}

/// Numbers groups in the order in which they come.
class GroupNumbers {
public:
    explicit GroupNumbers(std::size_t places) { groups_.groupOf.reserve(places); }

    template <typename Name>
    void add(std::uint64_t key, const Name& name)
    {
        const auto [place, isNew] = known_.try_emplace(key, static_cast<std::uint32_t>(groups_.names.size()));
        if (isNew) groups_.names.push_back(name());
        groups_.groupOf.push_back(place->second);
    }
    PlaceGroups finish() { return std::move(groups_); }

private:
    std::map<std::uint64_t, std::uint32_t> known_;
    PlaceGroups groups_;
};

}  // namespace

Result<PlaceGroups> groupsByCoordinates(const Topology& topology, std::string_view letters)
{
    const auto dimensions = dimensionsOf(topology, letters);
    if (!dimensions) return Unexpected(dimensions.error());
    // A router goes where the first of its nodes goes; one without nodes stays alone.
    const std::vector<VertexIndex> router = routersOfVertices(topology);
    std::vector<VertexIndex> nodeOf(topology.vertices(), kNoVertex);
    for (VertexIndex node = topology.nodes(); node-- > 0;) {
        nodeOf[router[node]] = node;
        nodeOf[node] = node;
    }
    constexpr std::uint64_t kAlone = std::uint64_t{1} << 63;
    GroupNumbers numbers(topology.vertices());
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex) {
        if (nodeOf[vertex] == kNoVertex) {
            numbers.add(kAlone | vertex, [&] { return topology.vertexName(vertex); });
            continue;
        }
        const std::vector<std::uint32_t> all = topology.coordinates(nodeOf[vertex]);
        std::vector<std::uint32_t> kept;
        std::uint64_t key = 0;
        for (const std::size_t d : *dimensions) {
            kept.push_back(all[d]);
            key = key * topology.numbering()[d].size + all[d];
        }
        numbers.add(key, [&] { return nameOfPosition(*dimensions, kept); });
    }
    return numbers.finish();
}

PlaceGroups groupsByRouter(const Topology& topology)
{
    const std::vector<VertexIndex> router = routersOfVertices(topology);
    GroupNumbers numbers(topology.vertices());
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex)
        numbers.add(router[vertex], [&] { return topology.vertexName(router[vertex]); });
    return numbers.finish();
}

PlaceGroups groupsByRanks(const Topology& topology, const Placement& placement,
                          std::span<const std::uint32_t> groupOfRank, std::span<const std::string> names)
{
    std::vector<std::map<std::uint32_t, std::uint32_t>> votes(topology.nodes());
    for (std::uint32_t rank = 0; rank < placement.ranks() && rank < groupOfRank.size(); ++rank)
        ++votes[placement.nodeOf(rank)][groupOfRank[rank]];
    constexpr std::uint64_t kAlone = std::uint64_t{1} << 63;
    GroupNumbers numbers(topology.vertices());
    for (VertexIndex vertex = 0; vertex < topology.vertices(); ++vertex) {
        if (vertex >= topology.nodes() || votes[vertex].empty()) {
            numbers.add(kAlone | vertex, [&] { return topology.vertexName(vertex); });
            continue;
        }
        const auto most = std::max_element(votes[vertex].begin(), votes[vertex].end(),
                                           [](const auto& a, const auto& b) { return a.second < b.second; });
        numbers.add(most->first, [&] { return names[most->first]; });
    }
    return numbers.finish();
}

}  // namespace skein
