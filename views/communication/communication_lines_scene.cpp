// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_lines_scene.h"

#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/drawing/curves.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

constexpr double kThinnestPx = 0.8, kWidestBundlePx = 14, kPolygonFromPx = 2.5;
constexpr double kArc = 0.14;  ///< how far a line of one piece bends, of its length

/// A piece of a way with the flow that goes there.
struct BundlePiece {
    std::uint64_t key = 0;  ///< from and to
    std::uint32_t line = 0;
    std::uint32_t piece = 0;
};

/// The factor of the encoding for the widths of a picture's lines.
double widthFactor(const CommunicationPicture& picture)
{
    const bool routes = picture.options.lines == CommunicationLines::Routes;
    return routes ? picture.encoding.routes : picture.encoding.pairs;
}

Point rightOfWay(Point from, Point to)
{
    const double x = to.x - from.x, y = to.y - from.y, length = std::hypot(x, y);
    return length > 0 ? Point{-y / length, x / length} : Point{0, 0};
}

/// An arc that bends to the right, so that the ways there and back are told apart.
std::vector<Point> arcOfWay(Point from, Point to, double strength)
{
    const double length = std::hypot(to.x - from.x, to.y - from.y);
    const Point right = rightOfWay(from, to);
    std::vector<Point> points;
    for (int step = 0; step <= 2 * kCurveSteps; ++step) {
        const double t = static_cast<double>(step) / (2 * kCurveSteps),
                     bend = 4 * t * (1 - t) * kArc * strength * length;
        points.push_back(
            {from.x + t * (to.x - from.x) + bend * right.x, from.y + t * (to.y - from.y) + bend * right.y});
    }
    return points;
}

/// Only along the axes and diagonals, as plans of metros are drawn.
std::vector<Point> metroLine(const std::vector<Point>& points)
{
    std::vector<Point> all{points.front()};
    for (std::size_t i = 0; i + 1 < points.size(); ++i) {
        const Point a = points[i], b = points[i + 1];
        const double x = b.x - a.x, y = b.y - a.y, diagonal = std::min(std::abs(x), std::abs(y));
        if (std::abs(x) > std::abs(y)) all.push_back({a.x + std::copysign(std::abs(x) - diagonal, x), a.y});
        else all.push_back({a.x, a.y + std::copysign(std::abs(y) - diagonal, y)});
        all.push_back(b);
    }
    return all;
}

/// Lines of one piece have nothing to go round, whatever curves they are.
std::vector<Point> styledLine(CommunicationStyle style, double strength, std::vector<Point> points)
{
    const bool curved = style == CommunicationStyle::Curved || style == CommunicationStyle::BSpline;
    if (curved && points.size() == 2) return arcOfWay(points[0], points[1], strength);
    switch (style) {
    case CommunicationStyle::Straight: return points;
    case CommunicationStyle::Curved: return cardinalCurve(points, strength);
    case CommunicationStyle::BSpline: return bSplineCurve(points, strength);
    case CommunicationStyle::Metro: return metroLine(points);
    }
    return points;
}

class LineStacker {
public:
    LineStacker(const CommunicationPicture& picture, const CommunicationLayout& layout,
                const std::vector<std::uint32_t>& flows, const Canvas& canvas)
        : picture_(picture), layout_(layout), canvas_(canvas)
    {
        for (const std::uint32_t flow : flows) {
            lines_.push_back({flow, {}, 1});
            ways_.push_back(picture.wayOf(flow));
        }
    }

    std::vector<FlowLine> run()
    {
        gatherPieces();
        setWidths();
        for (std::size_t first = 0; first < pieces_.size();) first = stack(first);
        for (std::size_t i = 0; i < lines_.size(); ++i) lines_[i].points = pointsOf(i);
        return std::move(lines_);
    }

private:
    void gatherPieces()
    {
        firstOffset_.push_back(0);
        for (std::uint32_t line = 0; line < lines_.size(); ++line) {
            for (std::uint32_t i = 0; i + 1 < ways_[line].size(); ++i)
                pieces_.push_back({std::uint64_t{ways_[line][i]} << 32 | ways_[line][i + 1], line, i});
            firstOffset_.push_back(pieces_.size());
        }
        offsets_.resize(pieces_.size());
        std::sort(pieces_.begin(), pieces_.end(), [](const BundlePiece& a, const BundlePiece& b) {
            return a.key != b.key ? a.key < b.key : a.line < b.line;
        });
    }

    double amountOf(std::uint32_t line) const
    {
        const std::uint32_t flow = lines_[line].flow;
        if (!picture_.widths.empty()) return picture_.widths[flow];
        return static_cast<double>(picture_.graph->amountOf(picture_.graph->flows[flow]));
    }

