// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"

#include <cstddef>
#include <vector>

namespace skein {

/// Whether a point lies within a line that closes itself (even-odd); of a picture or of a plane.
/// O(points of the line).
template <typename Place>
bool liesWithin(const std::vector<Place>& line, Place point)
{
    bool inside = false;
    for (std::size_t a = 0, b = line.size() - 1; a < line.size(); b = a++) {
        const Place &from = line[a], &to = line[b];
        if ((from.y > point.y) == (to.y > point.y)) continue;
        if (point.x < from.x + (point.y - from.y) / (to.y - from.y) * (to.x - from.x)) inside = !inside;
    }
    return inside;
}

/// A line that is drawn around what is to be chosen while the button of the mouse is down. Device pixels.
class Lasso {
public:
    void begin(Point at) { line_ = {at}; }
    /// Nothing where none was begun.
    void goOn(Point at);
    void drop() { line_.clear(); }
    bool begun() const { return !line_.empty(); }
    /// Ends it and gives the line: a single point, where it began, if it never left that by more than 4
    /// logical pixels, which is a click.
    std::vector<Point> end(double scale);
    /// Draws it as it is by now.
    void draw(DrawList& list, const Canvas& canvas) const;

private:
    std::vector<Point> line_;
};

}  // namespace skein
