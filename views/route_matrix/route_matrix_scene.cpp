// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/route_matrix/route_matrix_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/drawing/curves.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kLeastCellPx = 3, kRouteReachPx = 4, kMatrixLensZoom = 8, kMatrixLensPart = 0.3;
constexpr double kMinimapPart = 0.18;
constexpr std::size_t kTellableRoutes = 20;  ///< that colours of their own tell apart

constexpr std::size_t kMostChangedLinks = 20'000;

Color alternativeColor(bool dark) { return dark ? Color{92, 168, 255} : Color{20, 80, 200}; }
Color sourceColor(bool dark) { return dark ? Color{92, 168, 255} : Color{20, 80, 200}; }
Color targetColor(bool dark) { return dark ? Color{255, 120, 110} : Color{200, 30, 30}; }

/// From the diagonal to the cell of each link and on to the diagonal; `place` is where a cell's middle is.
std::vector<Point> wayThrough(const RouteMatrixPicture& picture, std::span<const LinkIndex> path,
                              const auto& place)
{
    std::vector<Point> points;
    for (const LinkIndex link : path) {
        const VertexIndex from = picture.topology().source(link), to = picture.topology().target(link);
        if (points.empty()) points.push_back(place(from, from));
        points.push_back(place(from, to));
        points.push_back(place(to, to));
    }
    return picture.options.ways == RouteWays::CatmullRom ? catmullRomCurve(points) : points;
}

/// Draws a part of the plane into a part of the canvas.
class MatrixPainter {
public:
    MatrixPainter(DrawList& list, const RouteMatrixPicture& picture, const PlaneFrame& frame,
                  const Canvas& canvas)
        : list_(list), picture_(picture), frame_(frame), canvas_(canvas)
    {
        for (const std::uint32_t size : picture.blocks)
            if (block_ * frame.view.pixels < canvas.px(kLeastCellPx)) block_ = size;
    }

    void run(const Task& task)
    {
        list_.pushClip(frame_.body);
        drawCells(task);
        if (picture_.changes.empty()) drawLoads();
        else drawChanges();
        for (std::size_t i = picture_.routes.size(); i-- > 0;) drawRoute(i);
        for (std::size_t i = picture_.alternatives.size(); i-- > 0;)
            drawPath(picture_.alternatives[i], withAlpha(alternativeColor(canvas_.theme().dark), 220),
                     canvas_.px(picture_.routes.size() > 200 ? 1 : 2));
        for (const std::uint32_t route : picture_.routes) drawMarks(route);
        drawSelected();
        list_.popClip();
    }

private:
    /// Where a block of positions lies along one axis on the canvas.
    std::pair<double, double> spanOf(std::uint32_t position) const
    {
        const std::uint32_t first = position / block_ * block_;
        const std::size_t last = std::min(picture_.order.size(), static_cast<std::size_t>(first) + block_);
        return {picture_.starts[first], picture_.starts[last]};
    }

    Rect cellOf(VertexIndex row, VertexIndex column) const
    {
        const auto [top, bottom] = spanOf(picture_.positionOf[row]);
        const auto [left, right] = spanOf(picture_.positionOf[column]);
        const Point low = frame_.toCanvas({left, top}), high = frame_.toCanvas({right, bottom});
        return {low.x, low.y, high.x - low.x, high.y - low.y};
    }

    Point middleOf(VertexIndex row, VertexIndex column) const
    {
        const Rect cell = cellOf(row, column);
        return {cell.x + cell.width / 2, cell.y + cell.height / 2};
    }

