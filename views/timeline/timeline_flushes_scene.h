// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <string>

namespace skein {

/// Appends a band along the middle of every row, in the colour of text, wherever the measurement wrote its buffer. Every
/// flush of the visible span has at least one pixel. O(pixels + flushes · log flushes): one writes thousands of events.
void drawFlushes(DrawList& list, const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout);

/// "buffer flush, 1.2 ms" where the location writes its buffer within a pixel of the session time; else empty. O(flushes).
std::string flushTooltip(const TimelineData& data, const TimeScale& scale, LocationRef location, TimeNs time);

}  // namespace skein
