// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/view.h"

#include <QString>

#include <span>

namespace skein::gui {

/// Where a view stands in the default layout.
enum class ViewPlace { Top, Left, Center, Right, Bottom };

/// The main view has the keyboard and its picture first when an archive is open, and what room a window
/// gains.
enum class ViewRole { Panel, Main };

struct ViewDescription {
    const char* id;     ///< "call_tree": for --render and saved layouts; never changes
    const char* title;  ///< of its dock and menu entry
    ViewPlace place;
    int order;  ///< among the views of its place, first one on top or at the left
    View* (*make)(const ViewContext& context, QWidget* parent);
    ViewRole role = ViewRole::Panel;
};

/// Every view of the program, in alphabetical order of their ids.
std::span<const ViewDescription> viewList();

/// The one whose role is Main.
const ViewDescription& mainView();

/// Null when there is no such view.
const ViewDescription* findView(const QString& id);

}  // namespace skein::gui
