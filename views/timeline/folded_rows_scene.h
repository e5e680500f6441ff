// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

namespace skein {

/// Appends the bars of groups that are collapsed to one row: in every column the innermost visible call that took most
/// time in all their locations together. O(locations · columns). Stops early when told to.
void drawFoldedRows(DrawList& list, const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                    const TimelineLayout& layout, const Task& task);

}  // namespace skein
