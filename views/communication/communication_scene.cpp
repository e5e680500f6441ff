// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/color_scale.h"
#include "views/communication/communication_density_scene.h"
#include "views/communication/communication_lines_scene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <numbers>
#include <numeric>

namespace skein {
namespace {

constexpr double kLargestRadiusPx = 26;
constexpr double kGraphMarginPx = 28, kNameBelowPx = 20;
constexpr std::size_t kMostVertexNames = 400;
/// So many nodes of less than so large a radius are squares while they move.
constexpr std::size_t kManyVertices = 20'000;
constexpr double kSmallVertexPx = 4;
constexpr std::size_t kItemsOfTexts = 1000;  ///< names, notes and the legend have about so many

/// The corners of what is around all points.
std::pair<PlanePoint, PlanePoint> cornersOf(const std::vector<PlanePoint>& points)
{
    if (points.empty()) return {};
    PlanePoint low = points[0], high = points[0];
    for (const PlanePoint& point : points) {
        low = {std::min(low.x, point.x), std::min(low.y, point.y)};
        high = {std::max(high.x, point.x), std::max(high.y, point.y)};
    }
    return {low, high};
}

/// Of the vertex with the greatest degree.
double largestRadius(const CommunicationPicture& picture, const CommunicationLayout& layout,
                     const Canvas& canvas)
{
    return picture.encoding.nodes
        * std::clamp(0.36 * picture.spacing * layout.view.pixels, canvas.px(2) * 1.0,
                     canvas.px(kLargestRadiusPx));
}

/// Radii of the vertices of a picture.
class VertexRadii {
public:
    VertexRadii(const CommunicationPicture& picture, const CommunicationLayout& layout, const Canvas& canvas)
        : vertices_(picture.graph->vertices),
          largest_(largestRadius(picture, layout, canvas)),
          smallest_(picture.encoding.smallestNodePx * canvas.style.scale),
          mostDegree_(static_cast<double>(picture.mostDegree))
    {
    }

    double largest() const { return largest_; }
    double of(std::uint32_t vertex) const
    {
        const double part = static_cast<double>(vertices_[vertex].degree()) / mostDegree_;
        return std::max(smallest_, largest_ * std::sqrt(part));
    }

private:
    const std::vector<CommGraph::Vertex>& vertices_;
    double largest_, smallest_, mostDegree_;
};

std::string flowValueText(const CommunicationPicture& picture, double value)
{
    switch (picture.options.color) {
    case CommunicationColor::Length: return fmt::format("{:.0f} hops", value);
    case CommunicationColor::Category: return {};
    default:
        return picture.graph->unit == LoadUnit::Bytes ? formatBytes(value) : formatCount(value) + " messages";
    }
}

class CommunicationPainter {
public:
    CommunicationPainter(const CommunicationPicture& picture, const PlaneView& view, const Canvas& canvas,
                         const Task& task)
        : picture_(picture),
          canvas_(canvas),
          task_(task),
          layout_(communicationLayout(picture, view, canvas)),
          colors_(picture, canvas.theme().dark),
          radii_(picture, layout_, canvas)
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = canvas.theme().background;
    }

    DrawList atRest()
    {
        list_.pushClip(layout_.body);
        if (!picture_.dense->empty()) list_.items.push_back(flowDensity(picture_, layout_, canvas_, task_));
        const std::vector<FlowLine> lines = stackedLines(picture_, layout_, exactFlows(picture_), canvas_);
        drawLines(lines, lines.size());
        drawRest();
        return std::move(list_);
    }

