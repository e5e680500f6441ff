// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/outliers/outlier_parts_scene.h"

namespace skein {

/// Where the parts of the picture of locations are. Device pixels.
struct OutlierRanksLayout {
    Rect caption, labels, body, values, foot;  ///< labels: left of the body; values: below it
    PlotAxis calls;                            ///< to the right
    PlotAxis excess;                           ///< upwards
    double radius = 0;

    Point at(const OutlierRank& rank) const
    {
        return {body.x + calls.part(static_cast<double>(rank.calls)) * body.width,
                body.bottom() - excess.part(rank.excessNs) * body.height};
    }
};

OutlierRanksLayout outlierRanksLayout(const OutlierData& data, const Canvas& canvas);

/// A dot a location: how many outliers it has, and upwards what they took beyond their regions' usual. The
/// worst are named where there is room.
DrawList outlierRanksScene(const OutlierData& data, const Canvas& canvas, const Task& task);

/// The selected locations and the one under the pointer.
DrawList outlierRanksOverlay(const OutlierData& data, const ViewState& state,
                             const OutlierRanksLayout& layout, const Canvas& canvas);

/// The nearest dot in reach of the pointer; null where there is none.
const OutlierRank* outlierRankAt(const OutlierData& data, const OutlierRanksLayout& layout, Point point,
                                 double scale);

}  // namespace skein
