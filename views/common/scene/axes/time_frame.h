// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/data/timeline_data.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <utility>
#include <vector>

/// What pictures over time have in common: a ruler on top, a column of labels at the left, the data beside
/// it. Their labels are equally wide, so that the same time stands at the same place in panels that lie above
/// each other.
namespace skein {

/// Where the parts are. Device pixels.
struct TimeFrame {
    Rect corner, ruler, labels, body;
    TimeScale scale;         ///< session time over `body`
    double notesHeight = 0;  ///< at the bottom of `body`, where it says what the picture leaves out; notes of
                             ///< marks stand above
    /// Tops and bottoms of the rows that are marked, from top to bottom; empty: all of them are, or the
    /// picture has no rows.
    std::vector<std::pair<double, double>> markedRows = {};
};

/// Room for the longest name of a location, at most a fifth of the picture. O(1).
double timeLabelsWidth(const TimelineData& data, double width, double scale, const TextMeasure& measure);

/// The frame of a picture whose ruler begins at `top`.
TimeFrame timeFrame(const TimelineData& data, const ViewState& state, double top, const Canvas& canvas);

/// Ticks, labels and, in the corner, what they are relative to.
void drawTimeRuler(DrawList& list, const TimeFrame& frame, const TimeAxis& axis, const Canvas& canvas);

/// What lies over the data: the marks with their notes, the brushed span with its duration and the pointer's
/// time.
void drawTimeOverlay(DrawList& list, const ViewState& state, const TimeFrame& frame, const Canvas& canvas);

/// The mark within 4 logical pixels of a point of the ruler or the data, the nearest edge first; null where
/// there is none.
const Mark* markAt(const ViewState& state, const TimeFrame& frame, Point point, double scale);

}  // namespace skein
