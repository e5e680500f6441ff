// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/window/view_list.h"
#include "core/session/experiment.h"

#include <QString>

#include <cstdint>
#include <span>

namespace skein::gui {

/// Where a workspace has a view.
struct WorkspaceSpot {
    const char* view;
    ViewPlace place;
    int order;  ///< as in ViewDescription: same tens are stacked
};

/// A ready-made arrangement of panels that answers one question. Views that it does not name are closed.
struct Workspace {
    const char* id;        ///< "where"
    const char* title;     ///< "Where"
    const char* question;  ///< "Where did the time go?"
    const char* main;      ///< the view that has the keyboard, and what room a window gains
    std::span<const WorkspaceSpot> spots;
    /// The view at the bottom that answers the question: in front also where columns of a small screen are
    /// tabs beside it. Null: the first one is.
    const char* answer = nullptr;
    int bottomPercent = 30;     ///< of the height, that a window gives to the panels at the bottom
    int lowBottomPercent = 36;  ///< the same of a low window
    int firstPercent = 68;      ///< of a column's height, that its first panel has
};

/// The first one is what a newcomer with a trace meets.
std::span<const Workspace> workspaces();

/// Null where there is none.
const Workspace* findWorkspace(const QString& id);

/// Where the workspace has the view; null where it is closed.
const WorkspaceSpot* findSpot(const Workspace& workspace, const QString& view);

/// Whether anything that is open has times of events.
enum class EventTimes : std::uint8_t { None, Some };
EventTimes eventTimesOf(const Session& session);

/// The workspace as it suits what is open: without times of events panels that need them give way. Has the
/// same id.
const Workspace& workspaceSuiting(const Workspace& workspace, EventTimes times);

/// What an analyst looks at first, by what the archives hold: sums for profiles, who sends to whom where that
/// is all there is, components on one clock or runs beside each other, else where the time of a trace went.
const Workspace& workspaceFor(const Session& session);

}  // namespace skein::gui
