// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"

#include <span>
#include <string>
#include <vector>

namespace skein {

/// What is told of a place in a picture where the pointer rests on it.
struct SvgTip {
    Rect place;
    std::vector<std::string> lines;
};

/// The picture as an SVG document without a font engine: for notebooks and for programs without Qt. It has no
/// ids, so that many may stand in one page. Tips are tooltips where the SVG is a part of an HTML page.
/// Deterministic. O(items + pixels).
std::string toSvg(const DrawList& list, std::span<const SvgTip> tips = {});

}  // namespace skein
