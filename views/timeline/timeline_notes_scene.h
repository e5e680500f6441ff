// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_collectives_scene.h"
#include "views/timeline/timeline_layout_scene.h"
#include "views/timeline/timeline_messages_scene.h"

namespace skein {

/// Says below the plot, or in its lower corners where the layout has no line for it, what the picture leaves
/// out: "18 of 1,136 messages drawn", "180 of 5,360 collectives drawn", and where calls have colours of their
/// own, that rows of many locations have those of one of them.
void drawTimelineNotes(DrawList& list, const VisibleMessages& messages, const VisibleCollectives& collectives,
                       const ViewState& state, const TimelineLayout& layout, const TimelineOptions& options,
                       const TextMeasure& measure);

/// Room that these lines may take, whether they are there or not: device pixels.
double timelineNotesHeight(const ViewState& state, const TimelineLayout& layout,
                           const TimelineOptions& options, const TextMeasure& measure);

}  // namespace skein