    void drawCells(const Task& task)
    {
        const Rect& body = frame_.body;
        PixelItem item;
        item.x = static_cast<int>(std::floor(body.x));
        item.y = static_cast<int>(std::floor(body.y));
        item.columns = std::max(1, static_cast<int>(body.width));
        const int rows = std::max(1, static_cast<int>(body.height));
        item.heights.assign(static_cast<std::size_t>(rows), 1);
        const Theme& theme = canvas_.theme();
        item.argb.assign(static_cast<std::size_t>(item.columns) * static_cast<std::size_t>(rows),
                         toArgb(theme.background));
        fillSquare(item, {0, 0}, {picture_.side(), picture_.side()},
                   mix(theme.background, theme.stripe, 0.6));
        const Topology& topology = picture_.topology();
        const Color grey = mix(theme.background, theme.secondaryText, block_ > 1 ? 0.28 : 0.4);
        constexpr std::uint32_t kAskEvery = 1024;
        for (VertexIndex row = 0; row < topology.vertices(); ++row) {
            if (row % kAskEvery == 0 && task.stopRequested()) break;
            const auto [top, bottom] = spanOf(picture_.positionOf[row]);
            if (frame_.toCanvas({0, bottom}).y < body.y || frame_.toCanvas({0, top}).y > body.bottom())
                continue;
            for (LinkIndex link = topology.firstLink(row); link < topology.firstLink(row + 1); ++link) {
                const auto [left, right] = spanOf(picture_.positionOf[topology.target(link)]);
                fillSquare(item, {left, top}, {right, bottom}, grey);
            }
            fillSquare(item, {spanOf(picture_.positionOf[row]).first, top},
                       {spanOf(picture_.positionOf[row]).second, bottom}, theme.grid);
        }
        list_.items.push_back(std::move(item));
    }

    void fillSquare(PixelItem& item, PlanePoint low, PlanePoint high, Color color) const
    {
        const Point from = frame_.toCanvas(low), to = frame_.toCanvas(high);
        const double gap = to.x - from.x >= canvas_.px(6) && high.x - low.x <= block_ ? canvas_.px(1) : 0;
        const auto bound = [](double value, int most) {
            return static_cast<int>(std::clamp(std::floor(value), 0.0, static_cast<double>(most)));
        };
        const int rows = static_cast<int>(item.heights.size());
        const int left = bound(from.x - item.x, item.columns);
        const int right =
            std::min(item.columns, std::max(left + 1, bound(to.x - gap - item.x, item.columns)));
        const int top = bound(from.y - item.y, rows);
        const int bottom = std::min(rows, std::max(top + 1, bound(to.y - gap - item.y, rows)));
        for (int y = top; y < bottom; ++y) {
            const auto first = item.argb.begin() + static_cast<std::ptrdiff_t>(y) * item.columns;
            std::fill(first + left, first + right, toArgb(color));
        }
    }

    void drawLoads()
    {
        if (picture_.options.outline == RouteOutline::None || picture_.mostLoad == 0) return;
        const Traffic& traffic = picture_.communication->traffic;
        std::vector<LinkIndex> links;
        for (const std::uint32_t route : picture_.routes)
            links.insert(links.end(), traffic.paths[route].begin(), traffic.paths[route].end());
        std::sort(links.begin(), links.end());
        links.erase(std::unique(links.begin(), links.end()), links.end());
        std::stable_sort(links.begin(), links.end(),
                         [&](LinkIndex a, LinkIndex b) { return traffic.loads[a] < traffic.loads[b]; });
        for (const LinkIndex link : links) {
            const Rect cell = cellOf(picture_.topology().source(link), picture_.topology().target(link));
            const double part =
                static_cast<double>(traffic.loads[link]) / static_cast<double>(picture_.mostLoad);
            const double width = std::min(canvas_.px(3), std::max(canvas_.px(1), cell.width / 4));
            list_.strokeRect(cell.inset(-width / 2), loadColor(part), width);
        }
    }

    /// What links carry more or less; the greatest changes lie on top.
    void drawChanges()
    {
        if (picture_.options.outline == RouteOutline::None || picture_.mostLoad == 0) return;
        std::vector<LinkIndex> links;
        for (LinkIndex link = 0; link < picture_.changes.size(); ++link)
            if (picture_.changes[link] != 0) links.push_back(link);
        std::stable_sort(links.begin(), links.end(), [&](LinkIndex a, LinkIndex b) {
            return std::abs(picture_.changes[a]) < std::abs(picture_.changes[b]);
        });
        if (links.size() > kMostChangedLinks)
            links.erase(links.begin(), links.end() - static_cast<std::ptrdiff_t>(kMostChangedLinks));
        for (const LinkIndex link : links) {
            const Rect cell = cellOf(picture_.topology().source(link), picture_.topology().target(link));
            const double part =
                static_cast<double>(picture_.changes[link]) / static_cast<double>(picture_.mostLoad);
            const double width = std::min(canvas_.px(4), std::max(canvas_.px(1.5), cell.width / 3));
            list_.strokeRect(cell.inset(-width / 2), divergingColor(canvas_.theme().dark, part), width);
        }
    }

