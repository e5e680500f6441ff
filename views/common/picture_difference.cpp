// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/picture_difference.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <variant>

namespace skein {
namespace {

constexpr int kTile = 8;         ///< device pixels
constexpr int kCoarseTile = 32;  ///< where the small ones would be many pieces
constexpr std::size_t kMostPieces = 1500;
constexpr std::size_t kMostCompared = 4000;  ///< shapes of a list

Rect around(const std::vector<Point>& points, double margin)
{
    double left = std::numeric_limits<double>::max(), top = left, right = -left, bottom = -left;
    for (const Point& point : points) {
        left = std::min(left, point.x);
        right = std::max(right, point.x);
        top = std::min(top, point.y);
        bottom = std::max(bottom, point.y);
    }
    if (points.empty()) return {};
    return {left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin};
}

/// How far a rectangle may be painted beyond its edges: not at all where they are those of pixels.
double blurOf(const RectItem& item)
{
    const auto whole = [](double at) { return at == std::floor(at); };
    const Rect& rect = item.rect;
    const bool sharp =
        whole(rect.x) && whole(rect.y) && whole(rect.width) && whole(rect.height) && whole(item.strokeWidth);
    return sharp && item.radius == 0 ? 0 : 1;
}

struct Bounds {
    Rect operator()(const RectItem& item) const { return item.rect.inset(-blurOf(item)); }
    Rect operator()(const LineItem& item) const { return around({item.from, item.to}, item.width + 1); }
    Rect operator()(const PolygonItem& item) const { return around(item.points, item.strokeWidth + 1); }
    Rect operator()(const TextItem& item) const { return item.box.inset(-2); }
    Rect operator()(const PixelItem& item) const
    {
        double height = 0;
        for (const int one : item.heights) height += one;
        return {double(item.x), double(item.y), double(item.columns), height};
    }
    Rect operator()(const PushClip&) const { return {}; }
    Rect operator()(const PopClip&) const { return {}; }
};

/// With the clip it stands in: the same shape in another clip shows something else.
struct Placed {
    const DrawItem* item = nullptr;
    Rect clip;
};

bool sameColors(Color a, Color b) { return a == b; }

struct Same {
    bool operator()(const RectItem& a, const RectItem& b) const
    {
        return a.rect == b.rect && sameColors(a.fill, b.fill) && sameColors(a.stroke, b.stroke)
            && a.strokeWidth == b.strokeWidth && a.radius == b.radius;
    }
    bool operator()(const LineItem& a, const LineItem& b) const
    {
        return a.from == b.from && a.to == b.to && sameColors(a.color, b.color) && a.width == b.width;
    }
    bool operator()(const PolygonItem& a, const PolygonItem& b) const
    {
        return a.points == b.points && sameColors(a.fill, b.fill) && sameColors(a.stroke, b.stroke)
            && a.strokeWidth == b.strokeWidth;
    }
    bool operator()(const TextItem& a, const TextItem& b) const
    {
        return a.box == b.box && a.text == b.text && sameColors(a.color, b.color) && a.style == b.style
            && a.align == b.align;
    }
    bool operator()(const PixelItem& a, const PixelItem& b) const
    {
        return a.x == b.x && a.y == b.y && a.columns == b.columns && a.heights == b.heights
            && a.argb == b.argb && a.widths == b.widths;
    }
    template <typename A, typename B>
    bool operator()(const A&, const B&) const
    {
        return std::is_same_v<A, B>;
    }
};

std::vector<Placed> placed(const DrawList& list)
{
    std::vector<Placed> result;
    constexpr double kFar = 1e9;
    std::vector<Rect> clips{{-kFar, -kFar, 2 * kFar, 2 * kFar}};
    for (const DrawItem& item : list.items) {
        if (const auto* clip = std::get_if<PushClip>(&item)) clips.push_back(clip->rect);
        else if (std::holds_alternative<PopClip>(item)) {
            if (clips.size() > 1) clips.pop_back();
        } else result.push_back({&item, clips.back()});
    }
    return result;
}

bool same(const Placed& a, const Placed& b)
{
    return a.clip == b.clip && std::visit(Same(), *a.item, *b.item);
}

QRect logical(const Placed& shape, double ratio)
{
    const Rect box = std::visit(Bounds(), *shape.item);
    const double left = std::max(box.x, shape.clip.x), top = std::max(box.y, shape.clip.y);
    const double right = std::min(box.right(), shape.clip.right()),
                 bottom = std::min(box.bottom(), shape.clip.bottom());
    constexpr double kMost = 1e6;
    if (right <= left || bottom <= top) return {};
    const auto low = [&](double at) {
        return static_cast<int>(std::floor(std::clamp(at, -kMost, kMost) / ratio));
    };
    const auto high = [&](double at) {
        return static_cast<int>(std::ceil(std::clamp(at, -kMost, kMost) / ratio));
    };
    return {QPoint(low(left), low(top)), QPoint(high(right) - 1, high(bottom) - 1)};
}

/// What of a rectangle is inside of all its edges.
QRect inside(const Rect& rect, double ratio)
{
    if (rect.width <= 0 || rect.height <= 0) return {};
    constexpr double kMost = 1e6;
    const auto up = [&](double at) {
        return static_cast<int>(std::ceil(std::clamp(at, -kMost, kMost) / ratio));
    };
    const auto down = [&](double at) {
        return static_cast<int>(std::floor(std::clamp(at, -kMost, kMost) / ratio));
    };
    return {QPoint(up(rect.x), up(rect.y)), QPoint(down(rect.right()) - 1, down(rect.bottom()) - 1)};
}

/// Where a shape is painted: an outline covers its edges alone, however large it is.
QRegion paintedArea(const Placed& shape, double ratio)
{
    const QRect box = logical(shape, ratio);
    const auto* rect = std::get_if<RectItem>(shape.item);
    if (!rect || rect->fill.alpha != 0) return box;
    return QRegion(box) - inside(rect->rect.inset(rect->strokeWidth + rect->radius + blurOf(*rect)), ratio);
}

/// Where a shape takes the place of another one: of two fills of one colour what only one of them covers.
QRegion changedArea(const Placed& before, const Placed& after, double ratio)
{
    const QRegion old = paintedArea(before, ratio), now = paintedArea(after, ratio);
    const auto* a = std::get_if<RectItem>(before.item);
    const auto* b = std::get_if<RectItem>(after.item);
    const auto flat = [](const RectItem* rect) {
        return rect && rect->fill.alpha != 0 && rect->stroke.alpha == 0 && rect->radius == 0;
    };
    if (!flat(a) || !flat(b) || !(a->fill == b->fill) || !(before.clip == after.clip)) return old | now;
    return (old | now)
        - (inside(a->rect.inset(blurOf(*a)), ratio) & inside(b->rect.inset(blurOf(*b)), ratio));
}

/// Rows of two pictures of one size, compared.
class RowsCompared {
public:
    RowsCompared(const QImage& before, const QImage& after) : before_(before), after_(after) {}

