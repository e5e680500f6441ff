// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <functional>

namespace skein {

/// Equally large pictures beside each other on one canvas.
struct PaneRow {
    int count = 1;
    double gap = 0;    ///< device pixels between two
    double width = 0;  ///< of each, whole device pixels
    double height = 0;

    double left(int pane) const { return pane * (width + gap); }
    /// The pane at a place; the nearest for places in a gap.
    int at(double x) const;
};

PaneRow paneRow(const Canvas& canvas, int count);

/// The canvas that each pane is drawn on, from (0, 0).
Canvas paneCanvas(const Canvas& canvas, int count);

/// Equally high pictures one above the other.
struct PaneColumn {
    int count = 1;
    double height = 0;  ///< of each, whole device pixels

    double top(int pane) const { return pane * height; }
    /// The pane at a place; the nearest beyond the last one.
    int at(double y) const;
};

PaneColumn paneColumn(const Canvas& canvas, int count);

/// Draws each pane on a canvas of its own and puts them one above the other with a line between them.
DrawList oneAboveOther(const Canvas& canvas, int count,
                       const std::function<DrawList(int pane, const Canvas& canvas)>& draw);

/// Moves all shapes to the right, or down, by whole pixels.
void moveRight(DrawList& list, double pixels);
void moveDown(DrawList& list, double pixels);

/// Draws each pane on its own canvas and puts them beside each other with a line between them. Only the first
/// has the caption; the others leave as much room for one.
DrawList besideEachOther(const Canvas& canvas, int count,
                         const std::function<DrawList(int pane, const Canvas& canvas)>& draw);

}  // namespace skein