    Color loadColor(double part) const
    {
        const bool dark = canvas_.theme().dark;
        if (picture_.stops.hasOwnColors()) return picture_.stops.color(dark, part);
        // Told apart from the greys of cells and the blue of routes.
        return mix(divergingColor(dark, 0), divergingColor(dark, 1), picture_.stops.colorPart(part));
    }

    Color routeColor(std::size_t number) const
    {
        if (!picture_.changes.empty()) return withAlpha(canvas_.theme().secondaryText, 160);
        if (picture_.routes.size() <= kTellableRoutes)
            return clusterColor(static_cast<std::uint32_t>(number), canvas_.theme().dark);
        const double part = 1 - static_cast<double>(number) / static_cast<double>(picture_.routes.size());
        return withAlpha(sequentialColor(canvas_.theme().dark, 0.25 + 0.75 * part),
                         picture_.routes.size() > 200 ? 150 : 220);
    }

    void drawRoute(std::size_t number)
    {
        const std::uint32_t route = picture_.routes[number];
        const Color color = routeColor(number);
        const double width = canvas_.px(picture_.routes.size() > 200 ? 1 : 1.5);
        drawPath(picture_.communication->traffic.paths[route], color, width);
    }

    void drawPath(std::span<const LinkIndex> path, Color color, double width)
    {
        const auto way = wayThrough(
            picture_, path, [this](VertexIndex row, VertexIndex column) { return middleOf(row, column); });
        for (std::size_t i = 1; i < way.size(); ++i) list_.line(way[i - 1], way[i], color, width);
    }

    /// Marks keep their size whatever the cells have.
    void drawMarks(std::uint32_t route)
    {
        const NodePair& pair = picture_.communication->traffic.pairs[route];
        const double least = canvas_.px(picture_.routes.size() > 200 ? 2 : 3);
        const auto reach = [&](VertexIndex vertex) {
            return std::max(least, 0.38 * cellOf(vertex, vertex).width);
        };
        const bool dark = canvas_.theme().dark;
        const Point from = middleOf(pair.from, pair.from), to = middleOf(pair.to, pair.to);
        const double source = std::min(reach(pair.from), canvas_.px(9));
        const double target = std::min(reach(pair.to), canvas_.px(9)) * 0.8;
        list_.fillRect({from.x - source, from.y - source, 2 * source, 2 * source}, sourceColor(dark));
        list_.items.push_back(RectItem{{to.x - target, to.y - target, 2 * target, 2 * target},
                                       targetColor(dark),
                                       canvas_.theme().background,
                                       canvas_.px(1),
                                       target,
                                       {}});
    }

    void drawSelected()
    {
        for (const LinkRef& link : picture_.selected) {
            const Rect cell =
                cellOf(picture_.topology().source(link.index), picture_.topology().target(link.index));
            list_.strokeRect(cell.inset(-canvas_.px(3)), canvas_.theme().accent, canvas_.px(2));
        }
    }

    DrawList& list_;
    const RouteMatrixPicture& picture_;
    const PlaneFrame& frame_;
    const Canvas& canvas_;
    std::uint32_t block_ = 1;
};

