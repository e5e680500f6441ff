// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_graph_scene.h"

#include "core/base/parallel_for.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/color/palette.h"
#include "views/tree_graph/dense_tree_scene.h"
#include "views/tree_graph/tree_labels_scene.h"
#include "views/tree_graph/tree_legend_scene.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_set>

namespace skein {
namespace {

constexpr double kLargestRadius = 12;  ///< logical pixels
constexpr double kSmallestRadius = 4;
constexpr double kRoundFrom = 2.5;  ///< radius of discs; smaller ones are squares
constexpr double kWidestLevel = 360;
constexpr double kHighestTreeRow = 34;
constexpr double kDenseRow = 2;  ///< logical pixels; below that lines share pixels
constexpr double kLegendHeight = 58;
constexpr double kGlyphHeight = 8;
constexpr double kGlyphBar = 2;
constexpr double kRowWithGlyphs = 30;  ///< logical pixels a row must be high for them

double scalePart(double value, double least, double greatest, ColorScaling scaling)
{
    if (!(greatest > least)) return value > 0 ? 1.0 : 0.0;
    double part = (value - least) / (greatest - least);
    if (scaling == ColorScaling::Logarithmic) {
        // As far as four decades below the greatest.
        constexpr double kDecades = 1e4;
        part = std::log1p(kDecades * std::clamp(part, 0.0, 1.0)) / std::log1p(kDecades);
    }
    return std::clamp(part, 0.0, 1.0);
}

std::pair<double, double> rangeOf(const TreeGraph& graph, const NodeQuantity& quantity, ScaleUnit unit,
                                  std::uint32_t node)
{
    if (unit == ScaleUnit::EachTree) return quantity.ofTree[graph.shown.nodes[node].tree];
    return {quantity.least, quantity.greatest};
}

class GraphPicture {
public:
    GraphPicture(const TreeGraph& graph, const Selection& selected, const TreeGraphOptions& options,
                 const Canvas& canvas)
        : graph_(graph),
          options_(options),
          canvas_(canvas),
          theme_(canvas.theme()),
          layout_(treeGraphLayout(graph, options, canvas)),
          selected_(selectedNodes(graph, selected)),
          room_(static_cast<int>(layout_.body.width), static_cast<int>(layout_.body.height))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        list_.pushClip(layout_.body);
        if (layout_.camera.rowHeight < canvas_.px(kDenseRow) && hasTinyNodes()) drawDense();
        else drawClear();
        drawTreeLabels(list_, room_, graph_, selected_, options_, layout_, canvas_);
        list_.popClip();
        drawTreeLegends(list_, graph_, options_, layout_, canvas_);
        return std::move(list_);
    }

private:
    bool isSelected(std::uint32_t node) const
    {
        return std::binary_search(selected_.begin(), selected_.end(), node);
    }

    /// Where edges of a node bend: all children hang on one line behind it.
    double bendOf(std::uint32_t node) const { return treeBend(graph_, layout_, node, canvas_); }

    void take(const Rect& rect)
    {
        room_.take({rect.x - layout_.body.x, rect.y - layout_.body.y, rect.width, rect.height});
    }

    void drawEdge(const Rect& rect, Color color)
    {
        list_.fillRect(rect, color);
        take(rect);
    }

    void drawClear()
    {
        drawEdges();
        drawWaysToSelected();
        drawNodes();
    }

    /// Edges and nodes beside each other: neither looks at what the other draws.
    void drawDense()
    {
        DrawList nodes;
        LabelRoom taken = room_;
        parallelFor(2, Task(), [&](std::size_t part) {
            if (part == 0) drawEdges();
            else drawSquares(nodes, taken);
        });
        room_.takeAllOf(taken);
        drawWaysToSelected();
        std::move(nodes.items.begin(), nodes.items.end(), std::back_inserter(list_.items));
    }

    void drawEdges()
    {
        if (layout_.camera.rowHeight < canvas_.px(kDenseRow))
            return drawDenseEdges(list_, room_, graph_, layout_, canvas_);
        const double width = canvas_.px(1);
        for (std::uint32_t node = 0; node < graph_.shown.nodes.size(); ++node) {
            const auto below = graph_.childrenOf(node);
            if (below.empty()) continue;
            const Point at = layout_.place(graph_, node);
            const double bend = std::round(bendOf(node)), end = at.x + layout_.camera.levelWidth;
            if (end < layout_.body.x || at.x > layout_.body.right()) continue;
            const double top = std::round(layout_.place(graph_, below.front()).y);
            const double bottom = std::round(layout_.place(graph_, below.back()).y);
            if (bottom < layout_.body.y || top > layout_.body.bottom()) continue;
            if (bottom > top) {
                const double from = std::max(top, layout_.body.y - 1);
                const double to = std::min(bottom, layout_.body.bottom() + 1);
                drawEdge({bend, from, width, to - from + width}, treeEdgeColor(theme_));
            }
            drawEdge({std::round(at.x), std::round(at.y), bend - std::round(at.x), width},
                     treeEdgeColor(theme_));
            for (const std::uint32_t child : below) drawStub(child, bend, std::round(end), width);
        }
    }

