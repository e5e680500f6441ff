// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/action_registry.h"
#include "app/gui/finder_popup.h"
#include "core/session/experiment.h"

namespace skein {
class SelectionModel;
}

namespace skein::gui {

/// The enabled actions that match the query, for the command palette.
Findings findActions(const ActionRegistry& registry, const QString& query);

/// Regions and locations whose name contains the query, those that begin with it first; choosing one selects it, all
/// regions of that name at once. Nothing for an empty query. O(definitions).
Findings findInSession(const SessionPtr& session, SelectionModel& selection, const QString& query);

}  // namespace skein::gui
