// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/common/scene/tree/prune_rules.h"

#include <optional>
#include <string>

namespace skein {

struct PruneHistogramLayout {
    Rect above, below;  ///< of rows that would go, and of inner ones
    double middle = 0;  ///< y of the line between them
    double left = 0, right = 0;
};

PruneHistogramLayout pruneHistogramLayout(const Canvas& canvas);

/// From a value to its place and back: each bin is equally wide, so that both scales can be dragged over.
double placeOfValue(const PruneHistogram& histogram, const PruneHistogramLayout& layout, double value);
double valueAtPlace(const PruneHistogram& histogram, const PruneHistogramLayout& layout, double x);

/// A butterfly: prunable rows above, inner ones below; what lies outside of the handles is faint.
DrawList pruneHistogramScene(const PruneHistogram& histogram, double from, double to, const std::string& unit,
                             const Canvas& canvas);

}  // namespace skein