    DrawList moving(const FlowDensityMap* map)
    {
        drawer_ = drawPlainFlowLine;
        asSquares_ =
            picture_.graph->vertices.size() > kManyVertices && radii_.largest() < canvas_.px(kSmallVertexPx);
        if (map && !map->isOf(picture_)) map = nullptr;
        list_.pushClip(layout_.body);
        const std::vector<FlowLine> lines = stackedLines(picture_, layout_, exactFlows(picture_), canvas_);
        const std::size_t exact = movingExactFlows(map, lines, layout_.body);
        const StrongAs strong = exact < lines.size() ? StrongAs::Cells : StrongAs::Lines;
        if (!picture_.dense->empty() || strong == StrongAs::Cells)
            list_.items.push_back(movingFlowDensity(picture_, layout_, canvas_, map, strong, task_));
        drawLines(lines, exact);
        drawRest();
        return std::move(list_);
    }

private:
    /// What vertices of equal totals look like as squares.
    struct Square {
        std::uint64_t in = 0, degree = 0;
        double side = 0;  ///< 0: not known yet
        Color color;
    };

    using LineDrawer = void (*)(DrawList&, const FlowLine&, Color);

    void drawRest()
    {
        drawVertices();
        drawNames();
        drawNotes();
        list_.popClip();
        drawTexts();
    }

    /// The first lines, and all that are selected. What is first in the order lies on top, and what is
    /// selected above all.
    void drawLines(const std::vector<FlowLine>& lines, std::size_t first)
    {
        for (std::size_t i = first; i-- > 0;)
            if (!picture_.isSelected(lines[i].flow)) drawLine(lines[i]);
        for (auto line = lines.rbegin(); line != lines.rend(); ++line)
            if (picture_.isSelected(line->flow)) drawLine(*line);
    }

    void drawLine(const FlowLine& line)
    {
        const bool faded = picture_.anySelected() && !picture_.isSelected(line.flow);
        const Color color = colors_.of(line.flow);
        drawer_(list_, line, faded ? fadedFlowColor(picture_.encoding, color, canvas_.theme()) : color);
    }

    /// What ranks of a vertex send each other is a ring around it, as wide as lines with as many bytes.
    void drawRing(Point at, double radius, std::uint32_t vertex)
    {
        const CommGraph::Vertex& totals = picture_.graph->vertices[vertex];
        if (totals.bytesInside == 0 || mostInside_ == 0 || picture_.encoding.rings <= 0) return;
        const double part = static_cast<double>(totals.bytesInside) / static_cast<double>(mostInside_);
        const double width = picture_.encoding.rings
            * (canvas_.px(1) + canvas_.px(5) * part * std::min(1.0, radius / canvas_.px(6)));
        const double outer = radius + canvas_.px(1) + width / 2;
        list_.items.push_back(RectItem{{at.x - outer, at.y - outer, 2 * outer, 2 * outer},
                                       {0, 0, 0, 0},
                                       colors_.at(part),
                                       width,
                                       outer,
                                       {}});
    }

    void drawVertices()
    {
        const CommGraph& graph = *picture_.graph;
        mostInside_ = picture_.mostInside;
        for (const CommGraph::Vertex& vertex : graph.vertices)
            mostInside_ = std::max(mostInside_, vertex.bytesInside);
        list_.items.reserve(list_.items.size() + graph.vertices.size() + kItemsOfTexts);
        for (const std::uint32_t vertex : picture_.largestFirst) drawVertex(vertex);
    }

