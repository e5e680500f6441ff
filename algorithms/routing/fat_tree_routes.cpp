// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/route_rules.h"
#include "core/machine/topology_builders.h"

namespace skein {

FatTreeRule::FatTreeRule(const Topology& topology)
    : topology_(topology), shape_(std::get<FatTreeShape>(topology.shape()))
{
    VertexIndex first = 0;
    std::uint32_t parents = 1;
    std::uint32_t children = 1;
    for (std::size_t level = 0; level <= shape_.levels(); ++level) {
        firstOfLevel_.push_back(first);
        parentsBelow_.push_back(parents);
        childrenBelow_.push_back(children);
        first += static_cast<VertexIndex>(fatTreeLevelSize(shape_, level));
        if (level == shape_.levels()) break;
        parents *= shape_.parents[level];
        children *= shape_.children[level];
    }
}

std::uint32_t FatTreeRule::port(std::size_t level, VertexIndex destination) const
{
    return destination / parentsBelow_[level] % (shape_.parents[level] * shape_.cables[level]);
}

void FatTreeRule::append(VertexIndex from, VertexIndex to, std::vector<LinkIndex>& links) const
{
    std::size_t top = 0;
    while (from / childrenBelow_[top] != to / childrenBelow_[top]) ++top;
    std::uint32_t index = from;
    for (std::size_t level = 0; level < top; ++level) {
        const std::uint32_t above =
            fatTreeParent(shape_, level, index, port(level, to) % shape_.parents[level]);
        const LinkIndex first =
            topology_.findLink(firstOfLevel_[level] + index, firstOfLevel_[level + 1] + above);
        links.push_back(first + port(level, to) / shape_.parents[level]);
        index = above;
    }
    for (std::size_t level = top; level-- > 0;) {
        const std::uint32_t below =
            to / childrenBelow_[level] * parentsBelow_[level] + index % parentsBelow_[level];
        const LinkIndex first =
            topology_.findLink(firstOfLevel_[level + 1] + index, firstOfLevel_[level] + below);
        links.push_back(first + port(level, to) / shape_.parents[level]);
        index = below;
    }
}

}  // namespace skein
