// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

namespace skein {

/// Appends a band along the middle of every row, in the colour of text, wherever the measurement wrote its
/// buffer. Every flush of the visible span has at least one pixel. O(pixels · log flushes).
void drawFlushes(DrawList& list, const TimelineData& data, const TimelineOptions& options,
                 const TimelineLayout& layout);

}  // namespace skein