void drawRowNames(DrawList& list, const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
                  const Canvas& canvas)
{
    const double line = canvas.lineHeight();
    double free = layout.body.y;
    // Beside the matrix, however wide the panel is.
    const double right = std::max(layout.body.x, layout.toCanvas({0, 0}).x) - canvas.px(4);
    for (std::size_t at = 0; at < picture.order.size(); ++at) {
        const double middle = (picture.starts[at] + picture.starts[at + 1]) / 2;
        const Point point = layout.toCanvas({0, middle});
        if (point.y - line / 2 < free || point.y + line / 2 > layout.body.bottom()) continue;
        const double wide = layout.body.x - canvas.px(4);
        const Rect box{std::min(right, canvas.width * 1.0) - wide, point.y - line / 2, wide, line};
        list.text(box,
                  elideMiddle(picture.topology().vertexName(picture.order[at]), box.width, FontStyle::Small,
                              canvas.measure),
                  canvas.theme().secondaryText, FontStyle::Small, Align::Right);
        free = point.y + line / 2 + canvas.px(2);
    }
}

/// Where the shown part lies in the whole, where it is a part.
void drawMinimap(DrawList& list, const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
                 const Canvas& canvas)
{
    const PlanePoint low = layout.toPlane({layout.body.x, layout.body.y});
    const PlanePoint high = layout.toPlane({layout.body.right(), layout.body.bottom()});
    const double side = picture.side();
    if (low.x <= 0 && low.y <= 0 && high.x >= side && high.y >= side) return;
    const double size = std::round(kMinimapPart * std::min(layout.body.width, layout.body.height));
    const Rect map{layout.body.right() - size - canvas.px(8), layout.body.y + canvas.px(8), size, size};
    const Theme& theme = canvas.theme();
    list.fillRect(map, theme.panel);
    list.pushClip(map);
    const double pixels = size / side;
    const auto toMap = [&](double x, double y) { return Point{map.x + x * pixels, map.y + y * pixels}; };
    list.line(toMap(0, 0), toMap(side, side), theme.frame, canvas.px(2));
    for (const std::uint32_t route : picture.routes)
        for (const LinkIndex link : picture.communication->traffic.paths[route]) {
            const double from = picture.middleOf(picture.topology().source(link));
            const double to = picture.middleOf(picture.topology().target(link));
            list.line(toMap(from, from), toMap(to, from), withAlpha(theme.secondaryText, 120));
            list.line(toMap(to, from), toMap(to, to), withAlpha(theme.secondaryText, 120));
        }
    const Point from = toMap(std::max(0.0, low.x), std::max(0.0, low.y));
    const Point to = toMap(std::min(side, high.x), std::min(side, high.y));
    const Rect window{from.x, from.y, std::max(2.0, to.x - from.x), std::max(2.0, to.y - from.y)};
    list.fillRect(window, theme.selectionFill);
    list.strokeRect(window, theme.accent, canvas.px(2));
    list.popClip();
    list.strokeRect(map, theme.frame, canvas.px(1));
}

/// What is worth a word, on top at the right of the matrix' first rows.
void drawNotes(DrawList& list, const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
               const Canvas& canvas)
{
    if (picture.notes.empty()) return;
    const double line = canvas.lineHeight(), pad = canvas.px(6);
    double widest = 0;
    for (const std::string& note : picture.notes)
        widest = std::max(widest, canvas.measure.width(note, FontStyle::Small) + canvas.px(2));
    const double width = std::min(widest + 2 * pad, layout.body.width - 2 * pad);
    const Rect box{layout.body.right() - width - pad, layout.body.y + pad, width,
                   line * static_cast<double>(picture.notes.size()) + pad};
    if (box.width <= 0 || box.height > layout.body.height) return;
    list.items.push_back(
        RectItem{box, withAlpha(canvas.theme().panel, 225), canvas.theme().frame, 1, canvas.px(3), {}});
    double y = box.y + pad / 2;
    for (const std::string& note : picture.notes) {
        list.text({box.x + pad, y, box.width - 2 * pad, line},
                  elideMiddle(note, box.width - 2 * pad, FontStyle::Small, canvas.measure),
                  canvas.theme().text, FontStyle::Small);
        y += line;
    }
}

std::string matrixLoadText(const SessionCommunication& communication, std::uint64_t load)
{
    const auto value = static_cast<double>(load);
    return communication.traffic.unit == LoadUnit::Bytes ? formatBytes(value)
                                                         : formatCount(value) + " messages";
}

