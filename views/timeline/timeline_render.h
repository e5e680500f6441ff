// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/select/view_state.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

namespace skein {

/// An exact timeline of this size in device pixels with what lies over it, in the fonts of the application.
/// After a stop request it is incomplete.
DrawList timelinePicture(const TimelineData& data, const ViewState& state, TimelineOptions options, int width,
                         int height, const Task& task);

}  // namespace skein
