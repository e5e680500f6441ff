// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/route_rules.h"

#include <algorithm>
#include <numeric>

namespace skein {

DragonflyRule::DragonflyRule(const Topology& topology)
    : topology_(topology), shape_(std::get<DragonflyShape>(topology.shape()))
{
    const std::size_t groups = shape_.groups;
    const auto pairOf = [&](LinkIndex link) -> std::size_t {
        const std::uint32_t from = (topology.source(link) - topology.nodes()) / shape_.routersPerGroup();
        const std::uint32_t to = (topology.target(link) - topology.nodes()) / shape_.routersPerGroup();
        return from * groups + to;
    };
    std::vector<LinkIndex> global;
    for (LinkIndex link = topology.firstLink(topology.nodes()); link < topology.links(); ++link)
        if (topology.target(link) >= topology.nodes() && pairOf(link) % (groups + 1) != 0)
            global.push_back(link);
    firstCable_.assign(groups * groups + 1, 0);
    for (const LinkIndex link : global) ++firstCable_[pairOf(link) + 1];
    std::partial_sum(firstCable_.begin(), firstCable_.end(), firstCable_.begin());
    std::vector<std::uint32_t> next(firstCable_.begin(), firstCable_.end() - 1);
    cables_.resize(global.size());
    for (const LinkIndex link : global) cables_[next[pairOf(link)]++] = link;
}

std::uint32_t DragonflyRule::localHops(VertexIndex a, VertexIndex b) const
{
    const std::uint32_t x = a - topology_.nodes();
    const std::uint32_t y = b - topology_.nodes();
    return (x / shape_.columns != y / shape_.columns ? 1u : 0u)
        + (x % shape_.columns != y % shape_.columns ? 1u : 0u);
}

void DragonflyRule::appendLocal(VertexIndex a, VertexIndex b, std::vector<LinkIndex>& links) const
{
    const VertexIndex turn =
        a - (a - topology_.nodes()) % shape_.columns + (b - topology_.nodes()) % shape_.columns;
    if (turn != a) links.push_back(topology_.findLink(a, turn));
    if (turn != b) links.push_back(topology_.findLink(turn, b));
}

LinkIndex DragonflyRule::cable(VertexIndex from, std::uint32_t group, VertexIndex to,
                               std::uint32_t number) const
{
    const std::size_t pair =
        std::size_t{(from - topology_.nodes()) / shape_.routersPerGroup()} * shape_.groups + group;
    const auto begin = cables_.begin() + firstCable_[pair];
    const auto end = cables_.begin() + firstCable_[pair + 1];
    const auto hops = [&](LinkIndex link) {
        const bool ends = (to - topology_.nodes()) / shape_.routersPerGroup() == group;
        return localHops(from, topology_.source(link)) + (ends ? localHops(topology_.target(link), to) : 0);
    };
    std::uint32_t fewest = 8;
    for (auto link = begin; link != end; ++link) fewest = std::min(fewest, hops(*link));
    const auto best = static_cast<std::uint32_t>(
        std::count_if(begin, end, [&](LinkIndex link) { return hops(link) == fewest; }));
    std::uint32_t turn = number % best;
    return *std::find_if(begin, end, [&](LinkIndex link) { return hops(link) == fewest && turn-- == 0; });
}

VertexIndex DragonflyRule::appendToGroup(VertexIndex from, std::uint32_t group, VertexIndex to,
                                         std::uint32_t number, std::vector<LinkIndex>& links) const
{
    if ((from - topology_.nodes()) / shape_.routersPerGroup() == group) return from;
    const LinkIndex global = cable(from, group, to, number);
    appendLocal(from, topology_.source(global), links);
    links.push_back(global);
    return topology_.target(global);
}

void DragonflyRule::append(VertexIndex from, VertexIndex to, std::vector<LinkIndex>& links) const
{
    appendVia(from, to, groupOf(from), links);
}

void DragonflyRule::appendVia(VertexIndex from, VertexIndex to, std::uint32_t via,
                              std::vector<LinkIndex>& links) const
{
    if (from == to) return;
    const VertexIndex last = routerOf(to);
    links.push_back(topology_.findLink(from, routerOf(from)));
    VertexIndex at = appendToGroup(routerOf(from), via, last, to, links);
    at = appendToGroup(at, groupOf(to), last, to, links);
    appendLocal(at, last, links);
    links.push_back(topology_.findLink(last, to));
}

}  // namespace skein
