// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/session_behavior.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// Where the parts are. Device pixels.
struct SimilarityLayout {
    Rect caption, head, body;
    double centerX = 0, centerY = 0;  ///< of the places, at the middle of the body
    double pixels = 1;                ///< a unit of the places; the same both ways

    /// Where an entity lies.
    Point placeOf(const SessionBehavior& behavior, std::size_t entity) const;
};

SimilarityLayout similarityLayout(const SessionBehavior& behavior, const Canvas& canvas);

/// A dot an entity in the colour of its cluster, similar ones near each other; where locations are selected
/// the others are grey. Names stand beside dots where there is room. The head says how much of the variance
/// lies in the plane, and what share of the entities it was made of where that is not all. O(entities).
DrawList similarityScene(const SessionBehavior& behavior, const Selection& selected, const Canvas& canvas,
                         const Task& task);

/// The entity whose dot is nearest to a point, within 8 logical pixels. O(entities).
std::optional<std::size_t> similarEntityAt(const SessionBehavior& behavior, const SimilarityLayout& layout,
                                           Point point, double scale);

/// The entities within a line that closes itself (even-odd). O(entities · points).
std::vector<std::size_t> entitiesWithin(const SessionBehavior& behavior, const SimilarityLayout& layout,
                                        const std::vector<Point>& lasso);

/// The same for what Lasso::end() gives: those within it, or the one at a click. `scale` as in
/// similarEntityAt().
std::vector<std::size_t> entitiesChosenBy(const SessionBehavior& behavior, const SimilarityLayout& layout,
                                          const std::vector<Point>& lasso, double scale);

/// Name, cluster and mean of an entity.
std::vector<std::string> similarityTooltip(const SessionBehavior& behavior, std::size_t entity);

}  // namespace skein