    void drawStub(std::uint32_t child, double bend, double end, double width)
    {
        const double y = std::round(layout_.place(graph_, child).y);
        if (y >= layout_.body.y && y <= layout_.body.bottom())
            drawEdge({bend, y, std::max(0.0, end - bend), width}, treeEdgeColor(theme_));
    }

    /// From the root to what is selected.
    void drawWaysToSelected()
    {
        constexpr std::size_t kMostWays = 2000;
        std::unordered_set<std::uint32_t> drawn;
        const double width = canvas_.px(2);
        for (std::size_t way = 0; way < selected_.size() && way < kMostWays; ++way)
            for (std::uint32_t node = selected_[way];
                 graph_.shown.nodes[node].parent != kNoShownNode && drawn.insert(node).second;
                 node = graph_.shown.nodes[node].parent) {
                const std::uint32_t parent = graph_.shown.nodes[node].parent;
                const Point from = layout_.place(graph_, parent), to = layout_.place(graph_, node);
                const double bend = std::round(bendOf(parent));
                const double y0 = std::round(from.y), y1 = std::round(to.y);
                list_.fillRect({std::round(from.x), y0, bend - std::round(from.x) + width, width},
                               theme_.accent);
                list_.fillRect({bend, std::min(y0, y1), width, std::abs(y1 - y0) + width}, theme_.accent);
                list_.fillRect({bend, y1, std::max(0.0, std::round(to.x) - bend), width}, theme_.accent);
            }
    }

    /// The greatest first where they are so small that one covers another; else the greatest last.
    void drawNodes()
    {
        if (hasTinyNodes()) return drawSquares(list_, room_);
        for (auto node = graph_.byValue.rbegin(); node != graph_.byValue.rend(); ++node)
            if (isSeen(*node)) drawNode(*node);
    }

    bool hasTinyNodes() const { return layout_.largestRadius < canvas_.px(kRoundFrom); }

    bool isSeen(std::uint32_t node) const
    {
        const Point at = layout_.place(graph_, node);
        const double reach = layout_.largestRadius + canvas_.px(kGlyphHeight + 4);
        return at.x > layout_.body.x - reach && at.x < layout_.body.right() + reach
            && at.y > layout_.body.y - reach && at.y < layout_.body.bottom() + reach;
    }

    void drawSquares(DrawList& list, LabelRoom& room) const
    {
        const double side = std::max(canvas_.px(2), std::round(2 * layout_.largestRadius));
        drawDenseNodes(list, room, graph_, selected_, options_, layout_, side, canvas_);
    }

    void drawNode(std::uint32_t node)
    {
        const Point at = layout_.place(graph_, node);
        const double radius = std::round(nodeRadius(graph_, options_, layout_, node));
        const Color fill = nodeColor(graph_, options_, theme_, node);
        const Point middle{std::round(at.x), std::round(at.y)};
        const ShownNode& shown = graph_.shown.nodes[node];
        if (isSelected(node)) drawDisc(middle, radius + canvas_.px(3), theme_.accent, theme_.accent);
        if (shown.kind == ShownKind::Surrogate) drawTriangle(middle, radius, fill);
        else drawDisc(middle, radius, fill, edgeColor());
        if (shown.kind == ShownKind::Collapsed)
            drawTriangle({middle.x + 1.7 * radius + canvas_.px(1), middle.y}, 0.6 * radius, theme_.text);
        if (shown.composed > 0)
            drawDisc(middle, std::max(1.0, std::round(radius / 3)), theme_.background, edgeColor());
        const double right = shown.kind == ShownKind::Collapsed ? 1.4 * radius : 0;
        take({middle.x - radius - 1, middle.y - radius - 1, 2 * radius + 2 + right, 2 * radius + 2});
        drawSpread(node, {middle.x, middle.y + radius + canvas_.px(2)});
    }

    Color edgeColor() const { return mix(theme_.text, theme_.background, 0.45); }