void drawMatrixLegend(DrawList& list, const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
                      const Canvas& canvas)
{
    const Theme& theme = canvas.theme();
    const Rect& foot = layout.foot;
    double x = foot.x;
    const double size = canvas.px(8), middle = foot.y + foot.height / 2;
    const auto word = [&](const std::string& text) {
        const double width = canvas.measure.width(text, FontStyle::Small) + canvas.px(2);
        if (x + width > foot.right()) return;
        list.text({x, foot.y, width, foot.height}, text, theme.secondaryText, FontStyle::Small);
        x += width + canvas.px(16);
    };
    list.fillRect({x, middle - size / 2, size, size}, sourceColor(theme.dark));
    x += size + canvas.px(6);
    word("source");
    list.items.push_back(
        RectItem{{x, middle - size / 2, size, size}, targetColor(theme.dark), {0, 0, 0, 0}, 1, size / 2, {}});
    x += size + canvas.px(6);
    word("destination");
    list.fillRect({x, middle - size / 2, size, size}, mix(theme.background, theme.secondaryText, 0.4));
    x += size + canvas.px(6);
    word("adjacent: row sends to column");
    if (!picture.changes.empty()) {
        list.fillRect({x, middle - canvas.px(1), 2 * size, canvas.px(2)}, theme.secondaryText);
        x += 2 * size + canvas.px(6);
        word("way before");
        list.fillRect({x, middle - canvas.px(1), 2 * size, canvas.px(2)}, alternativeColor(theme.dark));
        x += 2 * size + canvas.px(6);
        word("way after");
        if (picture.mostLoad > 0)
            word("outline: load less (blue) or more (orange), at most by "
                 + matrixLoadText(*picture.communication, picture.mostLoad));
        return;
    }
    if (picture.options.outline == RouteOutline::LinkLoad && picture.mostLoad > 0)
        word(fmt::format("outline: load of the link, strongest {}",
                         matrixLoadText(*picture.communication, picture.mostLoad)));
}

}  // namespace

RouteMatrixLayout routeMatrixLayout(const RouteMatrixPicture& picture, const PlaneView& view,
                                    const Canvas& canvas)
{
    RouteMatrixLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight(), wide = canvas.width - 2 * pad;
    layout.caption = {pad, 0, wide, canvas.style.caption.empty() ? 0 : line + pad};
    layout.head = {pad, layout.caption.bottom() + canvas.px(4), wide, line};
    layout.foot = {pad, canvas.height - line - canvas.px(4), wide, line};
    const double top = std::ceil(layout.head.bottom() + canvas.px(4));
    double names = 0;
    for (std::size_t at = 0; at < picture.order.size();
         at += std::max<std::size_t>(1, picture.order.size() / 16))
        names = std::max(
            names, canvas.measure.width(picture.topology().vertexName(picture.order[at]), FontStyle::Small));
    const double left = std::ceil(std::min(names + canvas.px(12), canvas.width * 0.2));
    layout.body = {left, top, std::max(1.0, canvas.width - left),
                   std::max(1.0, std::floor(layout.foot.y - canvas.px(4)) - top)};
    constexpr double kMostPixels = 80;
    layout.view = view.pixels > 0
        ? view
        : fittedView({0, 0}, {picture.side(), picture.side()}, layout.body, canvas.px(8), kMostPixels);
    return layout;
}

DrawList routeMatrixScene(const RouteMatrixPicture& picture, const PlaneView& view, const Canvas& canvas,
                          const Task& task)
{
    DrawList list;
    list.width = canvas.width;
    list.height = canvas.height;
    const Theme& theme = canvas.theme();
    list.background = theme.background;
    const RouteMatrixLayout layout = routeMatrixLayout(picture, view, canvas);
    MatrixPainter(list, picture, layout, canvas).run(task);
    drawRowNames(list, picture, layout, canvas);
    drawMinimap(list, picture, layout, canvas);
    drawNotes(list, picture, layout, canvas);
    list.text(layout.caption, canvas.style.caption, theme.secondaryText, FontStyle::Small);
    list.text(layout.head, elideMiddle(picture.head, layout.head.width, FontStyle::Small, canvas.measure),
              theme.secondaryText, FontStyle::Small);
    drawMatrixLegend(list, picture, layout, canvas);
    return list;
}

