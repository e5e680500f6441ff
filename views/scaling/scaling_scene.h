// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/scaling/scaling_data_scene.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skein {

enum class ScalingAxes : std::uint8_t { Logarithmic, Linear };

/// Immutable; may cross threads.
struct ScalingPicture {
    ScalingDataPtr data;
    std::size_t chosen = 0;     ///< row whose curves are drawn
    std::size_t first = 0;      ///< uppermost row of the list
    std::size_t parameter = 0;  ///< along the curves
    ScalingAxes axes = ScalingAxes::Logarithmic;
};

/// A column of the list.
struct ScalingColumn {
    enum class Kind : std::uint8_t { Name, Predicted, Interval, Share, Error, Model };
    Kind kind = Kind::Name;
    double x = 0, width = 0;
};

/// Where the parts are. Device pixels.
struct ScalingLayout {
    Rect caption, head, titles, list, facts, chart, foot;
    double rowHeight = 1;
    std::vector<ScalingColumn> columns;

    std::size_t rowsShown() const;
};

/// The list stands left of the chart, or above it where the canvas is narrow. Columns that have no room are
/// left out, the model first.
ScalingLayout scalingLayout(const Canvas& canvas);

/// A list of call paths, what dominates at the target first: prediction, interval, share, error and model;
/// and the chosen one's measured points, curves and interval as a chart. O(pixels + rows shown).
DrawList scalingScene(const ScalingPicture& picture, const Canvas& canvas);

/// The row of the list at a point.
std::optional<std::size_t> scalingRowAt(const ScalingPicture& picture, const ScalingLayout& layout,
                                        Point point);
/// All that is told of a row, a line each.
std::vector<std::string> scalingTooltip(const ScalingData& data, std::size_t row);

/// The facts above the chart: function, error, prediction, jump, and what else is not excluded.
std::vector<std::string> scalingFacts(const ScalingData& data, std::size_t row);

/// Draws the chart into the layout's `chart`.
void drawScalingChart(const ScalingPicture& picture, const ScalingLayout& layout, const Canvas& canvas,
                      DrawList& list);

}  // namespace skein
