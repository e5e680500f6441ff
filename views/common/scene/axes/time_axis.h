// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"
#include "views/common/scene/drawing/text_measure.h"

#include <string>
#include <vector>

namespace skein {

/// Time to pixel and back: `span` lies on [left, left + width).
struct TimeScale {
    TimeSpan span;
    double left = 0;
    double width = 0;

    double nsPerPixel() const { return static_cast<double>(span.lengthNs()) / width; }
    double toX(TimeNs time) const { return left + static_cast<double>(time - span.begin) / nsPerPixel(); }
    /// Rounded down to a whole nanosecond.
    TimeNs toTime(double x) const;
};

struct AxisTick {
    TimeNs time = 0;
    double x = 0;
    std::string label;  ///< empty for minor ticks
};

struct TimeAxis {
    std::vector<AxisTick> ticks;  ///< from left to right
    std::string base;  ///< "12.345 s": what labels that begin with "+" are added to; empty otherwise
};

/// Every digit of a time in the unit that suits it, without zeros at the end: "574.812345 ms", "2.5 s".
std::string exactTime(TimeNs time);

/// Ticks at 1, 2 or 5 × 10ⁿ ns whose labels do not overlap and lie within the scale, with four minor ticks
/// (one at steps of 2) between them. Where the labels would need more than three decimals, they are offsets
/// from a round base time instead. At most one tick per 4 pixels.
TimeAxis timeAxis(const TimeScale& scale, FontStyle style, const TextMeasure& measure);

}  // namespace skein