    void setWidths()
    {
        double most = 0;
        for (std::size_t first = 0; first < pieces_.size();) {
            double sum = 0;
            std::size_t last = first;
            for (; last < pieces_.size() && pieces_[last].key == pieces_[first].key; ++last)
                sum += amountOf(pieces_[last].line);
            most = std::max(most, sum);
            first = last;
        }
        if (picture_.mostOnPiece > 0) most = picture_.mostOnPiece;
        const double widest = widthFactor(picture_)
            * std::min(canvas_.px(kWidestBundlePx),
                       std::max(canvas_.px(2), 0.3 * picture_.spacing * layout_.view.pixels));
        const double thinnest = kThinnestPx * canvas_.style.scale;
        for (std::uint32_t line = 0; line < lines_.size(); ++line)
            lines_[line].width = std::max(thinnest, most > 0 ? widest * amountOf(line) / most : 0);
    }

    /// Returns where the next bundle begins.
    std::size_t stack(std::size_t first)
    {
        double used = 0;
        std::size_t last = first;
        for (; last < pieces_.size() && pieces_[last].key == pieces_[first].key; ++last) {
            const BundlePiece& piece = pieces_[last];
            const double width = lines_[piece.line].width;
            offsets_[firstOffset_[piece.line] + piece.piece] = used + width / 2;
            used += width;
        }
        return last;
    }

    std::vector<Point> pointsOf(std::size_t line) const
    {
        const std::vector<std::uint32_t>& way = ways_[line];
        const CommunicationStyle style = picture_.options.style;
        const bool curved = style == CommunicationStyle::Curved || style == CommunicationStyle::BSpline;
        std::vector<Point> points;
        for (std::size_t i = 0; i + 1 < way.size(); ++i) {
            const Point from = layout_.toCanvas((*picture_.points)[way[i]]);
            const Point to = layout_.toCanvas((*picture_.points)[way[i + 1]]);
            const Point right = rightOfWay(from, to);
            const double offset = offsets_[firstOffset_[line] + i];
            const Point begin{from.x + right.x * offset, from.y + right.y * offset};
            const Point end{to.x + right.x * offset, to.y + right.y * offset};
            // Curves go through one point a vertex.
            if (curved && !points.empty())
                points.back() = {(points.back().x + begin.x) / 2, (points.back().y + begin.y) / 2};
            else points.push_back(begin);
            points.push_back(end);
        }
        return styledLine(style, picture_.encoding.curves, std::move(points));
    }

    const CommunicationPicture& picture_;
    const CommunicationLayout& layout_;
    const Canvas& canvas_;
    std::vector<FlowLine> lines_;
    std::vector<std::vector<std::uint32_t>> ways_;
    std::vector<BundlePiece> pieces_;
    std::vector<std::size_t> firstOffset_;
    std::vector<double> offsets_;  ///< of each piece of each line, from the middle
};

void joinPieces(std::vector<DensePiece>& pieces)
{
    std::sort(pieces.begin(), pieces.end(),
              [](const DensePiece& a, const DensePiece& b) { return a.key < b.key; });
    std::size_t kept = 0;
    for (const DensePiece& piece : pieces) {
        if (kept > 0 && pieces[kept - 1].key == piece.key) {
            pieces[kept - 1].lines += piece.lines;
            pieces[kept - 1].value = std::max(pieces[kept - 1].value, piece.value);
        } else pieces[kept++] = piece;
    }
    pieces.resize(kept);
}

/// As FlowColors::at() takes it; `part` is the place in the order, 1 … 0.
float densityValue(const CommunicationPicture& picture, std::uint32_t flow, double part)
{
    if (picture.hasAlternatives) return picture.alternative[flow] ? 1 : 0;
    if (!picture.changes.empty())
        return static_cast<float>(0.5 + (picture.changes[flow] < 0 ? -0.35 : 0.35) * part);
    return static_cast<float>(0.7 * part);
}

Color alternativeFlowColor(bool dark, bool alternative)
{
    if (alternative) return dark ? Color{92, 168, 255} : Color{20, 80, 200};
    return dark ? Color{150, 150, 150} : Color{130, 130, 130};
}

}  // namespace

double bendOfLines(const CommunicationPicture& picture, const CommunicationLayout& layout)
{
    const CommunicationStyle style = picture.options.style;
    const bool curved = style == CommunicationStyle::Curved || style == CommunicationStyle::BSpline;
    return curved ? kArc * picture.encoding.curves * picture.spacing * layout.view.pixels : 0;
}

Color fadedFlowColor(const CommunicationEncoding& encoding, Color color, const Theme& theme)
{
    const Color grey = mix(withAlpha(color, 255), theme.secondaryText, encoding.fadedGrey);
    return withAlpha(grey, static_cast<int>(std::lround(255 * encoding.fadedOpacity)));
}

FlowColors::FlowColors(const CommunicationPicture& picture, bool dark) : picture_(picture), dark_(dark)
{
    if (picture.order.empty() || picture.hasAlternatives) return;
    if (!picture.changes.empty()) {
        most_ = std::abs(picture.changes[picture.order.front()]);
        least_ = -most_;
        return;
    }
    const auto value = [&](std::uint32_t flow) {
        return communicationValue(*picture.graph, flow, picture.options.color);
    };
    most_ = value(picture.order.front());
    least_ = value(picture.order.back());
    if (picture.range) std::tie(least_, most_) = *picture.range;
    constexpr double kManyTimes = 50;
    logarithmic_ = least_ > 0 ? most_ > kManyTimes * least_ : most_ > kManyTimes;
}

