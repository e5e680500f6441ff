// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/kept_samples_scene.h"
#include "views/timeline/timeline_collectives_scene.h"
#include "views/timeline/timeline_layout_scene.h"
#include "views/timeline/timeline_messages_scene.h"

#include <string>
#include <vector>

namespace skein {

/// Where everything is in a timeline of a size: its rows, and the messages and collectives that are shown.
struct TimelinePlan {
    TimelineLayout layout;
    VisibleMessages messages;
    VisibleCollectives collectives;
};

/// Pure. Does not stop early. O(rows + messages and collectives in sight).
TimelinePlan planTimeline(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                          int width, int height, const TextMeasure& measure);

/// The timeline without what changes at every move of the pointer: rows of nested calls, messages, ruler and
/// labels. Pure; the cost depends on the pixels. Stops early when told to; the list is then not to be shown.
/// Rows that were kept of a picture of the same data and time are not sampled again.
DrawList timelineScene(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                       int width, int height, const TextMeasure& measure, const Task& task,
                       SampleKeeping keeping = {});
/// The same of a plan that was made before, of the same data, state, options and size.
DrawList timelineScene(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                       const TimelinePlan& plan, int width, int height, const TextMeasure& measure,
                       const Task& task, SampleKeeping keeping = {});

/// What lies over it: the brushed span with its duration, the selected calls, messages and locations, the
/// hovered call and the pointer's time. Cheap.
DrawList timelineOverlay(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                         const TimelineLayout& layout, const TextMeasure& measure);

/// Why there is nothing to see and what to do; empty where there is something.
std::string timelineEmptyText(const TimelineData& data, const TimelineLayout& layout);

/// A line that says what is shown: experiments, span with unit, filters.
std::string timelineCaption(const TimelineData& data, const ViewState& state);

/// What is at a point of the picture: the call, the location, the time, or a drawn message within 4 logical
/// pixels.
Hover timelineHit(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                  const TimelineLayout& layout, const VisibleMessages& messages, const TextMeasure& measure,
                  Point point);

/// At most five short lines about it: see callTooltip() and messageTooltip().
std::vector<std::string> timelineTooltip(const TimelineData& data, const Hover& hover);

}  // namespace skein