    void drawVertex(std::uint32_t vertex)
    {
        const Point at = layout_.toCanvas((*picture_.points)[vertex]);
        if (asSquares_ && !isSelectedVertex(vertex)) return drawSquare(at, vertex);
        const double radius = radii_.of(vertex);
        if (!Rect{at.x - 4 * radius, at.y - 4 * radius, 8 * radius, 8 * radius}.overlaps(layout_.body))
            return;
        drawRing(at, radius, vertex);
        const CommGraph::Vertex& totals = picture_.graph->vertices[vertex];
        const Theme& theme = canvas_.theme();
        const bool selected = isSelectedVertex(vertex);
        const Color fill = vertexColor(totals, selected);
        Color edge{0, 0, 0, 0};
        if (totals.degree() > 0 && picture_.encoding.discs != NodeDiscs::Share)
            return drawTwoDiscs(at, radius, totals, selected);
        if (selected) edge = theme.accent;
        else if (hasRim(radius)) edge = rimColor(fill);
        list_.items.emplace_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                          fill,
                                          edge,
                                          canvas_.px(selected ? 2 : 1),
                                          totals.degree() > 0 ? radius : canvas_.px(1),
                                          {}});
    }

    Color vertexColor(const CommGraph::Vertex& totals, bool selected)
    {
        const Theme& theme = canvas_.theme();
        const Color color = totals.degree() > 0 ? shareColor(totals) : theme.secondaryText;
        if (!picture_.anySelected() || selected) return color;
        return mix(theme.background, color, picture_.encoding.fadedOpacity);
    }

    bool hasRim(double radius) const { return radius >= canvas_.px(2.5); }
    Color rimColor(Color fill) const { return mix(fill, canvas_.theme().text, 0.5); }

    /// Of what is not selected, while it moves.
    void drawSquare(Point at, std::uint32_t vertex)
    {
        const Square& square = squareOf(vertex);
        const double left = std::round(at.x - square.side / 2), top = std::round(at.y - square.side / 2);
        const Rect rect{left, top, square.side, square.side};
        if (!rect.overlaps(layout_.body)) return;
        drawRing(at, square.side / 2, vertex);
        list_.fillRect(rect, square.color);
    }

    /// What was sent and what was received as a disc each. One that the other would hide is seen as its rim.
    void drawTwoDiscs(Point at, double radius, const CommGraph::Vertex& totals, bool selected)
    {
        const Theme& theme = canvas_.theme();
        struct Disc {
            double radius;
            Color color;
        };
        const auto discOf = [&](std::uint64_t amount, double end) {
            const Color color = divergingColor(theme.dark, end);
            const bool faded = picture_.anySelected() && !selected;
            return Disc{radius
                            * std::sqrt(static_cast<double>(amount) / static_cast<double>(totals.degree())),
                        faded ? mix(theme.background, color, picture_.encoding.fadedOpacity) : color};
        };
        Disc above = discOf(totals.out, -1), below = discOf(totals.in, 1);
        const NodeDiscs discs = picture_.encoding.discs;
        const bool swapped = discs == NodeDiscs::SmallerOnLarger ? above.radius > below.radius
                                                                 : discs == NodeDiscs::ReceivedOnSent;
        if (swapped) std::swap(above, below);
        const auto draw = [&](const Disc& disc, Color fill, Color edge, double width) {
            list_.items.emplace_back(
                RectItem{{at.x - disc.radius, at.y - disc.radius, 2 * disc.radius, 2 * disc.radius},
                         fill,
                         edge,
                         width,
                         disc.radius,
                         {}});
        };
        constexpr Color kNone{0, 0, 0, 0};
        draw(below, below.color, kNone, 1);
        draw(above, above.color, kNone, 1);
        if (below.radius <= above.radius && below.radius > 0) draw(below, kNone, below.color, canvas_.px(1));
        if (selected) draw(above.radius > below.radius ? above : below, kNone, theme.accent, canvas_.px(2));
    }

    /// Few of many thousand vertices have a share of their own.
    Color shareColor(const CommGraph::Vertex& totals)
    {
        ShareColor& known = shareColors_[(totals.in * 31 + totals.degree()) % shareColors_.size()];
        if (known.degree != totals.degree() || known.in != totals.in) {
            const double share = static_cast<double>(totals.in) / static_cast<double>(totals.degree());
            known = {totals.in, totals.degree(), divergingColor(canvas_.theme().dark, 2 * share - 1)};
        }
        return known.color;
    }

    /// As large as a disc with its rim, in the colour that both have from afar.
    const Square& squareOf(std::uint32_t vertex)
    {
        const CommGraph::Vertex& totals = picture_.graph->vertices[vertex];
        Square& known = squares_[(totals.in * 31 + totals.degree()) % squares_.size()];
        if (known.side > 0 && known.degree == totals.degree() && known.in == totals.in) return known;
        const double radius = radii_.of(vertex);
        const Color fill = vertexColor(totals, false);
        const double rim = hasRim(radius) ? canvas_.px(1) / 2 : 0;
        const double inner = (radius - rim) / (radius + rim);
        known = {totals.in, totals.degree(),
                 std::max(1.0, std::round(std::sqrt(std::numbers::pi) * (radius + rim))),
                 rim > 0 ? mix(fill, rimColor(fill), 1 - inner * inner) : fill};
        return known;
    }

    void drawNames()
    {
        if (picture_.names.size() != picture_.graph->vertices.size()) return;
        std::vector<std::uint32_t> named;
        const auto take = [&](bool selected) {
            for (const std::uint32_t vertex : picture_.largestFirst) {
                if (named.size() >= kMostVertexNames) return;
                if (isSelectedVertex(vertex) == selected) named.push_back(vertex);
            }
        };
        if (picture_.anySelected()) take(true);
        take(false);
        std::vector<Rect> taken;
        for (const std::uint32_t vertex : named) drawName(vertex, taken);
    }

    bool isSelectedVertex(std::uint32_t vertex) const
    {
        return picture_.anySelected() && picture_.selectedVertices[vertex];
    }

    void drawName(std::uint32_t vertex, std::vector<Rect>& taken)
    {
        const Point at = layout_.toCanvas((*picture_.points)[vertex]);
        if (!layout_.body.contains(at)) return;
        const double radius = radii_.of(vertex), line = canvas_.lineHeight();
        const std::string& name = picture_.names[vertex];
        const double width = canvas_.measure.width(name, FontStyle::Small) + canvas_.px(4);
        Rect box{at.x - width / 2, at.y + radius + canvas_.px(1), width, line};
        const Rect own{at.x - radius, at.y - radius, 2 * radius, 2 * radius + line};
        // Where neighbours are nearer than names are wide, names would say which is which to nobody.
        if (picture_.spacing * layout_.view.pixels < 1.6 * line && !isSelectedVertex(vertex)) return;
        if (std::any_of(taken.begin(), taken.end(),
                        [&](const Rect& other) { return other.overlaps(box) || other.overlaps(own); }))
            return;
        list_.items.push_back(
            RectItem{box, withAlpha(canvas_.theme().background, 190), {0, 0, 0, 0}, 1, canvas_.px(3), {}});
        list_.text(box, name, canvas_.theme().text, FontStyle::Small, Align::Center);
        taken.push_back(box);
        taken.push_back(own);
    }

    /// What is worth a word, in the upper right corner.
    void drawNotes()
    {
        if (picture_.notes.empty()) return;
        const double line = canvas_.lineHeight(), pad = canvas_.px(6);
        double widest = 0;
        for (const std::string& note : picture_.notes)
            widest = std::max(widest, canvas_.measure.width(note, FontStyle::Small) + canvas_.px(2));
        const Rect& body = layout_.body;
        const double width = std::min(widest + 2 * pad, body.width - 2 * pad);
        const Rect box{body.right() - width - pad, body.y + pad, width,
                       line * static_cast<double>(picture_.notes.size()) + pad};
        if (box.width <= 0 || box.height > body.height) return;
        list_.items.push_back(RectItem{
            box, withAlpha(canvas_.theme().panel, 225), canvas_.theme().frame, 1, canvas_.px(3), {}});
        double y = box.y + pad / 2;
        for (const std::string& note : picture_.notes) {
            list_.text({box.x + pad, y, box.width - 2 * pad, line},
                       elideMiddle(note, box.width - 2 * pad, FontStyle::Small, canvas_.measure),
                       canvas_.theme().text, FontStyle::Small);
            y += line;
        }
    }

    /// The scale of what lines tell; where it is drawn next.
    double drawLineScale(double x)
    {
        const auto colorAt = [&](double part) { return colors_.at(part); };
        if (picture_.hasAlternatives) return drawScale(x, "Routes: as it was", "alternative", colorAt);
        const char* names[] = {"Lines: ", "Highest load: ", "Length: ", "Hop-bytes: "};
        const std::string name = names[static_cast<std::size_t>(picture_.options.color)];
        const std::string most = flowValueText(picture_, colors_.most());
        if (!picture_.changes.empty()) return drawScale(x, name + most + " less", most + " more", colorAt);
        return drawScale(x, name + flowValueText(picture_, colors_.least()), most, colorAt);
    }

    void drawTexts()
    {
        const Theme& theme = canvas_.theme();
        list_.text(layout_.caption, canvas_.style.caption, theme.secondaryText, FontStyle::Small);
        list_.text(layout_.head,
                   elideMiddle(picture_.head, layout_.head.width, FontStyle::Small, canvas_.measure),
                   theme.secondaryText, FontStyle::Small);
        double x = layout_.foot.x;
        x = drawScale(x, "Nodes: sent", "received",
                      [&](double part) { return divergingColor(theme.dark, 2 * part - 1); });
        if (picture_.options.color != CommunicationColor::Category && !picture_.order.empty())
            x = drawLineScale(x);
        const std::string word = picture_.graph->unit == LoadUnit::Bytes ? "bytes" : "messages";
        const bool two = picture_.encoding.discs != NodeDiscs::Share;
        list_.text({x, layout_.foot.y, std::max(0.0, layout_.foot.right() - x), layout_.foot.height},
                   elideMiddle("Width " + word
                                   + (two ? " · area of discs sent, received" : " · area of nodes degree"),
                               layout_.foot.right() - x, FontStyle::Small, canvas_.measure),
                   theme.secondaryText, FontStyle::Small);
    }

    template <typename ColorAt>
    double drawScale(double x, const std::string& low, const std::string& high, const ColorAt& colorAt)
    {
        constexpr int kParts = 24;
        const double gap = canvas_.px(6), part = canvas_.px(4), tall = canvas_.px(8);
        const double widthLow = canvas_.measure.width(low, FontStyle::Small) + canvas_.px(2);
        const double widthHigh = canvas_.measure.width(high, FontStyle::Small) + canvas_.px(2);
        const double all = widthLow + widthHigh + 2 * gap + kParts * part + canvas_.px(24);
        if (x + all > layout_.foot.right()) return x;
        const Rect& foot = layout_.foot;
        list_.text({x, foot.y, widthLow, foot.height}, low, canvas_.theme().secondaryText, FontStyle::Small);
        x += widthLow + gap;
        for (int i = 0; i < kParts; ++i, x += part)
            list_.fillRect({x, foot.y + (foot.height - tall) / 2, part, tall}, colorAt((i + 0.5) / kParts));
        x += gap;
        list_.text({x, foot.y, widthHigh, foot.height}, high, canvas_.theme().secondaryText,
                   FontStyle::Small);
        return x + widthHigh + canvas_.px(24);
    }

    const CommunicationPicture& picture_;
    const Canvas& canvas_;
    const Task& task_;
    CommunicationLayout layout_;
    FlowColors colors_;
    VertexRadii radii_;
    DrawList list_;
    struct ShareColor {
        std::uint64_t in = 0, degree = 0;  ///< degree 0: none
        Color color;
    };
    std::array<ShareColor, 256> shareColors_;
    std::array<Square, 1024> squares_;
    bool asSquares_ = false;  ///< nodes
    LineDrawer drawer_ = drawFlowLine;
    std::uint64_t mostInside_ = 0;
};

}  // namespace

