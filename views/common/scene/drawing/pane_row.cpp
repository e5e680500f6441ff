// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/pane_row.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace skein {
namespace {

struct MoverRight {
    double by;

    void operator()(RectItem& item) const { item.rect.x += by; }
    void operator()(LineItem& item) const
    {
        item.from.x += by;
        item.to.x += by;
    }
    void operator()(PolygonItem& item) const
    {
        for (Point& point : item.points) point.x += by;
    }
    void operator()(TextItem& item) const { item.box.x += by; }
    void operator()(PixelItem& item) const { item.x += static_cast<int>(by); }
    void operator()(PushClip& item) const { item.rect.x += by; }
    void operator()(PopClip&) const {}
};

}  // namespace

int PaneRow::at(double x) const
{
    for (int pane = 0; pane + 1 < count; ++pane)
        if (x < left(pane + 1) - gap / 2) return pane;
    return count - 1;
}

PaneRow paneRow(const Canvas& canvas, int count)
{
    const double gap = count > 1 ? std::round(canvas.px(8)) : 0;
    return {count, gap, std::max(1.0, std::floor((canvas.width - (count - 1) * gap) / count)),
            static_cast<double>(canvas.height)};
}

Canvas paneCanvas(const Canvas& canvas, int count)
{
    return {static_cast<int>(paneRow(canvas, count).width), canvas.height, canvas.style, canvas.measure};
}

void moveRight(DrawList& list, double pixels)
{
    for (DrawItem& item : list.items) std::visit(MoverRight{pixels}, item);
}

DrawList besideEachOther(const Canvas& canvas, int count,
                         const std::function<DrawList(int pane, const Canvas& canvas)>& draw)
{
    if (count <= 1) return draw(0, canvas);
    const PaneRow row = paneRow(canvas, count);
    SceneStyle withoutCaption = canvas.style;
    if (!withoutCaption.caption.empty()) withoutCaption.caption = " ";
    DrawList all;
    all.width = canvas.width;
    all.height = canvas.height;
    all.background = canvas.theme().background;
    for (int pane = 0; pane < count; ++pane) {
        const Canvas own{static_cast<int>(row.width), canvas.height,
                         pane == 0 ? canvas.style : withoutCaption, canvas.measure};
        DrawList list = draw(pane, own);
        moveRight(list, row.left(pane));
        all.pushClip({row.left(pane), 0, row.width, row.height});
        all.items.insert(all.items.end(), std::make_move_iterator(list.items.begin()),
                         std::make_move_iterator(list.items.end()));
        all.popClip();
        if (pane == 0) continue;
        const double middle = std::floor(row.left(pane) - row.gap / 2) + 0.5;
        all.line({middle, 0}, {middle, row.height}, canvas.theme().frame, canvas.px(1));
    }
    return all;
}

}  // namespace skein
