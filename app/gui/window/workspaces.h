// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/window/view_list.h"

#include <QString>

#include <span>

namespace skein::gui {

/// Where a workspace has a view.
struct WorkspaceSpot {
    const char* view;
    ViewPlace place;
    int order;  ///< as in ViewDescription: same tens are stacked
};

/// A ready-made arrangement of panels for one kind of work. Views that it does not name are closed.
struct Workspace {
    const char* id;  ///< "timeline"
    const char* title;
    std::span<const WorkspaceSpot> spots;  ///< empty: every view at its own place
};

/// The first one is what a newcomer meets.
std::span<const Workspace> workspaces();

/// Where the workspace has the view; null where it is closed.
const WorkspaceSpot* findSpot(const Workspace& workspace, const QString& view);

}  // namespace skein::gui
