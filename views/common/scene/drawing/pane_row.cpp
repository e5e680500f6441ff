// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/pane_row.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace skein {
namespace {

struct PaneMover {
    Point by;

    void move(Point& point) const { point = {point.x + by.x, point.y + by.y}; }
    void move(Rect& rect) const
    {
        rect.x += by.x;
        rect.y += by.y;
    }
    void operator()(RectItem& item) const { move(item.rect); }
    void operator()(LineItem& item) const
    {
        move(item.from);
        move(item.to);
    }
    void operator()(PolygonItem& item) const
    {
        for (Point& point : item.points) move(point);
    }
    void operator()(TextItem& item) const { move(item.box); }
    void operator()(PixelItem& item) const
    {
        item.x += static_cast<int>(by.x);
        item.y += static_cast<int>(by.y);
    }
    void operator()(PushClip& item) const { move(item.rect); }
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
    for (DrawItem& item : list.items) std::visit(PaneMover{{pixels, 0}}, item);
}

void moveDown(DrawList& list, double pixels)
{
    for (DrawItem& item : list.items) std::visit(PaneMover{{0, pixels}}, item);
}

int PaneColumn::at(double y) const
{
    return std::clamp(static_cast<int>(std::floor(y / height)), 0, std::max(0, count - 1));
}

PaneColumn paneColumn(const Canvas& canvas, int count)
{
    return {count, std::max(1.0, std::floor(static_cast<double>(canvas.height) / std::max(1, count)))};
}

DrawList oneAboveOther(const Canvas& canvas, int count,
                       const std::function<DrawList(int pane, const Canvas& canvas)>& draw)
{
    if (count <= 1) return draw(0, canvas);
    const PaneColumn column = paneColumn(canvas, count);
    DrawList all;
    all.width = canvas.width;
    all.height = canvas.height;
    all.background = canvas.theme().background;
    for (int pane = 0; pane < count; ++pane) {
        DrawList list =
            draw(pane, {canvas.width, static_cast<int>(column.height), canvas.style, canvas.measure});
        moveDown(list, column.top(pane));
        all.pushClip({0, column.top(pane), static_cast<double>(canvas.width), column.height});
        all.items.insert(all.items.end(), std::make_move_iterator(list.items.begin()),
                         std::make_move_iterator(list.items.end()));
        all.popClip();
        if (pane > 0)
            all.line({0, column.top(pane) + 0.5}, {static_cast<double>(canvas.width), column.top(pane) + 0.5},
                     canvas.theme().frame, canvas.px(1));
    }
    return all;
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
