// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/reroute_many.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/references.h"
#include "views/common/scene/data/communication_trial.h"
#include "views/common/scene/data/session_communication.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace skein {

/// Routes as they are now, perhaps after earlier changes were applied. Immutable; may cross threads.
struct RerouteBase {
    SessionCommunicationPtr communication;
    LinkPaths paths;                   ///< one a pair of traffic.pairs
    std::vector<std::uint64_t> loads;  ///< by link
};

using RerouteBasePtr = std::shared_ptr<const RerouteBase>;

/// The routes as the machine's model or the recording has them. Errors: InvalidArgument with a sentence about
/// what is missing: a machine, or routes that are not split.
Result<RerouteBasePtr> rerouteBase(SessionCommunicationPtr communication);

/// Which routes are looked at: those of the selected pairs of ranks, or all over the part (0 … 1) of links
/// with the largest loads.
std::vector<std::uint32_t> selectedRoutes(const RerouteBase& base, std::span<const RankPairRef> pairs);
std::vector<std::uint32_t> routesOfTopLinks(const RerouteBase& base, double part);

/// What a simulation found. Immutable; may cross threads.
struct ReroutePlan {
    RerouteBasePtr base;
    RerouteParameters parameters;
    RerouteResult result;
    std::vector<std::uint32_t> changed;  ///< places in result.changes of routes with another way, the
                                         ///< greatest reduction of their highest load first
};

using ReroutePlanPtr = std::shared_ptr<const ReroutePlan>;

/// Errors: InvalidArgument for no routes; those of rerouteMany().
Result<ReroutePlanPtr> planReroute(RerouteBasePtr base, std::span<const std::uint32_t> selected,
                                   const RerouteParameters& parameters, const Task& task);

/// The routes with the changes of a plan.
RerouteBasePtr applied(const ReroutePlan& plan);

/// All routes with the changes of a plan and those that were applied before it, for the communication views.
CommunicationTrial trialOf(const ReroutePlan& plan, const std::string& name);

/// By how much the highest load on the route's links falls, in per cent; below 0: it rises.
double reductionPercent(const RouteChange& change);

/// "3 of 12 routes change. Largest load 1.2 MiB, before 2 MiB (lower bound 1 MiB). Hops …".
std::string planText(const ReroutePlan& plan);

/// Loads of all links in descending order, before and after over each other. O(links log links).
DrawList reroutePlanScene(const RerouteBase& base, const ReroutePlan* plan, const Canvas& canvas,
                          const Task& task);

}  // namespace skein
