// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/route_rules.h"

#include <numeric>

namespace skein {

HopsTo::HopsTo(const Topology& topology)
    : topology_(topology), firstIn_(std::size_t{topology.vertices()} + 1, 0), inSources_(topology.links())
{
    for (LinkIndex link = 0; link < topology.links(); ++link)
        ++firstIn_[std::size_t{topology.target(link)} + 1];
    std::partial_sum(firstIn_.begin(), firstIn_.end(), firstIn_.begin());
    std::vector<LinkIndex> next(firstIn_.begin(), firstIn_.end() - 1);
    for (LinkIndex link = 0; link < topology.links(); ++link)
        inSources_[next[topology.target(link)]++] = topology.source(link);
}

void HopsTo::search(VertexIndex destination)
{
    hops_.assign(topology_.vertices(), kUnreached);
    order_.assign(1, destination);
    hops_[destination] = 0;
    for (std::size_t head = 0; head < order_.size(); ++head) {
        const VertexIndex vertex = order_[head];
        if (vertex != destination && !topology_.forwards(vertex)) continue;
        for (LinkIndex in = firstIn_[vertex]; in < firstIn_[vertex + 1]; ++in) {
            const VertexIndex source = inSources_[in];
            if (hops_[source] != kUnreached) continue;
            hops_[source] = hops_[vertex] + 1;
            order_.push_back(source);
        }
    }
}

bool HopsTo::append(VertexIndex from, std::vector<LinkIndex>& links) const
{
    if (hops_[from] == kUnreached) return false;
    for (VertexIndex at = from; hops_[at] > 0;) {
        LinkIndex link = topology_.firstLink(at);
        while (hops_[topology_.target(link)] + 1 != hops_[at]) ++link;
        links.push_back(link);
        at = topology_.target(link);
    }
    return true;
}

}  // namespace skein