    bool differ(int y) const { return differ(y, 0, after_.width()); }
    bool differ(int y, int left, int right) const
    {
        return std::memcmp(before_.constScanLine(y) + 4 * left, after_.constScanLine(y) + 4 * left,
                           static_cast<std::size_t>(right - left) * 4)
            != 0;
    }
    bool differ(const QRect& box) const
    {
        for (int y = box.top(); y <= box.bottom(); ++y)
            if (differ(y, box.left(), box.right() + 1)) return true;
        return false;
    }
    /// A box without the columns at both ends that are the same; some are not.
    QRect trimmed(QRect box) const
    {
        const auto column = [&](int x) { return QRect(x, box.top(), 1, box.height()); };
        while (!differ(column(box.left()))) box.setLeft(box.left() + 1);
        while (!differ(column(box.right()))) box.setRight(box.right() - 1);
        return box;
    }

private:
    const QImage &before_, &after_;
};

/// The tiles that are not the same, those beside each other as one, from the top, each band from the left.
/// Bands begin and end with a row that differs, and pieces with such a column: a line of text would else be
/// sent with as much again above and below it.
std::vector<QRect> differingPieces(const QImage& before, const QImage& after, int tile)
{
    std::vector<QRect> pieces;
    const RowsCompared rows(before, after);
    const int width = after.width(), columns = (width + tile - 1) / tile;
    std::vector<char> differs(static_cast<std::size_t>(columns));
    for (int top = 0; top < after.height(); ++top) {
        if (!rows.differ(top)) continue;
        std::fill(differs.begin(), differs.end(), 0);
        int last = top;
        for (int y = top; y < std::min(top + tile, after.height()); ++y) {
            if (!rows.differ(y)) continue;
            last = y;
            for (int column = 0; column < columns; ++column)
                if (char& known = differs[static_cast<std::size_t>(column)]; !known)
                    known = rows.differ(y, column * tile, std::min((column + 1) * tile, width));
        }
        for (int column = 0; column < columns; ++column) {
            const int first = column;
            while (column < columns && differs[static_cast<std::size_t>(column)]) ++column;
            if (column > first)
                pieces.push_back(rows.trimmed(
                    QRect(QPoint(first * tile, top), QPoint(std::min(column * tile, width) - 1, last))));
        }
        top = last;
    }
    return pieces;
}

}  // namespace

QRegion differingRegion(const DrawList& before, const DrawList& after, double ratio)
{
    const auto old = placed(before), now = placed(after);
    if (old.size() > kMostCompared || now.size() > kMostCompared) {
        QRegion all;
        for (const auto* list : {&old, &now})
            for (const Placed& shape : *list) all |= QRegion(all.boundingRect() | logical(shape, ratio));
        return all;
    }
    // Shapes keep their order: what is the same at both ends, and then one after the other in between.
    std::size_t begin = 0, oldEnd = old.size(), nowEnd = now.size();
    while (begin < std::min(oldEnd, nowEnd) && same(old[begin], now[begin])) ++begin;
    while (oldEnd > begin && nowEnd > begin && same(old[oldEnd - 1], now[nowEnd - 1])) {
        --oldEnd;
        --nowEnd;
    }
    QRegion region;
    if (oldEnd - begin == nowEnd - begin) {
        for (std::size_t at = begin; at < oldEnd; ++at)
            if (!same(old[at], now[at])) region |= changedArea(old[at], now[at], ratio);
        return region;
    }
    for (std::size_t at = begin; at < oldEnd; ++at) region |= paintedArea(old[at], ratio);
    for (std::size_t at = begin; at < nowEnd; ++at) region |= paintedArea(now[at], ratio);
    return region;
}

QRegion differingTiles(const QImage& before, const QImage& after, double ratio)
{
    const QRect whole(0, 0, static_cast<int>(std::ceil(after.width() / ratio)),
                      static_cast<int>(std::ceil(after.height() / ratio)));
    if (before.size() != after.size() || before.format() != after.format() || before.depth() != 32)
        return whole;
    auto pieces = differingPieces(before, after, kTile);
    if (pieces.size() > kMostPieces) pieces = differingPieces(before, after, kCoarseTile);
    QRegion region;
    if (ratio == 1) region.setRects(pieces.data(), static_cast<int>(pieces.size()));
    else
        for (const QRect& piece : pieces)
            region |= QRect(QPoint(static_cast<int>(std::floor(piece.left() / ratio)),
                                   static_cast<int>(std::floor(piece.top() / ratio))),
                            QPoint(static_cast<int>(std::ceil((piece.right() + 1) / ratio)) - 1,
                                   static_cast<int>(std::ceil((piece.bottom() + 1) / ratio)) - 1));
    return region & whole;
}

QImage movedWithin(const QImage& picture, const QRect& area, int by, int ratio)
{
    QImage moved = picture.copy();
    const QRect device(area.x() * ratio, area.y() * ratio, area.width() * ratio, area.height() * ratio);
    const QRect inside = device & picture.rect();
    const int shift = by * ratio, kept = inside.width() - std::abs(shift);
    if (kept <= 0 || picture.depth() != 32) return moved;
    const int from = inside.x() + std::max(0, -shift), to = inside.x() + std::max(0, shift);
    for (int y = inside.top(); y <= inside.bottom(); ++y)
        std::memmove(moved.scanLine(y) + 4 * to, picture.constScanLine(y) + 4 * from,
                     static_cast<std::size_t>(kept) * 4);
    return moved;
}

QImage withMovedPixels(const QImage& now, const QImage& finer, const QRegion& kept, int by)
{
    if (finer.size() != now.size()) return now;
    QImage picture = now.copy();
    QPainter painter(&picture);
    painter.setCompositionMode(QPainter::CompositionMode_Source);
    for (const QRect& part : kept& now.rect() & now.rect().translated(by, 0))
        painter.drawImage(part.topLeft(), finer, part.translated(-by, 0));
    return picture;
}

QImage withKeptPixels(const QImage& now, const QImage& draft, const QImage& finer, const QRect& area, int by)
{
    if (draft.size() != now.size()) return now;
    const QRegion differing = differingTiles(movedWithin(draft, area, by, 1), now, 1);
    return withMovedPixels(now, finer, QRegion(area & area.translated(by, 0)) - differing, by);
}

std::vector<std::vector<std::string>> textRows(const DrawList& list)
{
    std::vector<const TextItem*> texts;
    for (const DrawItem& item : list.items)
        if (const auto* text = std::get_if<TextItem>(&item)) texts.push_back(text);
    const auto middle = [](const TextItem* text) { return text->box.y + text->box.height / 2; };
    std::stable_sort(texts.begin(), texts.end(),
                     [&](const TextItem* a, const TextItem* b) { return middle(a) < middle(b); });
    std::vector<std::vector<std::string>> rows;
    for (std::size_t at = 0; at < texts.size();) {
        std::size_t end = at + 1;
        const double reach = std::max(3.0, std::min(texts[at]->box.height, 24.0) / 2);
        while (end < texts.size() && middle(texts[end]) - middle(texts[at]) < reach) ++end;
        std::stable_sort(texts.begin() + static_cast<std::ptrdiff_t>(at),
                         texts.begin() + static_cast<std::ptrdiff_t>(end),
                         [](const TextItem* a, const TextItem* b) { return a->box.x < b->box.x; });
        std::vector<std::string> row;
        for (; at < end; ++at) row.push_back(texts[at]->text);
        rows.push_back(std::move(row));
    }
    return rows;
}

}  // namespace skein
