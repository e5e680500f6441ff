// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/force_layout.h"
#include "views/common/scene/drawing/draw_list.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace skein {

/// Where a plane lies on a canvas; 0 pixels: as large as fits.
struct PlaneView {
    PlanePoint center;
    double pixels = 0;  ///< device pixels a unit

    bool operator==(const PlaneView&) const = default;
};

/// A part of a canvas that shows a part of a plane.
struct PlaneFrame {
    Rect body;
    PlaneView view;

    Point toCanvas(PlanePoint point) const
    {
        return {body.x + body.width / 2 + (point.x - view.center.x) * view.pixels,
                body.y + body.height / 2 + (point.y - view.center.y) * view.pixels};
    }
    PlanePoint toPlane(Point point) const
    {
        return {(point.x - body.x - body.width / 2) / view.pixels + view.center.x,
                (point.y - body.y - body.height / 2) / view.pixels + view.center.y};
    }
};

/// A rectangle of a plane.
struct PlaneBox {
    PlanePoint low, high;
};

/// Around those of the points, and `room` more on every side; nullopt: none of them is meant.
template <typename Index>
std::optional<PlaneBox> boxAround(const std::vector<PlanePoint>& points, const std::vector<Index>& inside,
                                  double room)
{
    std::optional<PlaneBox> box;
    for (const Index index : inside) {
        const PlanePoint at = points[index];
        if (!box) box = PlaneBox{at, at};
        box->low = {std::min(box->low.x, at.x), std::min(box->low.y, at.y)};
        box->high = {std::max(box->high.x, at.x), std::max(box->high.y, at.y)};
    }
    if (box) *box = {{box->low.x - room, box->low.y - room}, {box->high.x + room, box->high.y + room}};
    return box;
}

/// The view that shows the rectangle from `low` to `high` in all of the body but a margin; no unit is larger
/// than `mostPixels`.
inline PlaneView fittedView(PlanePoint low, PlanePoint high, const Rect& body, double margin,
                            double mostPixels)
{
    const double wide = std::max(1.0, body.width - 2 * margin);
    const double tall = std::max(1.0, body.height - 2 * margin);
    const double pixels =
        std::min(wide / std::max(high.x - low.x, 1e-9), tall / std::max(high.y - low.y, 1e-9));
    return {{(low.x + high.x) / 2, (low.y + high.y) / 2}, std::min(pixels, mostPixels)};
}

}  // namespace skein
