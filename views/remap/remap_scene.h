// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/remap/remap_search_scene.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// All that the picture of a remapping needs. Immutable; may cross threads.
struct RemapPicture {
    SessionCommunicationPtr communication;  ///< with a machine
    std::optional<RemapWorth> worth;
    std::vector<MappingProgress> curve;  ///< of the search that runs, or of the candidate
    double searchedSeconds = 0;          ///< how far the search is
    RemapCandidatePtr candidate;         ///< null: none yet
    RemapCandidatePtr compared;          ///< beside it; null: the placement as it is
};

/// Where the parts are. Device pixels.
struct RemapLayout {
    Rect caption, curve, loads, front, change;
};

/// Two rows of fields; where that would be too low one row of all four, or of the first two. The others are
/// empty then.
RemapLayout remapLayout(const Canvas& canvas);

/// Four fields: the best objective against time with the bound below it; the loads of all links in descending
/// order, before and after over each other; gain against moved ranks; and how much each link carries more or
/// less, sorted, so that what gets worse is seen as plainly as what gets better. O(links log links).
DrawList remapScene(const RemapPicture& picture, const Canvas& canvas, const Task& task);

/// The point of the candidate's front that is nearest to a place in its field.
std::optional<std::size_t> frontPointAt(const RemapPicture& picture, const RemapLayout& layout,
                                        const Canvas& canvas, Point point);

/// Figures before and after, a line each: what, before, after.
struct RemapFigure {
    std::string what, before, after;
    double changePercent = 0;  ///< below 0: less than before
    bool told = false;         ///< changePercent means something
};
std::vector<RemapFigure> remapFigures(const RemapPicture& picture);

}  // namespace skein
