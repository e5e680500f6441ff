// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/machine/topology.h"

#include "core/base/bucket_sort.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numeric>

namespace skein {
namespace {

Result<void> checkParts(const Topology::Parts& parts)
{
    const std::uint64_t vertices = std::uint64_t{parts.nodes} + parts.routers;
    if (parts.nodes == 0)
        return fail(ErrorCode::InvalidArgument, "A machine needs at least one node.", parts.spec);
    if (vertices > Topology::kMaximumVertices || parts.links.size() > Topology::kMaximumLinks)
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("A machine may have at most {} nodes and routers and {} links.",
                                Topology::kMaximumVertices, Topology::kMaximumLinks),
                    parts.spec);
    if (!parts.names.empty() && parts.names.size() != vertices)
        return fail(ErrorCode::InvalidArgument, "A machine needs a name for every node and router, or none.",
                    parts.spec);
    for (const LinkDefinition& link : parts.links)
        if (link.source >= vertices || link.target >= vertices)
            return fail(ErrorCode::InvalidArgument,
                        "A link leads to a vertex that the machine does not have.", parts.spec);
    std::uint64_t product = 1;
    for (const GridDimension& dimension : parts.numbering) product *= dimension.size;
    if (!parts.numbering.empty() && product != parts.nodes)
        return fail(ErrorCode::InvalidArgument, "The dimensions do not multiply to the number of nodes.",
                    parts.spec);
    return {};
}

}  // namespace

Result<Topology> Topology::create(Parts parts, const Task& task)
{
    if (auto checked = checkParts(parts); !checked) return tl::make_unexpected(std::move(checked.error()));
    const bool sorted = sortInBuckets(
        parts.links, parts.nodes + parts.routers, [](const LinkDefinition& link) { return link.source; },
        [](const LinkDefinition& a, const LinkDefinition& b) { return a.target < b.target; }, task);
    if (!sorted || task.stopRequested()) return cancelled();
    Topology made;
    made.spec_ = std::move(parts.spec);
    made.shape_ = std::move(parts.shape);
    made.nodes_ = parts.nodes;
    made.vertices_ = parts.nodes + parts.routers;
    made.links_ = static_cast<std::uint32_t>(parts.links.size());
    made.numbering_ = std::move(parts.numbering);
    if (made.numbering_.empty()) made.numbering_ = {{parts.nodes, DimensionShape::Line}};
    made.names_ = std::move(parts.names);
    made.firstLink_.assign(std::size_t{parts.nodes} + parts.routers + 1, 0);
    made.sources_.reserve(parts.links.size());
    made.targets_.reserve(parts.links.size());
    made.capacities_.reserve(parts.links.size());
    for (const LinkDefinition& link : parts.links) {
        made.sources_.push_back(link.source);
        made.targets_.push_back(link.target);
        made.capacities_.push_back(link.capacity);
        ++made.firstLink_[std::size_t{link.source} + 1];
    }
    std::partial_sum(made.firstLink_.begin(), made.firstLink_.end(), made.firstLink_.begin());
    return made;
}

Topology Topology::createByRule(std::vector<GridDimension> dimensions, std::string spec)
{
    Topology made;
    made.spec_ = std::move(spec);
    made.shape_ = GridShape{};
    made.byRule_ = true;
    made.rule_ = GridLinks(dimensions);
    made.nodes_ = made.vertices_ = made.rule_.nodes();
    made.links_ = made.rule_.links();
    made.numbering_ = std::move(dimensions);
    return made;
}

std::pair<LinkIndex, LinkIndex> Topology::parallelLinks(VertexIndex from, VertexIndex to) const
{
    if (byRule_) {
        const LinkIndex link = rule_.find(from, to);
        return {link, link == kNoLink ? link : link + 1};
    }
    const auto begin = targets_.begin() + firstLink_[from];
    const auto end = targets_.begin() + firstLink_[std::size_t{from} + 1];
    const auto range = std::equal_range(begin, end, to);
    return {static_cast<LinkIndex>(range.first - targets_.begin()),
            static_cast<LinkIndex>(range.second - targets_.begin())};
}

LinkIndex Topology::findLink(VertexIndex from, VertexIndex to) const
{
    const auto [first, last] = parallelLinks(from, to);
    return first == last ? kNoLink : first;
}

std::vector<std::uint32_t> Topology::coordinates(VertexIndex node) const
{
    std::vector<std::uint32_t> position(numbering_.size());
    for (std::size_t d = numbering_.size(); d-- > 0; node /= numbering_[d].size)
        position[d] = node % numbering_[d].size;
    return position;
}

VertexIndex Topology::nodeAt(std::span<const std::uint32_t> position) const
{
    if (position.size() != numbering_.size()) return kNoVertex;
    VertexIndex node = 0;
    for (std::size_t d = 0; d < position.size(); ++d) {
        if (position[d] >= numbering_[d].size) return kNoVertex;
        node = node * numbering_[d].size + position[d];
    }
    return node;
}

std::string Topology::vertexName(VertexIndex vertex) const
{
    if (!names_.empty()) return names_[vertex];
    if (vertex >= nodes_) return fmt::format("router {}", vertex - nodes_);
    return fmt::format("{}", fmt::join(coordinates(vertex), " "));
}

std::string Topology::linkName(LinkIndex link) const
{
    return vertexName(source(link)) + " -> " + vertexName(target(link));
}

VertexIndex Topology::findNode(std::string_view name) const
{
    const auto end =
        names_.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(nodes_, names_.size()));
    const auto found = std::find(names_.begin(), end, name);
    return found == end ? kNoVertex : static_cast<VertexIndex>(found - names_.begin());
}

std::string_view familyName(const Topology& topology)
{
    constexpr std::string_view names[] = {"graph", "grid", "dragonfly", "fat tree"};
    return names[topology.shape().index()];
}

}  // namespace skein
