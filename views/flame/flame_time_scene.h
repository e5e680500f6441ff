// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/flame/flame_scene.h"

namespace skein {

/// What calls of one location over time are drawn with.
struct FlameTimeOptions {
    LocationRef location;
    TimeSpan span;  ///< session time; not empty
    FlameOptions frames;
};

/// The location that is shown: the first selected or marked one that has calls, else the first of all;
/// invalid where no trace is open.
LocationRef flameLocation(const TimelineData& data, const ViewState& state);

/// The calls of one location in the order of their time: in every column of pixels the stack of the region
/// that took most of it; neighbours of the same call path are one frame. The cost depends on the pixels. Ids:
/// kind 2, `experiment`, `item` the call path, `part` the column.
DrawList flameTimeScene(const TimelineData& data, const ViewState& state, const FlameTimeOptions& options,
                        const Canvas& canvas, const Task& task);

/// Lines about a frame over time.
std::vector<std::string> flameTimeTooltip(const TimelineData& data, HitId hit);

}  // namespace skein
