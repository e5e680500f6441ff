// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/problem/mapping_problem.h"
#include "algorithms/mapping/search/remap_params.h"
#include "algorithms/routing/routing_model.h"
#include "core/base/task.h"
#include "core/machine/placement.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <string_view>
#include <vector>

/// What a remapping begins with, whoever asks for it.
namespace skein {

/// 1 for the nodes that the job may use: all of a machine that was given without a placement ("block"; a
/// block of one that is far larger than the job), else those in use. Empty: all nodes.
std::vector<std::uint8_t> openNodesOf(const Topology& topology, const Placement& placement,
                                      std::string_view placementName);

/// The route of two nodes by the model's rule, which refers to the topology; empty where messages split or
/// routes need a search of the machine.
RouteOfNodes routeByModel(const RoutingModel& model, const Topology& topology);

/// What an objective cannot fall below. No mapping loads its most loaded link less than if all links shared
/// the least hop-bytes evenly.
std::int64_t objectiveBound(const MappingProblem& problem, RemapObjective objective, std::uint32_t links,
                            std::uint64_t loadBefore, std::uint64_t hopBytesBefore, const Task& task);

/// The objective of a placement with these figures; weighted, its two halves are equal before.
std::int64_t objectiveBefore(RemapObjective objective, std::uint64_t hopBytes, std::uint64_t load);

}  // namespace skein
