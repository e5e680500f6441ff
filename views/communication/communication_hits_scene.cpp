// SPDX-License-Identifier: GPL-3.0-or-later
// What of a communication picture is at a point, and what is within a lasso.
#include "views/common/scene/drawing/lasso.h"
#include "views/communication/communication_density_scene.h"
#include "views/communication/communication_lines_scene.h"
#include "views/communication/communication_scene.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr double kFlowReachPx = 4;

double turnOfLasso(PlanePoint a, PlanePoint b, PlanePoint c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

bool crossesLasso(const std::vector<PlanePoint>& lasso, PlanePoint from, PlanePoint to)
{
    for (std::size_t a = 0, b = lasso.size() - 1; a < lasso.size(); b = a++)
        if (turnOfLasso(from, to, lasso[a]) * turnOfLasso(from, to, lasso[b]) < 0
            && turnOfLasso(lasso[a], lasso[b], from) * turnOfLasso(lasso[a], lasso[b], to) < 0)
            return true;
    return false;
}

}  // namespace

CommunicationHit communicationAt(const CommunicationPicture& picture, const PlaneView& view, Point point,
                                 const Canvas& canvas)
{
    const CommunicationLayout layout = communicationLayout(picture, view, canvas);
    CommunicationHit hit;
    if (!layout.body.contains(point)) return hit;
    double nearest = std::numeric_limits<double>::infinity();
    for (std::uint32_t vertex = 0; vertex < picture.graph->vertices.size(); ++vertex) {
        const Point at = layout.toCanvas((*picture.points)[vertex]);
        const double away = std::hypot(at.x - point.x, at.y - point.y);
        if (away >= nearest || away > vertexRadius(picture, layout, vertex, canvas) + canvas.px(2)) continue;
        nearest = away;
        hit.vertex = vertex;
    }
    if (hit.vertex) return hit;
    nearest = canvas.px(kFlowReachPx);
    for (const FlowLine& line : stackedLines(picture, layout, exactFlows(picture), canvas))
        for (std::size_t i = 1; i < line.points.size(); ++i) {
            const double away =
                std::max(0.0, distanceToLine(line.points[i - 1], line.points[i], point) - line.width / 2);
            if (away >= nearest) continue;
            nearest = away;
            hit.flow = line.flow;
        }
    if (hit.flow) return hit;
    for (std::size_t i = kExactFlows; i < picture.order.size(); ++i) {
        const std::vector<std::uint32_t> way = picture.wayOf(picture.order[i]);
        for (std::size_t at = 1; at < way.size(); ++at) {
            const double away = distanceToLine(layout.toCanvas((*picture.points)[way[at - 1]]),
                                               layout.toCanvas((*picture.points)[way[at]]), point);
            if (away >= nearest) continue;
            nearest = away;
            hit.flow = picture.order[i];
        }
    }
    return hit;
}

LassoSelection lassoed(const CommunicationPicture& picture, const std::vector<PlanePoint>& lasso,
                       LassoMode mode)
{
    LassoSelection selection;
    if (lasso.size() < 3) return selection;
    const std::vector<PlanePoint>& points = *picture.points;
    std::vector<char> within(points.size(), 0);
    for (std::size_t vertex = 0; vertex < points.size(); ++vertex)
        within[vertex] = liesWithin(lasso, points[vertex]) ? 1 : 0;
    std::vector<char> chosen = within;
    for (const std::uint32_t flow : picture.order) {
        const std::vector<std::uint32_t> way = picture.wayOf(flow);
        const auto isWithin = [&](std::uint32_t vertex) { return within[vertex] != 0; };
        bool taken = std::ranges::all_of(way, isWithin);
        if (!taken && mode == LassoMode::Touching) {
            taken = std::ranges::any_of(way, isWithin);
            for (std::size_t i = 1; i < way.size() && !taken; ++i)
                taken = crossesLasso(lasso, points[way[i - 1]], points[way[i]]);
            if (taken)
                for (const std::uint32_t vertex : way) chosen[vertex] = 1;
        }
        if (taken) selection.flows.push_back(flow);
    }
    std::sort(selection.flows.begin(), selection.flows.end());
    for (std::uint32_t vertex = 0; vertex < chosen.size(); ++vertex)
        if (chosen[vertex]) selection.vertices.push_back(vertex);
    return selection;
}

}  // namespace skein
