// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <string>
#include <vector>

namespace skein {

/// What a colour of a picture stands for.
struct LegendEntry {
    Color color;
    std::string text;
};

/// What stands around the content of every picture that leaves the program: over it which view of which
/// archives, how much of them and without what; below it what the colours stand for.
struct PictureFrame {
    std::vector<std::string> caption;  ///< the first line is bold; those that are too long are wrapped
    std::vector<LegendEntry> legend;
};

/// Where the content of a framed picture goes: all of the canvas but for the frame. Parts of the frame that
/// would take more than half of the height are left out, the legend first.
Rect contentRect(const PictureFrame& frame, const Canvas& canvas);

/// How high the frame alone is on a canvas of this width, whatever its height.
int frameHeight(const PictureFrame& frame, const Canvas& canvas);

/// A picture of the canvas's size: the frame, and the content moved into it and cut at its rectangle.
DrawList framedPicture(DrawList content, const PictureFrame& frame, const Canvas& canvas);

/// The text in lines that are no wider, cut between words, or within one that is wider than a line.
std::vector<std::string> wrappedLines(const std::string& text, double width, FontStyle style,
                                      const TextMeasure& measure);

}  // namespace skein