void drawRouteLens(DrawList& list, const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
                   Point at, const Canvas& canvas)
{
    const double size = std::round(kMatrixLensPart * std::min(layout.body.width, layout.body.height));
    PlaneFrame lens;
    lens.body = {std::floor(at.x - size / 2), std::floor(at.y - size / 2), size, size};
    lens.view = {layout.toPlane(at), layout.view.pixels * kMatrixLensZoom};
    MatrixPainter(list, picture, lens, canvas).run(Task());
    list.strokeRect(lens.body, canvas.theme().accent, canvas.px(2));
}

std::optional<std::pair<VertexIndex, VertexIndex>> routeCellAt(const RouteMatrixPicture& picture,
                                                               const RouteMatrixLayout& layout, Point point)
{
    if (!layout.body.contains(point)) return std::nullopt;
    const PlanePoint place = layout.toPlane(point);
    const auto positionAt = [&](double along) -> std::optional<std::size_t> {
        if (along < 0 || along >= picture.side()) return std::nullopt;
        const auto after = std::upper_bound(picture.starts.begin(), picture.starts.end(), along);
        return static_cast<std::size_t>(after - picture.starts.begin()) - 1;
    };
    const auto row = positionAt(place.y), column = positionAt(place.x);
    if (!row || !column || *row >= picture.order.size() || *column >= picture.order.size())
        return std::nullopt;
    return std::pair(picture.order[*row], picture.order[*column]);
}

std::optional<std::uint32_t> matrixRouteAt(const RouteMatrixPicture& picture, const RouteMatrixLayout& layout,
                                           Point point, const Canvas& canvas)
{
    std::optional<std::uint32_t> found;
    double nearest = canvas.px(kRouteReachPx);
    for (const std::uint32_t route : picture.routes) {
        const auto way = wayThrough(
            picture, picture.communication->traffic.paths[route], [&](VertexIndex row, VertexIndex column) {
                return layout.toCanvas({picture.middleOf(column), picture.middleOf(row)});
            });
        for (std::size_t i = 1; i < way.size(); ++i) {
            const double away = distanceToLine(way[i - 1], way[i], point);
            if (away >= nearest) continue;
            nearest = away;
            found = route;
        }
    }
    return found;
}

std::vector<std::string> routeMatrixTooltip(const RouteMatrixPicture& picture,
                                            const RouteMatrixLayout& layout, Point point,
                                            const Canvas& canvas)
{
    std::vector<std::string> lines;
    const Topology& topology = picture.topology();
    const Traffic& traffic = picture.communication->traffic;
    if (const auto route = matrixRouteAt(picture, layout, point, canvas)) {
        const NodePair& pair = traffic.pairs[*route];
        lines.push_back(
            fmt::format("Route {} → {}", topology.vertexName(pair.from), topology.vertexName(pair.to)));
        lines.push_back(fmt::format("{} over {} links",
                                    matrixLoadText(*picture.communication, amountOf(pair, traffic.unit)),
                                    traffic.paths[*route].size()));
    }
    const auto cell = routeCellAt(picture, layout, point);
    if (!cell) return lines;
    if (cell->first == cell->second) {
        lines.push_back("Node " + topology.vertexName(cell->first));
        return lines;
    }
    const auto [first, last] = topology.parallelLinks(cell->first, cell->second);
    if (first == last && lines.empty())
        lines.push_back(fmt::format("{} and {} are not adjacent", topology.vertexName(cell->first),
                                    topology.vertexName(cell->second)));
    for (LinkIndex link = first; link < last; ++link)
        lines.push_back(fmt::format("Link {}: {}", topology.linkName(link),
                                    matrixLoadText(*picture.communication, traffic.loads[link])));
    return lines;
}

}  // namespace skein