    void drawDisc(Point middle, double radius, Color fill, Color stroke)
    {
        list_.items.push_back(RectItem{{middle.x - radius, middle.y - radius, 2 * radius, 2 * radius},
                                       fill,
                                       stroke,
                                       canvas_.px(1),
                                       radius,
                                       {}});
    }

    void drawTriangle(Point middle, double radius, Color fill)
    {
        list_.items.push_back(PolygonItem{{{middle.x - radius, middle.y - radius},
                                           {middle.x + radius, middle.y},
                                           {middle.x - radius, middle.y + radius}},
                                          fill,
                                          edgeColor(),
                                          canvas_.px(1),
                                          {}});
    }

    /// How the locations are spread between nothing and the greatest amount: a bar an eighth.
    void drawSpread(std::uint32_t node, Point top)
    {
        const ShownNode& shown = graph_.shown.nodes[node];
        const double width = treeSpreadWidth(graph_, layout_, canvas_);
        if (width == 0 || shown.kind == ShownKind::Surrogate) return;
        const LocationSpread& spread = graph_.sums->spreads[shown.row];
        const std::uint32_t most = *std::max_element(spread.begin(), spread.end());
        if (most == 0) return;
        const double bar = width / kSpreadBins, height = canvas_.px(kGlyphHeight);
        const double left = std::round(top.x - width / 2);
        list_.fillRect({left, top.y + height, width, canvas_.px(1)}, theme_.grid);
        for (std::size_t bin = 0; bin < kSpreadBins; ++bin) {
            if (spread[bin] == 0) continue;
            const double part = std::max(canvas_.px(1), std::round(height * spread[bin] / most));
            list_.fillRect({left + static_cast<double>(bin) * bar, top.y + height - part, bar, part},
                           theme_.secondaryText);
        }
        take({left, top.y, width, height + 1});
    }

    const TreeGraph& graph_;
    const TreeGraphOptions& options_;
    const Canvas& canvas_;
    const Theme& theme_;
    TreeGraphLayout layout_;
    std::vector<std::uint32_t> selected_;
    LabelRoom room_;
    DrawList list_;
};

TreeCamera fitted(const TreeGraph& graph, const Rect& body, const Canvas& canvas)
{
    const double margin = canvas.px(20), before = margin + std::min(canvas.px(90), body.width / 12);
    const double labels = std::min(canvas.px(200), body.width / 4);
    const double levels = std::max(1.0, static_cast<double>(graph.layout.levels) - 1);
    const double extent = graph.layout.greatest - graph.layout.least;
    TreeCamera camera;
    camera.levelWidth =
        std::min(canvas.px(kWidestLevel), std::max(1.0, body.width - before - labels) / levels);
    camera.rowHeight =
        std::min(canvas.px(kHighestTreeRow), std::max(1.0, body.height - 2 * margin) / std::max(1.0, extent));
    camera.x = body.x + before;
    camera.y = body.y + (body.height - extent * camera.rowHeight) / 2 - graph.layout.least * camera.rowHeight;
    return camera;
}

}  // namespace

TreeGraphLayout treeGraphLayout(const TreeGraph& graph, const TreeGraphOptions& options, const Canvas& canvas)
{
    TreeGraphLayout layout;
    const double legend = std::round(std::min(canvas.px(kLegendHeight), canvas.height / 3.0));
    layout.legend = {0, 0, static_cast<double>(canvas.width), legend};
    layout.body = {0, legend, static_cast<double>(canvas.width), canvas.height - legend};
    layout.camera = options.camera ? *options.camera : fitted(graph, layout.body, canvas);
    const double room = layout.camera.rowHeight / canvas.px(1.5 * kLargestRadius);
    const double wide = layout.camera.levelWidth / canvas.px(4 * kLargestRadius);
    const double part = std::min({1.0, room, wide});
    layout.largestRadius = std::max(0.5, canvas.px(kLargestRadius) * part);
    layout.smallestRadius =
        std::min(layout.largestRadius, std::max(canvas.px(2), canvas.px(kSmallestRadius) * part));
    return layout;
}

double treeSpreadWidth(const TreeGraph& graph, const TreeGraphLayout& layout, const Canvas& canvas)
{
    const bool shown = !graph.sums->spreads.empty() && layout.camera.rowHeight >= canvas.px(kRowWithGlyphs);
    return shown ? canvas.px(kGlyphBar) * kSpreadBins : 0;
}

Color treeEdgeColor(const Theme& theme) { return mix(theme.grid, theme.secondaryText, 0.4); }

