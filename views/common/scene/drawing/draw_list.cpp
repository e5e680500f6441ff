// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/drawing/draw_list.h"

#include "views/common/scene/drawing/pane_row.h"
#include "views/common/scene/drawing/pixel_runs.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <optional>

namespace skein {
namespace {

constexpr double kLineReach = 3.0;

bool inside(const std::vector<Point>& polygon, Point point)
{
    bool in = false;
    for (std::size_t i = 0, j = polygon.size() - 1; i < polygon.size(); j = i++) {
        const Point& a = polygon[i];
        const Point& b = polygon[j];
        if ((a.y > point.y) == (b.y > point.y)) continue;
        if (point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x) in = !in;
    }
    return in;
}

Rect boxOf(const PixelItem& item)
{
    double height = 0;
    for (const int scanline : item.heights) height += scanline;
    return {static_cast<double>(item.x), static_cast<double>(item.y), static_cast<double>(item.columns),
            height};
}

struct HitVisitor {
    Point point;

    HitId operator()(const RectItem& item) const { return item.rect.contains(point) ? item.id : HitId{}; }
    HitId operator()(const LineItem& item) const
    {
        return item.id.valid() && distanceToLine(item.from, item.to, point) <= kLineReach ? item.id : HitId{};
    }
    HitId operator()(const PolygonItem& item) const
    {
        return item.id.valid() && !item.points.empty() && inside(item.points, point) ? item.id : HitId{};
    }
    HitId operator()(const TextItem& item) const { return item.box.contains(point) ? item.id : HitId{}; }
    HitId operator()(const PixelItem& item) const { return boxOf(item).contains(point) ? item.id : HitId{}; }
    HitId operator()(const PushClip&) const { return {}; }
    HitId operator()(const PopClip&) const { return {}; }
};

/// For each item, whether the point lies inside every clip around it.
std::vector<bool> unclipped(const DrawList& list, Point point)
{
    std::vector<bool> result;
    std::vector<bool> stack{true};
    for (const DrawItem& item : list.items) {
        if (const auto* push = std::get_if<PushClip>(&item))
            stack.push_back(stack.back() && push->rect.contains(point));
        if (std::holds_alternative<PopClip>(item) && stack.size() > 1) stack.pop_back();
        result.push_back(stack.back());
    }
    return result;
}

std::string hex(Color color)
{
    const std::string rgb = fmt::format("#{:02x}{:02x}{:02x}", color.red, color.green, color.blue);
    return color.alpha == 255 ? rgb : rgb + fmt::format("/{}", color.alpha);
}

std::string number(double value) { return fmt::format("{:g}", std::round(value * 100) / 100); }

std::string box(const Rect& rect)
{
    return number(rect.x) + "," + number(rect.y) + " " + number(rect.width) + "x" + number(rect.height);
}

std::string paint(Color fill, Color stroke)
{
    std::string text;
    if (fill.alpha != 0) text += " fill " + hex(fill);
    if (stroke.alpha != 0) text += " stroke " + hex(stroke);
    return text;
}

std::string_view nameOf(Align align)
{
    return align == Align::Left ? "left" : align == Align::Center ? "center" : "right";
}

struct TextVisitor {
    std::string operator()(const RectItem& item) const
    {
        return "rect " + box(item.rect) + paint(item.fill, item.stroke);
    }
    std::string operator()(const LineItem& item) const
    {
        return fmt::format("line {},{} {},{} {}", number(item.from.x), number(item.from.y), number(item.to.x),
                           number(item.to.y), hex(item.color));
    }
    std::string operator()(const PolygonItem& item) const
    {
        std::string text = "polygon";
        for (const Point& point : item.points) text += " " + number(point.x) + "," + number(point.y);
        return text + paint(item.fill, item.stroke);
    }
    std::string operator()(const TextItem& item) const
    {
        return fmt::format("text {} {} \"{}\" {}", box(item.box), nameOf(item.align), item.text,
                           hex(item.color));
    }
    std::string operator()(const PixelItem& item) const
    {
        std::string text = fmt::format("pixels {},{} columns {}", item.x, item.y, item.columns);
        // Runs of equal colours: "\n  3px: 10×#ff0000 5×none".
        visitRuns(item, [&](const PixelRun& run) {
            if (run.from == 0) text += fmt::format("\n  {}px:", run.height);
            const Color color = fromArgb(run.argb);
            text += fmt::format(" {}×{}", run.to - run.from, color.alpha == 0 ? "none" : hex(color));
        });
        return text;
    }
    std::string operator()(const PushClip& item) const { return "clip " + box(item.rect); }
    std::string operator()(const PopClip&) const { return "unclip"; }
};

}  // namespace

double distanceToLine(Point from, Point to, Point point)
{
    const double dx = to.x - from.x;
    const double dy = to.y - from.y;
    const double square = dx * dx + dy * dy;
    const double along = square == 0 ? 0 : ((point.x - from.x) * dx + (point.y - from.y) * dy) / square;
    const double part = std::clamp(along, 0.0, 1.0);
    return std::hypot(point.x - from.x - part * dx, point.y - from.y - part * dy);
}

void appendBeside(DrawList& left, const DrawList& right)
{
    DrawList moved = right;
    moveRight(moved, left.width);
    left.items.insert(left.items.end(), std::make_move_iterator(moved.items.begin()),
                      std::make_move_iterator(moved.items.end()));
    left.width += right.width;
    left.height = std::max(left.height, right.height);
}

HitId hitTest(const DrawList& list, Point point)
{
    const std::vector<bool> visible = unclipped(list, point);
    for (std::size_t index = list.items.size(); index-- > 0;) {
        const HitId id = std::visit(HitVisitor{point}, list.items[index]);
        if (id.valid() && visible[index]) return id;
    }
    return {};
}

std::string toText(const DrawList& list)
{
    std::string text = fmt::format("picture {}x{} {}\n", list.width, list.height, hex(list.background));
    for (const DrawItem& item : list.items) text += std::visit(TextVisitor{}, item) + "\n";
    return text;
}

}  // namespace skein