std::vector<std::uint32_t> CommunicationPicture::wayOf(std::uint32_t flow) const
{
    const CommGraph::Flow& found = graph->flows[flow];
    if (options.lines == CommunicationLines::Pairs) return {found.from, found.to};
    const std::span<const std::uint32_t> way = graph->wayOf(found);
    return {way.begin(), way.end()};
}

double communicationValue(const CommGraph& graph, std::uint32_t flow, CommunicationColor color)
{
    const CommGraph::Flow& found = graph.flows[flow];
    switch (color) {
    case CommunicationColor::HighestLoad: return static_cast<double>(found.highestLoad);
    case CommunicationColor::Length: return found.hops;
    case CommunicationColor::HopBytes: return static_cast<double>(found.hopBytes);
    default: return static_cast<double>(graph.amountOf(found));
    }
}

CommunicationPicture communicationPicture(std::shared_ptr<const CommGraph> graph,
                                          const CommunicationOptions& options, const Task& task)
{
    CommunicationPicture picture;
    picture.options = options;
    picture.order.resize(graph->flows.size());
    std::iota(picture.order.begin(), picture.order.end(), 0u);
    std::stable_sort(picture.order.begin(), picture.order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return communicationValue(*graph, a, options.color) > communicationValue(*graph, b, options.color);
    });
    const double shown = std::ceil(static_cast<double>(picture.order.size())
                                   * std::clamp(options.topPercent, 0.0, 100.0) / 100);
    picture.order.resize(options.lines == CommunicationLines::None ? 0 : static_cast<std::size_t>(shown));
    picture.graph = std::move(graph);
    orderVertices(picture);
    picture.dense = densePieces(picture, task);
    return picture;
}