double treeBend(const TreeGraph& graph, const TreeGraphLayout& layout, std::uint32_t node,
                const Canvas& canvas)
{
    const double x = layout.place(graph, node).x;
    return x + std::min(layout.camera.levelWidth / 3, layout.largestRadius + canvas.px(8));
}

double nodeRadius(const TreeGraph& graph, const TreeGraphOptions& options, const TreeGraphLayout& layout,
                  std::uint32_t node)
{
    const double value = graph.size.values[node];
    const auto [least, greatest] = rangeOf(graph, graph.size, options.unit, node);
    double part =
        std::isnan(value) ? 0.0 : scalePart(value, std::min(0.0, least), greatest, ColorScaling::Linear);
    if (options.sizes == ColorDirection::Falling && !std::isnan(value)) part = 1 - part;
    const double small = layout.smallestRadius * layout.smallestRadius;
    return std::sqrt(small + part * (layout.largestRadius * layout.largestRadius - small));
}

Color scaleColor(const NodeQuantity& quantity, std::pair<double, double> range,
                 const TreeGraphOptions& options, const Theme& theme, double value)
{
    auto [least, greatest] = range;
    const bool falling = options.colors == ColorDirection::Falling;
    if (options.map == ColorMap::Sequential && !quantity.isDifference) {
        const double part = scalePart(value, least, greatest, options.scaling);
        return sequentialColor(theme.dark, falling ? 1 - part : part);
    }
    const double middle = colorMiddle(quantity, range);
    const double part = value >= middle ? scalePart(value, middle, greatest, options.scaling)
                                        : -scalePart(middle - value, 0.0, middle - least, options.scaling);
    return divergingColor(theme.dark, falling ? -part : part);
}

double colorMiddle(const NodeQuantity& quantity, std::pair<double, double> range)
{
    if (quantity.isDifference || (range.first < 0 && range.second > 0)) return 0.0;
    if (isSpeedUp(quantity.name) && range.first < 1 && range.second > 1) return 1.0;
    return (range.first + range.second) / 2;
}

Color nodeColor(const TreeGraph& graph, const TreeGraphOptions& options, const Theme& theme,
                std::uint32_t node)
{
    const double value = graph.color.values[node];
    if (std::isnan(value)) return theme.background;
    return scaleColor(graph.color, rangeOf(graph, graph.color, options.unit, node), options, theme, value);
}

DrawList treeGraphScene(const TreeGraph& graph, const Selection& selected, const TreeGraphOptions& options,
                        const Canvas& canvas)
{
    return GraphPicture(graph, selected, options, canvas).draw();
}

std::optional<std::uint32_t> treeNodeAt(const TreeGraph& graph, const TreeGraphOptions& options,
                                        const TreeGraphLayout& layout, Point point, double reach)
{
    if (!layout.body.contains(point) || graph.layout.levels == 0) return std::nullopt;
    const double far = layout.largestRadius + reach;
    const auto level = [&](double x) {
        return std::clamp((x - layout.camera.x) / layout.camera.levelWidth, 0.0,
                          static_cast<double>(graph.layout.levels - 1));
    };
    std::optional<std::uint32_t> found;
    double nearest = std::numeric_limits<double>::infinity();
    for (auto depth = static_cast<std::uint32_t>(std::ceil(level(point.x - far)));
         depth <= static_cast<std::uint32_t>(level(point.x + far)); ++depth) {
        const auto nodes = graph.level(depth);
        const double top = (point.y - far - layout.camera.y) / layout.camera.rowHeight;
        auto node = std::lower_bound(nodes.begin(), nodes.end(), top, [&](std::uint32_t one, double across) {
            return graph.layout.across[one] < across;
        });
        for (; node != nodes.end() && layout.place(graph, *node).y <= point.y + far; ++node) {
            const Point at = layout.place(graph, *node);
            const double beyond =
                std::hypot(at.x - point.x, at.y - point.y) - nodeRadius(graph, options, layout, *node);
            if (beyond > reach || beyond >= nearest) continue;
            nearest = beyond;
            found = *node;
        }
    }
    return found;
}

std::vector<std::uint32_t> treeNodesWithin(const TreeGraph& graph, const TreeGraphLayout& layout,
                                           const Rect& rect)
{
    std::vector<std::uint32_t> found;
    for (std::uint32_t node = 0; node < graph.shown.nodes.size(); ++node)
        if (rect.contains(layout.place(graph, node))) found.push_back(node);
    return found;
}

}  // namespace skein
