// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/lasso.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kLassoBeginsPx = 4;

}  // namespace

void Lasso::goOn(Point at)
{
    if (begun()) line_.push_back(at);
}

std::vector<Point> Lasso::end(double scale)
{
    std::vector<Point> line = std::exchange(line_, {});
    const bool drawn = std::any_of(line.begin(), line.end(), [&](Point point) {
        return std::hypot(point.x - line[0].x, point.y - line[0].y) > kLassoBeginsPx * scale;
    });
    if (!drawn && !line.empty()) line.resize(1);
    return line;
}

void Lasso::draw(DrawList& list, const Canvas& canvas) const
{
    if (line_.size() > 2)
        list.items.push_back(
            PolygonItem{line_, canvas.theme().selectionFill, canvas.theme().accent, canvas.px(1), {}});
}

}  // namespace skein
