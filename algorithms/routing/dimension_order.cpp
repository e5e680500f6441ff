// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/route_rules.h"

namespace skein {
namespace {

struct DimensionWalk {
    std::uint32_t steps = 0;
    bool forward = true;
};

DimensionWalk alongRing(std::uint32_t size, std::uint32_t from, std::uint32_t to, TieRule tie)
{
    const std::uint32_t ahead = (to + size - from) % size;
    const std::uint32_t back = size - ahead;
    if (ahead == back) return {ahead, tie == TieRule::Positive || from % 2 == 0};
    return ahead < back ? DimensionWalk{ahead, true} : DimensionWalk{back, false};
}

DimensionWalk along(const GridDimension& dimension, std::uint32_t from, std::uint32_t to, TieRule tie)
{
    if (dimension.shape == DimensionShape::Ring) return alongRing(dimension.size, from, to, tie);
    return to > from ? DimensionWalk{to - from, true} : DimensionWalk{from - to, false};
}

}  // namespace

DimensionOrderRule::DimensionOrderRule(const Topology& topology, const RoutingModel& model)
    : topology_(topology), model_(model), strides_(topology.numbering().size(), 1)
{
    for (std::size_t d = strides_.size(); d-- > 1;)
        strides_[d - 1] = strides_[d] * topology.numbering()[d].size;
}

void DimensionOrderRule::append(VertexIndex from, VertexIndex to, std::vector<LinkIndex>& links) const
{
    VertexIndex at = from;
    for (const std::uint8_t d : model_.order) {
        const GridDimension& dimension = topology_.numbering()[d];
        const std::uint32_t stride = strides_[d];
        std::uint32_t position = at / stride % dimension.size;
        const std::uint32_t goal = to / stride % dimension.size;
        if (position == goal) continue;
        const VertexIndex base = at - position * stride;
        const bool direct = dimension.shape == DimensionShape::Complete;
        const DimensionWalk walk =
            direct ? DimensionWalk{1, true} : along(dimension, position, goal, model_.tie);
        for (std::uint32_t step = 0; step < walk.steps; ++step) {
            if (direct) position = goal;
            else if (walk.forward) position = position + 1 == dimension.size ? 0 : position + 1;
            else position = position == 0 ? dimension.size - 1 : position - 1;
            const VertexIndex next = base + position * stride;
            links.push_back(topology_.findLink(at, next));
            at = next;
        }
    }
}

}  // namespace skein
