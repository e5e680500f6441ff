// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/topology/fabric_builder.h"

#include "core/base/natural_order.h"
#include "core/base/utf8.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace skein::topology {
namespace {

/// Sorts by merging what already is in order: names mostly come from ranges, and comparing long names is
/// dear.
template <typename Less>
void sortRuns(std::vector<std::uint32_t>& order, const Less& less)
{
    std::vector<std::size_t> bounds{0};
    for (std::size_t i = 1; i < order.size(); ++i) {
        if (less(order[i], order[i - 1])) bounds.push_back(i);
    }
    bounds.push_back(order.size());
    while (bounds.size() > 2) {
        std::vector<std::size_t> wider;
        for (std::size_t run = 0; run + 1 < bounds.size(); run += 2) {
            wider.push_back(bounds[run]);
            if (run + 2 >= bounds.size()) continue;
            const auto at = [&](std::size_t index) {
                return order.begin() + static_cast<std::ptrdiff_t>(bounds[index]);
            };
            std::inplace_merge(at(run), at(run + 1), at(run + 2), less);
        }
        wider.push_back(order.size());
        bounds = std::move(wider);
    }
}

}  // namespace

std::uint32_t FabricBuilder::vertex(std::string_view name, FabricKind kind)
{
    const auto [found, added] = byName_.emplace(toValidUtf8(name), static_cast<std::uint32_t>(names_.size()));
    if (added) {
        names_.push_back(found->first);
        kinds_.push_back(kind);
    } else if (kind == FabricKind::Router) {
        kinds_[found->second] = kind;
    }
    return found->second;
}

void FabricBuilder::link(std::uint32_t from, std::uint32_t to, float capacity)
{
    links_.push_back({from, to, capacity});
}

void FabricBuilder::cable(std::uint32_t a, std::uint32_t b, float capacity)
{
    link(a, b, capacity);
    link(b, a, capacity);
}

Result<Topology> FabricBuilder::finish(const std::string& spec)
{
    if (!withinLimits())
        return fail(ErrorCode::OutOfMemory,
                    fmt::format("A machine may have at most {} nodes and routers and {} links.",
                                Topology::kMaximumVertices, Topology::kMaximumLinks),
                    spec);
    std::vector<std::uint32_t> order(names_.size());
    std::iota(order.begin(), order.end(), 0u);
    sortRuns(order, [&](std::uint32_t a, std::uint32_t b) {
        return kinds_[a] != kinds_[b] ? kinds_[a] < kinds_[b] : NaturalOrder()(names_[a], names_[b]);
    });
    std::vector<VertexIndex> place(order.size());
    Topology::Parts parts;
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        ++(kinds_[order[i]] == FabricKind::Node ? parts.nodes : parts.routers);
        parts.names.push_back(std::move(names_[order[i]]));
    }
    if (parts.nodes == 0)
        return fail(ErrorCode::Malformed, "The description of the machine names no node.", spec);
    parts.spec = spec;
    parts.links = std::move(links_);
    for (LinkDefinition& link : parts.links) link = {place[link.source], place[link.target], link.capacity};
    return Topology::create(std::move(parts));
}

}  // namespace skein::topology
