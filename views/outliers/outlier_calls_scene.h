// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/axes/time_frame.h"
#include "views/outliers/outlier_parts_scene.h"

namespace skein {

/// Where the parts of the picture of single calls are. Device pixels.
struct OutlierCallsLayout {
    Rect caption, foot;
    TimeFrame frame;
    PlotAxis axis;  ///< durations, upwards over the frame's body
    double radius = 0;

    Point at(const OutlierPoint& point) const
    {
        return {frame.scale.toX(point.begin),
                frame.body.bottom() - axis.part(static_cast<double>(point.durationNs)) * frame.body.height};
    }
};

OutlierCallsLayout outlierCallsLayout(const OutlierData& data, const ViewState& state, const Canvas& canvas);

/// A dot a call at its entry and, upwards, its duration, in the colour of its location; behind them in grey
/// how many calls there are. Of dots at the same pixel the worst one is drawn. `data` may be that of a
/// neighbouring span.
DrawList outlierCallsScene(const OutlierData& data, const ViewState& state, const Canvas& canvas,
                           const Task& task);

/// Selected calls, or those of the selected locations; the call under the pointer, marks, brush and time.
DrawList outlierCallsOverlay(const OutlierData& data, const ViewState& state,
                             const OutlierCallsLayout& layout, const Canvas& canvas);

/// The nearest dot in reach of the pointer; null where there is none.
const OutlierPoint* outlierCallAt(const OutlierData& data, const OutlierCallsLayout& layout, Point point,
                                  double scale);

}  // namespace skein
