// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/behavior/live_scene.h"

#include <optional>
#include <string>
#include <vector>

/// What stands beside the lines of a stream: who is alike, and who sends to whom now.
namespace skein {

/// Squares, one below the other. Device pixels. Without messages the places have all of the room.
struct LiveSideLayout {
    Rect placesTitle, places;
    Rect matrixTitle, matrix;
};

LiveSideLayout liveSideLayout(const LivePicture& live, const Canvas& canvas);

/// A dot an entity where the projection of the kept time points puts it, and bytes of the newest interval by
/// sender and receiver, with the clusters at the margins. O(entities + messages + pixels).
DrawList liveSideScene(const LivePicture& live, const Canvas& canvas, const Task& task);

/// What is at a point: an entity's dot, or a pair; empty: nothing.
std::vector<std::string> liveSideText(const LivePicture& live, const LiveSideLayout& layout, Point point,
                                      double reach);

}  // namespace skein
