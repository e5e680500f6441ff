// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/workspaces.h"

#include <algorithm>

namespace skein::gui {
namespace {

/// Which calls are different, and why: a dot a call over the timeline.
constexpr WorkspaceSpot kAnomalies[] = {
    {"overview", ViewPlace::Top, 0},      {"anomalies", ViewPlace::Center, 0},
    {"timeline", ViewPlace::Bottom, 0},   {"details", ViewPlace::Right, 0},
    {"legend", ViewPlace::Right, 10},     {"waits", ViewPlace::Bottom, 1},
    {"statistics", ViewPlace::Bottom, 2},
};

/// Who waits for whom: the timeline as wide as it can be, what was exchanged and lost below it.
constexpr WorkspaceSpot kCommunication[] = {
    {"overview", ViewPlace::Top, 0},      {"timeline", ViewPlace::Center, 0},
    {"details", ViewPlace::Right, 0},     {"legend", ViewPlace::Right, 10},
    {"waits", ViewPlace::Bottom, 0},      {"components", ViewPlace::Bottom, 1},
    {"statistics", ViewPlace::Bottom, 2}, {"counters", ViewPlace::Bottom, 3},
    {"marks", ViewPlace::Bottom, 4},      {"communication", ViewPlace::Center, 1},
    {"machine", ViewPlace::Center, 2},    {"route_matrix", ViewPlace::Center, 3},
};

/// Is it balanced: regions by locations in the middle, where the time went beside it.
constexpr WorkspaceSpot kBalance[] = {
    {"overview", ViewPlace::Top, 0},   {"call_tree", ViewPlace::Left, 0},
    {"balance", ViewPlace::Center, 0}, {"timeline", ViewPlace::Center, 1},
    {"details", ViewPlace::Right, 0},  {"function_summary", ViewPlace::Bottom, 0},
    {"profile", ViewPlace::Bottom, 1}, {"statistics", ViewPlace::Bottom, 2},
    {"waits", ViewPlace::Bottom, 3},
};

/// What changed when, and who behaves alike: lines above the timeline, dots beside them.
constexpr WorkspaceSpot kBehavior[] = {
    {"overview", ViewPlace::Top, 0},    {"behavior", ViewPlace::Center, 0},
    {"timeline", ViewPlace::Bottom, 0}, {"similarity", ViewPlace::Right, 0},
    {"details", ViewPlace::Right, 1},   {"statistics", ViewPlace::Bottom, 1},
    {"waits", ViewPlace::Bottom, 2},    {"balance", ViewPlace::Bottom, 3},
};

/// Sums without times: for profiles, and for where the time of a trace went.
constexpr WorkspaceSpot kProfile[] = {
    {"call_tree", ViewPlace::Left, 0},          {"profile", ViewPlace::Center, 0},
    {"details", ViewPlace::Right, 0},           {"legend", ViewPlace::Right, 10},
    {"function_summary", ViewPlace::Bottom, 0}, {"statistics", ViewPlace::Bottom, 1},
    {"import_report", ViewPlace::Bottom, 2},
};

constexpr Workspace kWorkspaces[] = {
    {"timeline", "Timeline", {}},
    {"anomalies", "Anomalies", kAnomalies},
    {"balance", "Balance", kBalance},
    {"behavior", "Behaviour", kBehavior},
    {"communication", "Communication", kCommunication},
    {"profile", "Profile", kProfile},
};

}  // namespace

std::span<const Workspace> workspaces() { return kWorkspaces; }

const WorkspaceSpot* findSpot(const Workspace& workspace, const QString& view)
{
    const auto found = std::find_if(workspace.spots.begin(), workspace.spots.end(),
                                    [&](const WorkspaceSpot& spot) { return view == spot.view; });
    return found == workspace.spots.end() ? nullptr : &*found;
}

}  // namespace skein::gui
