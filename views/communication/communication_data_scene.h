// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/comm_graph.h"
#include "core/select/view_state.h"
#include "views/common/scene/data/session_communication.h"
#include "views/common/scene/drawing/cause_arrows.h"
#include "views/communication/communication_scene.h"

#include <memory>
#include <string>
#include <vector>

/// From the communication of a session to the graph that is drawn, and from what is chosen there back.
namespace skein {

/// What vertices can stand for, in the words of the choice: "Nodes", "By coordinates AB", "By router",
/// "By host" …. The first is each by itself.
std::vector<std::string> groupingNames(const SessionCommunication& communication,
                                       const Definitions& definitions);

/// The graph of one grouping, with what is needed to tell of it.
struct GroupedCommunication {
    SessionCommunicationPtr communication;
    std::shared_ptr<const CommGraph> graph;
    PlaceGroups groups;                   ///< empty: each place by itself
    std::vector<std::uint32_t> expanded;  ///< groups whose places are vertices, ascending
};
using GroupedCommunicationPtr = std::shared_ptr<const GroupedCommunication>;

/// `grouping` is one of groupingNames(), or "By coordinates" with letters. Errors: one sentence about letters
/// or names that there are not; Cancelled. O(hops log).
Result<GroupedCommunicationPtr> groupedCommunication(SessionCommunicationPtr communication,
                                                     const Definitions& definitions,
                                                     const std::string& grouping,
                                                     std::vector<std::uint32_t> expanded, const Task& task);

/// The group of a vertex that may be expanded; kNone: it is none, or has one member.
std::uint32_t expandableGroup(const GroupedCommunication& grouped, std::uint32_t vertex);
/// The expanded group that a vertex came out of; kNone: none.
std::uint32_t expandedGroupOf(const GroupedCommunication& grouped, std::uint32_t vertex);

std::string vertexName(const GroupedCommunication& grouped, std::uint32_t vertex);
std::vector<std::string> vertexTooltip(const GroupedCommunication& grouped, std::uint32_t vertex);
std::vector<std::string> flowTooltip(const GroupedCommunication& grouped, std::uint32_t flow);

/// Marks what is selected: flows of selected pairs of ranks and over selected links, vertices of selected
/// locations, or else the ends of the flows.
void markSelected(const Session& session, const GroupedCommunication& grouped, const ViewState& state,
                  CommunicationPicture& picture);

/// Chains of causes between vertices: from who caused time lost to who lost it. Calls of other experiments
/// are nowhere.
std::vector<CauseArrow> causeArrowsOn(const Session& session, const GroupedCommunication& grouped,
                                      const CommunicationPicture& picture, const CommunicationLayout& layout,
                                      const CauseLinks& causes);

/// What chosen vertices and flows are in all domains: pairs of ranks, and locations of vertices.
Selection selectionOf(const Session& session, const GroupedCommunication& grouped,
                      const std::vector<std::uint32_t>& vertices, const std::vector<std::uint32_t>& flows);

/// "4 096 nodes · 63 210 pairs · 12 GiB · torus:…".
std::string communicationHead(const GroupedCommunication& grouped, const CommunicationPicture& picture);

}  // namespace skein
