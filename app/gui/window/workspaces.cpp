// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/workspaces.h"

#include "core/session/session_clock.h"

#include <algorithm>
#include <string_view>

namespace skein::gui {
namespace {

using enum ViewPlace;

constexpr WorkspaceSpot kWhere[] = {
    {"overview", Top, 0},
    {"call_tree", Left, 0},
    {"timeline", Center, 0},
    {"location_detail", Center, 10},
    {"counters", Center, 11},
    {"outliers", Center, 12},
    {"details", Right, 0},
    {"legend", Right, 10},
    {"function_summary", Bottom, 0},
    {"statistics", Bottom, 1},
    {"profile", Bottom, 2},
    {"marks", Bottom, 3},
};

/// Regions by locations in the middle, where the time went beside it.
constexpr WorkspaceSpot kBalance[] = {
    {"overview", Top, 0},
    {"call_tree", Left, 0},
    {"balance", Center, 0},
    {"timeline", Center, 10},
    {"details", Right, 0},
    {"legend", Right, 10},
    {"function_summary", Bottom, 0},
    {"profile", Bottom, 1},
    {"statistics", Bottom, 2},
};

/// Who sends what to whom, over which links, and where ranks would better be. The timeline, on which messages
/// are lit, is below and not between: graph and plans answer the question, and need the height.
constexpr WorkspaceSpot kCommunication[] = {
    {"overview", Top, 0},         {"communication", Center, 0}, {"comm_matrix", Center, 1},
    {"machine", Center, 2},       {"route_matrix", Center, 3},  {"details", Right, 0},
    {"machine_setup", Right, 10}, {"timeline", Bottom, 0},      {"metric_rank", Bottom, 1},
    {"remap", Bottom, 2},         {"reroute", Bottom, 3},       {"prediction", Bottom, 3},
    {"waits", Bottom, 4},
};

constexpr int kUsualBottom = Workspace().bottomPercent, kUsualLowBottom = Workspace().lowBottomPercent;
/// The panel of the first metric has the replay, too; the lines of both get about the same height.
constexpr int kLinesOfFirstMetric = 56;

/// Searching a placement or other routes needs room for charts and tables. Of a low window's height less:
/// choices and legends take as much of the graph's panel whatever its height.
constexpr int kBelowCommunication = 34, kLowBelowCommunication = 24;

/// The same of sums without times: the pictures get the room of panels that could only say that there are
/// none.
constexpr WorkspaceSpot kCommunicationSums[] = {
    {"communication", Center, 0}, {"comm_matrix", Center, 1}, {"machine", Center, 2},
    {"route_matrix", Center, 3},  {"details", Right, 0},      {"machine_setup", Right, 10},
    {"metric_rank", Bottom, 0},   {"remap", Bottom, 1},       {"reroute", Bottom, 2},
    {"prediction", Bottom, 2},
};

constexpr WorkspaceSpot kWaits[] = {
    {"overview", Top, 0},  {"timeline", Center, 0}, {"location_detail", Center, 10}, {"details", Right, 0},
    {"legend", Right, 10}, {"waits", Bottom, 0},    {"function_summary", Bottom, 1}, {"outliers", Bottom, 2},
    {"marks", Bottom, 3},
};

/// Components on one clock, and what they hand over to each other.
constexpr WorkspaceSpot kWorkflow[] = {
    {"overview", Top, 0},      {"timeline", Center, 0}, {"location_detail", Center, 10},
    {"details", Right, 0},     {"legend", Right, 10},   {"components", Bottom, 0},
    {"hand_overs", Bottom, 1}, {"waits", Bottom, 2},    {"function_summary", Bottom, 3},
    {"marks", Bottom, 4},
};

/// Runs beside each other: their sums by call path, region and location.
constexpr WorkspaceSpot kCompare[] = {
    {"call_tree", Left, 0},    {"timeline", Center, 0}, {"tree_graph", Center, 1},
    {"scaling", Center, 2},    {"profile", Center, 10}, {"details", Right, 0},
    {"legend", Right, 10},     {"compare", Bottom, 0},  {"function_summary", Bottom, 1},
    {"components", Bottom, 2}, {"balance", Bottom, 3},  {"statistics", Bottom, 4},
};

/// The same where nothing has times of events: the tree of differences instead of the timelines.
constexpr WorkspaceSpot kCompareSums[] = {
    {"call_tree", Left, 0},    {"tree_graph", Center, 0}, {"scaling", Center, 1},
    {"timeline", Center, 2},   {"profile", Center, 10},   {"details", Right, 0},
    {"legend", Right, 10},     {"compare", Bottom, 0},    {"function_summary", Bottom, 1},
    {"components", Bottom, 2}, {"balance", Bottom, 3},    {"statistics", Bottom, 4},
};

/// Which calls are different, and why: a dot a call over the timeline.
constexpr WorkspaceSpot kAnomalies[] = {
    {"overview", Top, 0},           {"anomalies", Center, 0}, {"structure", Center, 1},
    {"execution_stack", Center, 2}, {"timeline", Bottom, 0},  {"details", Right, 0},
    {"legend", Right, 10},          {"waits", Bottom, 1},     {"statistics", Bottom, 2},
};

/// What changed when, and who behaves alike: the lines of two metrics above each other, for which the
/// timeline makes room, and dots beside them.
constexpr WorkspaceSpot kBehavior[] = {
    {"overview", Top, 0},     {"behavior", Center, 0},         {"behavior_second", Center, 10},
    {"similarity", Right, 0}, {"details", Right, 10},          {"timeline", Bottom, 0},
    {"causality", Bottom, 1}, {"comm_changes", Bottom, 2},     {"statistics", Bottom, 3},
    {"waits", Bottom, 4},     {"similarity_second", Right, 5}, {"balance", Bottom, 5},
};

/// The calling context tree: as a table, as nodes and lines, as flames.
constexpr WorkspaceSpot kCallTree[] = {
    {"call_tree", Left, 0}, {"tree_graph", Center, 0},       {"details", Right, 0},     {"legend", Right, 10},
    {"flame", Bottom, 0},   {"function_summary", Bottom, 1}, {"statistics", Bottom, 2},
};

/// Sums without times: for profiles, and for where the time of a trace went.
constexpr WorkspaceSpot kProfile[] = {
    {"call_tree", Left, 0}, {"profile", Center, 0},          {"balance", Center, 10},   {"details", Right, 0},
    {"legend", Right, 10},  {"function_summary", Bottom, 0}, {"statistics", Bottom, 1},
};

// In the order in which an analyst asks.
constexpr Workspace kWorkspaces[] = {
    {"where", "Where", "Where did the time go, and when?", "timeline", kWhere},
    {"balance", "Balance", "Is the work divided evenly among the locations?", "balance", kBalance},
    {"communication", "Communication", "Who sends what to whom?", "communication", kCommunication, nullptr,
     kBelowCommunication, kLowBelowCommunication},
    {"waits", "Waits", "Who waits for whom?", "timeline", kWaits, "waits"},
    {"workflow", "Workflow", "What do the components hand over to each other?", "timeline", kWorkflow,
     "components"},
    {"compare", "Compare", "What differs between the runs?", "timeline", kCompare, "compare"},
    {"call_tree", "Call tree", "Which call paths took the time?", "tree_graph", kCallTree},
    {"anomalies", "Anomalies", "Which executions are different, and why?", "anomalies", kAnomalies},
    {"behavior", "Behaviour", "When did the behaviour change, and who behaves alike?", "behavior", kBehavior,
     nullptr, kUsualBottom, kUsualLowBottom, kLinesOfFirstMetric},
    {"profile", "Profile", "Where did the time go, in sums?", "profile", kProfile},
};

/// As they are where nothing has times of events.
constexpr Workspace kSums[] = {
    {"communication", "Communication", "Who sends what to whom?", "communication", kCommunicationSums,
     nullptr, kBelowCommunication, kLowBelowCommunication},
    {"compare", "Compare", "What differs between the runs?", "tree_graph", kCompareSums},
};

bool anyExperiment(const Session& session, const auto& holds)
{
    return std::any_of(session.experiments.begin(), session.experiments.end(), holds);
}

}  // namespace

std::span<const Workspace> workspaces() { return kWorkspaces; }

const Workspace* findWorkspace(const QString& id)
{
    const auto found = std::find_if(std::begin(kWorkspaces), std::end(kWorkspaces),
                                    [&](const Workspace& workspace) { return id == workspace.id; });
    return found == std::end(kWorkspaces) ? nullptr : &*found;
}

const WorkspaceSpot* findSpot(const Workspace& workspace, const QString& view)
{
    const auto found = std::find_if(workspace.spots.begin(), workspace.spots.end(),
                                    [&](const WorkspaceSpot& spot) { return view == spot.view; });
    return found == workspace.spots.end() ? nullptr : &*found;
}

EventTimes eventTimesOf(const Session& session)
{
    const bool traces =
        anyExperiment(session, [](const ExperimentPtr& experiment) { return experiment->trace != nullptr; });
    return traces ? EventTimes::Some : EventTimes::None;
}

const Workspace& workspaceSuiting(const Workspace& workspace, EventTimes times)
{
    if (times == EventTimes::Some) return workspace;
    const auto sums = std::find_if(std::begin(kSums), std::end(kSums), [&](const Workspace& candidate) {
        return candidate.id == std::string_view(workspace.id);
    });
    return sums == std::end(kSums) ? workspace : *sums;
}

const Workspace& workspaceFor(const Session& session)
{
    const bool traces = eventTimesOf(session) == EventTimes::Some;
    const bool profiles = anyExperiment(
        session, [](const ExperimentPtr& experiment) { return experiment->profile != nullptr; });
    const bool messages = anyExperiment(session, [](const ExperimentPtr& experiment) {
        return experiment->commMatrix || experiment->routes;
    });
    if (!traces && !profiles && messages) return *findWorkspace("communication");
    if (!traces && session.experiments.size() < 2) return *findWorkspace("profile");
    if (session.experiments.size() < 2) return *findWorkspace("where");
    if (traces && sessionClock(session).absolute) return *findWorkspace("workflow");
    return workspaceSuiting(*findWorkspace("compare"), eventTimesOf(session));
}

}  // namespace skein::gui
