// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <string>
#include <vector>

namespace skein {

/// Appends a band along the lower edge of every row, coloured by kind wherever the location waited. Every
/// wait state of the visible span has at least one pixel; where several begin within one, the longest of up
/// to 16 gives its colour. O(pixels · log waits).
void drawWaits(DrawList& list, const TimelineData& data, const SessionWaits& shown,
               const TimelineOptions& options, const TimelineLayout& layout);

}  // namespace skein