void orderVertices(CommunicationPicture& picture)
{
    const std::vector<CommGraph::Vertex>& vertices = picture.graph->vertices;
    picture.largestFirst.resize(vertices.size());
    std::iota(picture.largestFirst.begin(), picture.largestFirst.end(), 0u);
    std::stable_sort(
        picture.largestFirst.begin(), picture.largestFirst.end(),
        [&](std::uint32_t a, std::uint32_t b) { return vertices[a].degree() > vertices[b].degree(); });
    if (!vertices.empty())
        picture.mostDegree = std::max(picture.mostDegree, vertices[picture.largestFirst.front()].degree());
}

void placeVertices(CommunicationPicture& picture, std::shared_ptr<const std::vector<PlanePoint>> points)
{
    picture.points = std::move(points);
    const auto [low, high] = cornersOf(*picture.points);
    const double area = std::max(high.x - low.x, 1.0) * std::max(high.y - low.y, 1.0);
    picture.spacing = std::sqrt(area / std::max<double>(1, static_cast<double>(picture.points->size())));
}

CommunicationLayout communicationLayout(const CommunicationPicture& picture, const PlaneView& view,
                                        const Canvas& canvas)
{
    CommunicationLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight(), wide = canvas.width - 2 * pad;
    layout.caption = {pad, 0, wide, canvas.style.caption.empty() ? 0 : line + pad};
    layout.head = {pad, layout.caption.bottom() + canvas.px(4), wide, line};
    layout.foot = {pad, canvas.height - line - canvas.px(4), wide, line};
    const double top = std::ceil(layout.head.bottom() + canvas.px(4));
    layout.body = {0, top, static_cast<double>(canvas.width),
                   std::max(1.0, std::floor(layout.foot.y - canvas.px(4)) - top)};
    const auto [low, high] = cornersOf(*picture.points);
    // Few vertices fill the canvas, too, but neighbours stay within half of it.
    constexpr double kLeastOfMostPixels = 200;
    const double mostPixels =
        std::max(kLeastOfMostPixels, 0.5 * std::min(layout.body.width, layout.body.height) / picture.spacing);
    layout.view = view;
    if (view.pixels > 0) return layout;
    layout.view = fittedView(low, high, layout.body, canvas.px(kGraphMarginPx), mostPixels);
    // Names stand below their vertices: those of large ones need more room.
    double margin = bendOfLines(picture, layout);
    if (picture.names.size() == picture.points->size())
        margin = std::max(margin, largestRadius(picture, layout, canvas) + canvas.px(kNameBelowPx));
    if (margin > canvas.px(kGraphMarginPx))
        layout.view = fittedView(low, high, layout.body, margin, mostPixels);
    return layout;
}

double vertexRadius(const CommunicationPicture& picture, const CommunicationLayout& layout,
                    std::uint32_t vertex, const Canvas& canvas)
{
    return VertexRadii(picture, layout, canvas).of(vertex);
}

DrawList communicationScene(const CommunicationPicture& picture, const PlaneView& view, const Canvas& canvas,
                            const Task& task)
{
    return CommunicationPainter(picture, view, canvas, task).atRest();
}

DrawList movingCommunicationScene(const CommunicationPicture& picture, const PlaneView& view,
                                  const Canvas& canvas, const FlowDensityMap* map, const Task& task)
{
    return CommunicationPainter(picture, view, canvas, task).moving(map);
}

}  // namespace skein