Color FlowColors::at(double part) const
{
    if (picture_.hasAlternatives) return alternativeFlowColor(dark_, part >= 0.5);
    if (!picture_.changes.empty()) return divergingColor(dark_, 2 * part - 1);
    return picture_.stops.color(dark_, part, 0.15);
}

Color FlowColors::of(std::uint32_t flow) const
{
    const bool plain = !picture_.hasAlternatives && picture_.changes.empty();
    if (plain && picture_.options.color == CommunicationColor::Category)
        return clusterColor(flow % 20, dark_);
    return at(partOf(flow));
}

double FlowColors::partOf(std::uint32_t flow) const
{
    if (picture_.hasAlternatives) return picture_.alternative[flow] ? 1 : 0;
    if (!picture_.changes.empty()) return most_ > 0 ? 0.5 + picture_.changes[flow] / most_ / 2 : 0.5;
    if (picture_.options.color == CommunicationColor::Category) return 1;
    const double value = communicationValue(*picture_.graph, flow, picture_.options.color);
    if (most_ <= least_) return 1;
    if (!logarithmic_) return (value - least_) / (most_ - least_);
    const double low = std::log(std::max(1.0, least_));
    const double range = std::log(std::max(1.0, most_)) - low;
    return range > 0 ? (std::log(std::max(1.0, value)) - low) / range : 1;
}

std::vector<FlowLine> stackedLines(const CommunicationPicture& picture, const CommunicationLayout& layout,
                                   const std::vector<std::uint32_t>& flows, const Canvas& canvas)
{
    return LineStacker(picture, layout, flows, canvas).run();
}

void drawPlainFlowLine(DrawList& list, const FlowLine& line, Color color)
{
    for (std::size_t i = 1; i < line.points.size(); ++i)
        list.line(line.points[i - 1], line.points[i], color, line.width);
}

void drawFlowLine(DrawList& list, const FlowLine& line, Color color)
{
    if (line.points.size() < 2) return;
    if (line.width < kPolygonFromPx) return drawPlainFlowLine(list, line, color);
    PolygonItem polygon;
    polygon.fill = color;
    std::vector<Point> back;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const Point& point = line.points[i];
        const Point before = rightOfWay(line.points[i > 0 ? i - 1 : 0], line.points[i > 0 ? i : 1]);
        const Point after = i + 1 < line.points.size() ? rightOfWay(point, line.points[i + 1]) : before;
        const double x = before.x + after.x, y = before.y + after.y, length2 = x * x + y * y;
        // At sharp turns a mitre would stick out.
        const double reach = length2 > 0.5 ? line.width / length2 : line.width / 2;
        polygon.points.push_back({point.x + x * reach, point.y + y * reach});
        back.push_back({point.x - x * reach, point.y - y * reach});
    }
    polygon.points.insert(polygon.points.end(), back.rbegin(), back.rend());
    list.items.push_back(std::move(polygon));
}

std::vector<std::uint32_t> exactFlows(const CommunicationPicture& picture)
{
    const std::size_t first = std::min(kExactFlows, picture.order.size());
    std::vector<std::uint32_t> flows(picture.order.begin(),
                                     picture.order.begin() + static_cast<std::ptrdiff_t>(first));
    if (picture.selectedFlows.empty()) return flows;
    std::size_t selected = 0;
    for (std::size_t i = first; i < picture.order.size() && selected < kExactFlows; ++i)
        if (picture.isSelected(picture.order[i])) {
            flows.push_back(picture.order[i]);
            ++selected;
        }
    return flows;
}

DensePieces densePieces(const CommunicationPicture& picture, const Task& task)
{
    const std::size_t end = std::min(picture.order.size(), kExactFlows + kMostDenseFlows);
    std::vector<DensePiece> pieces;
    const auto count = static_cast<double>(picture.order.size());
    for (std::size_t i = kExactFlows; i < end && !task.stopRequested(); ++i) {
        const CommGraph::Flow& flow = picture.graph->flows[picture.order[i]];
        const float value = densityValue(picture, picture.order[i], 1 - static_cast<double>(i) / count);
        if (picture.options.lines == CommunicationLines::Pairs) {
            pieces.push_back({std::uint64_t{flow.from} << 32 | flow.to, 1, value});
            continue;
        }
        const std::span<const std::uint32_t> way = picture.graph->wayOf(flow);
        for (std::size_t at = 0; at + 1 < way.size(); ++at)
            pieces.push_back({std::uint64_t{way[at]} << 32 | way[at + 1], 1, value});
    }
    joinPieces(pieces);
    return std::make_shared<const std::vector<DensePiece>>(std::move(pieces));
}

}  // namespace skein
