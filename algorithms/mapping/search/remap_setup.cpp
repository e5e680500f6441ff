// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/search/remap_setup.h"

#include "algorithms/mapping/problem/job_block.h"
#include "algorithms/mapping/search/lower_bound.h"
#include "algorithms/routing/route_rules.h"

#include <memory>

namespace skein {

std::vector<std::uint8_t> openNodesOf(const Topology& topology, const Placement& placement,
                                      std::string_view placementName)
{
    if (placementName == "block") return blockAroundJob(topology, placement);
    std::vector<std::uint8_t> open(topology.nodes(), 0);
    for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) open[placement.nodeOf(rank)] = 1;
    return open;
}

RouteOfNodes routeByModel(const RoutingModel& model, const Topology& topology)
{
    const auto by = [](auto rule) {
        return [rule](std::uint32_t from, std::uint32_t to, std::vector<std::uint32_t>& links) {
            rule->append(from, to, links);
        };
    };
    switch (model.kind) {
    case RoutingKind::DimensionOrder: return by(std::make_shared<DimensionOrderRule>(topology, model));
    case RoutingKind::DModK: return by(std::make_shared<FatTreeRule>(topology));
    case RoutingKind::Minimal: return by(std::make_shared<DragonflyRule>(topology));
    default: return {};
    }
}

std::int64_t objectiveBound(const MappingProblem& problem, RemapObjective objective, std::uint32_t links,
                            std::uint64_t loadBefore, std::uint64_t hopBytesBefore, const Task& task)
{
    const std::int64_t hops = hopBytesLowerBound(problem, task);
    const std::int64_t load = links == 0 ? 0 : (hops + links - 1) / links;
    if (objective == RemapObjective::HopBytes) return hops;
    if (objective == RemapObjective::MaxLinkLoad) return load;
    const double unit =
        loadBefore == 0 ? 1.0 : static_cast<double>(hopBytesBefore) / static_cast<double>(loadBefore);
    return hops / 2 + static_cast<std::int64_t>(static_cast<double>(load) * unit / 2.0);
}

std::int64_t objectiveBefore(RemapObjective objective, std::uint64_t hopBytes, std::uint64_t load)
{
    return static_cast<std::int64_t>(objective == RemapObjective::MaxLinkLoad ? load : hopBytes);
}

}  // namespace skein
