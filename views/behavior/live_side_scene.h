// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/behavior/live_scene.h"
#include "views/common/scene/behavior/similarity_scene.h"

#include <string>
#include <vector>

/// What stands beside the lines of a stream: who is alike, and who sends to whom now.
namespace skein {

/// Dots above, the matrix as a square below. Device pixels. Without messages the dots have all of the room.
struct LiveSideLayout {
    int placesHeight = 0;
    SimilarityLayout places;
    Rect matrixTitle, matrix;
};

LiveSideLayout liveSideLayout(const LivePicture& live, const Canvas& canvas);

/// similarityScene() of the kept time points, and bytes of the newest interval by sender and receiver, with
/// the clusters at the margins; where entities are selected the others are grey. O(entities + messages +
/// pixels).
DrawList liveSideScene(const LivePicture& live, const Selection& selected, const Canvas& canvas,
                       const Task& task);

/// The columns that Lasso::end() chooses: dots, or sender and receiver where it is a click into the matrix.
std::vector<std::size_t> liveSideChosen(const LivePicture& live, const LiveSideLayout& layout,
                                        const std::vector<Point>& lasso, double scale);

/// What is at a point: an entity's dot, or a pair; empty: nothing.
std::vector<std::string> liveSideText(const LivePicture& live, const LiveSideLayout& layout, Point point,
                                      double scale);

}  // namespace skein
