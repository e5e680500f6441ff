// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/outliers/outlier_data_scene.h"

#include <string>
#include <string_view>
#include <vector>

/// What the two pictures of outliers have in common.
namespace skein {

/// The colour of the location at a place of OutlierSource::locations: through the hues and from dark to light
/// (in the dark theme as well), so that neighbours in rank look alike and far ones do not; up to eight are
/// all told apart.
Color rankColor(const Theme& theme, std::uint32_t place, std::size_t count);

/// Values of an axis between two edges, linear or logarithmic.
struct PlotAxis {
    double low = 0;
    double high = 1;
    bool logarithmic = false;

    double part(double value) const;  ///< 0…1
    /// Round values that are at least `gap` apart on an axis of this length: 1, 2, 5 × 10ⁿ, or powers of ten
    /// alone.
    std::vector<double> ticks(double length, double gap, std::string_view unit) const;
};

/// An axis that holds values from `least` to `greatest`: from zero, or logarithmic where they differ by more
/// than 20 times, or from about the least one where they differ by less than two times.
PlotAxis plotAxis(double least, double greatest);

/// A dot with an edge that sets it off from its neighbours.
void drawDot(DrawList& list, Point at, double radius, Color color, const Canvas& canvas);
void drawRing(DrawList& list, Point at, double radius, Color color, const Canvas& canvas);

/// Height of the line below the data.
double footHeight(const Canvas& canvas);
/// A sentence at the left, and which colour is which location at the right.
void drawFoot(DrawList& list, const Rect& box, const std::string& sentence, const OutlierSource& source,
              const Canvas& canvas);

/// "1,204 calls much longer than usual: 1.2 s beyond it".
std::string outlierSentence(const OutlierData& data);

}  // namespace skein
