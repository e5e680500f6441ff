// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/color/color.h"

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// A picture as a list of shapes: what scenes make, what tests compare, and what one painter puts on the
/// screen, into a PNG and into an SVG. Coordinates are device pixels from the upper left corner.
namespace skein {

struct Point {
    double x = 0;
    double y = 0;
    bool operator==(const Point&) const = default;
};

/// From `point` to the nearest point of the line between two others.
double distanceToLine(Point from, Point to, Point point);

struct Rect {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;

    double right() const { return x + width; }
    double bottom() const { return y + height; }
    bool empty() const { return width <= 0 || height <= 0; }
    bool contains(Point point) const
    {
        return x <= point.x && point.x < right() && y <= point.y && point.y < bottom();
    }
    bool overlaps(const Rect& other) const
    {
        return x < other.right() && other.x < right() && y < other.bottom() && other.y < bottom();
    }
    /// Smaller by `amount` on every side.
    Rect inset(double amount) const
    {
        return {x + amount, y + amount, width - 2 * amount, height - 2 * amount};
    }
    bool operator==(const Rect&) const = default;
};

/// What a shape stands for; each scene gives its own meaning to the numbers. Kind 0 is nothing.
struct HitId {
    std::uint32_t kind = 0;
    std::uint32_t experiment = 0;
    std::uint32_t item = 0;
    std::uint32_t part = 0;

    bool valid() const { return kind != 0; }
    auto operator<=>(const HitId&) const = default;
};

enum class FontStyle : std::uint8_t { Normal, Small, Bold, Title };
enum class Align : std::uint8_t { Left, Center, Right };

/// A rectangle; an alpha of 0 leaves fill or outline away. The outline lies inside and is one pixel wide ×
/// `strokeWidth`.
struct RectItem {
    Rect rect;
    Color fill{0, 0, 0, 0};
    Color stroke{0, 0, 0, 0};
    double strokeWidth = 1;
    double radius = 0;
    HitId id;
};

struct LineItem {
    Point from;
    Point to;
    Color color;
    double width = 1;
    HitId id;
};

struct PolygonItem {
    std::vector<Point> points;
    Color fill{0, 0, 0, 0};
    Color stroke{0, 0, 0, 0};
    double strokeWidth = 1;
    HitId id;
};

/// One line of text, vertically centred in its box. It was already shortened to fit.
struct TextItem {
    Rect box;
    std::string text;
    Color color;
    FontStyle style = FontStyle::Normal;
    Align align = Align::Left;
    HitId id;
};

/// An image with scanlines of different heights: scanline i is `columns` values of 0xAARRGGBB (not
/// premultiplied, alpha 0 or 255) and is drawn `heights[i]` pixels high. Columns are one pixel wide; where
/// `widths` tells how many of them a value stands for, a scanline has one value for each of these (see
/// pixel_runs.h).
struct PixelItem {
    int x = 0;
    int y = 0;
    int columns = 0;
    std::vector<int> heights;
    std::vector<std::uint32_t> argb;
    HitId id;
    std::vector<int> widths = {};
};

/// Everything up to the matching PopClip is cut at the rectangle. Clips nest.
struct PushClip {
    Rect rect;
};
struct PopClip {};

using DrawItem = std::variant<RectItem, LineItem, PolygonItem, TextItem, PixelItem, PushClip, PopClip>;

struct DrawList {
    int width = 0;
    int height = 0;
    Color background;
    std::vector<DrawItem> items;

    void fillRect(const Rect& rect, Color fill, HitId id = {})
    {
        items.emplace_back(RectItem{rect, fill, {0, 0, 0, 0}, 1, 0, id});
    }
    void strokeRect(const Rect& rect, Color stroke, double strokeWidth = 1)
    {
        items.emplace_back(RectItem{rect, {0, 0, 0, 0}, stroke, strokeWidth, 0, {}});
    }
    void line(Point from, Point to, Color color, double lineWidth = 1, HitId id = {})
    {
        items.emplace_back(LineItem{from, to, color, lineWidth, id});
    }
    void text(const Rect& box, std::string text, Color color, FontStyle style = FontStyle::Normal,
              Align align = Align::Left, HitId id = {})
    {
        if (!text.empty()) items.emplace_back(TextItem{box, std::move(text), color, style, align, id});
    }
    void pushClip(const Rect& rect) { items.emplace_back(PushClip{rect}); }
    void popClip() { items.emplace_back(PopClip{}); }
};

/// Puts a picture to the right of another one.
void appendBeside(DrawList& left, const DrawList& right);

/// The id of the uppermost shape with an id at the point (lines: within 3 pixels); no id where there is none.
/// O(items).
HitId hitTest(const DrawList& list, Point point);

/// One line a shape, for tests and for people: "rect 0,0 100x20 fill #ffffff", "text 4,0 90x20 left \"main\"
/// …".
std::string toText(const DrawList& list);

}  // namespace skein
