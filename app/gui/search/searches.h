// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/menus/action_registry.h"
#include "app/gui/search/finder_popup.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"

namespace skein {
class SelectionModel;
class TaskRunner;
}  // namespace skein

namespace skein::gui {

class HitList;

/// The enabled actions that match the query, for the command palette.
Findings findActions(const ActionRegistry& registry, const QString& query);

/// Regions and locations whose name contains the query, those that begin with it first; choosing one selects
/// it, all regions of that name at once. Nothing for an empty query. O(definitions).
Findings findInSession(const SessionPtr& session, SelectionModel& selection, const QString& query);

/// Single calls whose region's name contains the query, and messages where it begins with "message": the
/// longest ones. What stands behind "message" is in the name of the location of one end.
struct FoundInTrace {
    std::vector<IntervalRef> calls;    ///< longest first
    std::vector<MessageRef> messages;  ///< longest under way first
    std::uint64_t totalCalls = 0;
    std::uint64_t totalMessages = 0;
};

/// At most `limit` of each, of what the state's filters leave. O(calls). Errors: Cancelled.
Result<FoundInTrace> findInTrace(const Session& session, const ViewState& state, const std::string& query,
                                 std::size_t limit, const Task& task);

/// Runs findInTrace() off the GUI thread; choosing a call makes all that were found the hits.
void searchTrace(const SessionPtr& session, SelectionModel& selection, TaskRunner& tasks, HitList& hits,
                 const QString& query, const FinderPopup::Deliver& deliver);

}  // namespace skein::gui
