// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace skein {

/// What lies along one side of a plot.
struct ValueAxis {
    double from = 0, to = 1;
    std::string unit = {};  ///< of formatAmount(): "ns", "B", "" for counts
    /// In place of formatAmount().
    std::function<std::string(double)> text = {};
    bool whole = false;  ///< nothing lies between two whole numbers

    /// 0 to 1; outside of the range: the nearer end.
    double partOf(double value) const;
    std::string textOf(double value) const;
};

/// A plot and its axes inside of a field: values at the left of it, numbers below it.
struct PlotFrame {
    Rect plot;
    double labelsWidth = 0;  ///< room for values at the left of the plot
    ValueAxis across, up;
    std::vector<double> acrossTicks = {}, upTicks = {};  ///< round values

    double toX(double value) const;
    double toY(double value) const;
    Point at(double x, double y) const { return {toX(x), toY(y)}; }
};

/// The frame whose plot and words take all of the field. Ticks are as many as have room.
PlotFrame plotFrame(const Rect& field, ValueAxis across, ValueAxis up, const Canvas& canvas);

/// Grid lines, values and both axes; the data is drawn over it.
void drawPlotFrame(DrawList& list, const PlotFrame& frame, const Canvas& canvas);

/// Amounts in descending order as steps over an axis from 0 to their number. O(amounts log amounts).
void drawDescending(DrawList& list, const PlotFrame& frame, std::vector<std::uint64_t> amounts, Color color,
                    double width);

}  // namespace skein
