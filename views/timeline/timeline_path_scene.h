// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/session_critical_path.h"
#include "views/timeline/timeline_layout_scene.h"

namespace skein {

/// Appends the critical path as a line through the middle of the rows that it lies on, upright where it goes
/// on to another one; all rows of what is shorter than a pixel, up to 16 of it.
/// O(pixels · log pieces + locations).
void drawCriticalPath(DrawList& list, const TimelineData& data, const SessionCriticalPath& shown,
                      const TimelineLayout& layout, const Canvas& canvas);

/// In the lower right corner of `room`: how long it is, and where most of it lies.
void drawCriticalPathText(DrawList& list, const Session& session, const SessionCriticalPath& shown,
                          const Rect& room, const Canvas& canvas);

}  // namespace skein
