// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/color_stops.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/metric_rank/metric_rank_list_scene.h"

#include <cstddef>
#include <memory>
#include <optional>

namespace skein {

/// Immutable; may cross threads.
struct MetricRankPicture {
    MetricRankListPtr list;
    std::size_t first = 0, end = 0;  ///< the chosen ranks [first, end); none where they are equal
    bool logarithmic = false;
    ColorStops stops;  ///< the colours of all communication views
};

/// Where the parts are. Device pixels.
struct MetricRankLayout {
    Rect caption, title, bars, axis, histogram, foot;
};

MetricRankLayout metricRankLayout(const Canvas& canvas);

/// Values as bars in descending order, the line of the cumulative share over them, and beside them the
/// histogram with median and quartiles. A pixel column shows the greatest of its values. O(pixels + bars).
DrawList metricRankScene(const MetricRankPicture& picture, const Canvas& canvas, const Task& task);

/// The place in the list at a point of the bars.
std::optional<std::size_t> rankedPlaceAt(const MetricRankPicture& picture, const MetricRankLayout& layout,
                                         Point point);

}  // namespace skein
