// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_radar_scene.h"

#include "views/common/scene/color/palette.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skein {
namespace {

constexpr std::array<double, 3> kRadarRings{1.0 / 3, 2.0 / 3, 1.0};
constexpr std::array<const char*, 3> kRadarNames{"Anomalies", "Lost", "Score"};

/// Apart in hue and in lightness.
std::array<Color, 3> radarColors(const Theme& theme)
{
    if (theme.dark) return {Color{255, 180, 84, 255}, {102, 178, 255, 255}, {190, 220, 120, 255}};
    return {Color{200, 90, 0, 255}, {0, 90, 181, 255}, {70, 110, 20, 255}};
}

Point onSpoke(Point middle, double radius, std::size_t spoke, std::size_t spokes)
{
    const double angle = 2 * std::numbers::pi * static_cast<double>(spoke) / static_cast<double>(spokes)
        - std::numbers::pi / 2;
    return {middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)};
}

void drawRadarNames(DrawList& list, const Rect& area, Point middle, double radius,
                    const std::vector<AnomalyLine>& functions, std::size_t spokes, const Canvas& canvas)
{
    const double line = canvas.lineHeight(), gap = canvas.px(5);
    for (std::size_t i = 0; i < spokes; ++i) {
        const Point end = onSpoke(middle, radius + gap, i, spokes);
        const double aside = end.x - middle.x;
        const bool above = std::abs(aside) < canvas.px(3);
        const double room = above ? area.width : aside > 0 ? area.right() - end.x : end.x - area.x;
        const std::string text = elideName(functions[i].name, room, FontStyle::Small, canvas.measure);
        const double top = above ? (end.y < middle.y ? end.y - line : end.y) : end.y - line / 2;
        const double left = above ? area.x : aside > 0 ? end.x : area.x;
        list.text({left, top, room, line}, text, canvas.theme().text, FontStyle::Small,
                  above           ? Align::Center
                      : aside > 0 ? Align::Left
                                  : Align::Right);
    }
}

void drawRadarKey(DrawList& list, const Rect& area, const Canvas& canvas)
{
    const auto colors = radarColors(canvas.theme());
    const double line = canvas.lineHeight();
    double x = area.x;
    for (std::size_t i = 0; i < kRadarNames.size(); ++i) {
        const double width = std::ceil(canvas.measure.width(kRadarNames[i], FontStyle::Small)) + 1;
        list.fillRect({x, std::floor(area.y + line / 2) - canvas.px(1), canvas.px(12), canvas.px(3)},
                      colors[i]);
        list.text({x + canvas.px(16), area.y, width, line}, kRadarNames[i], canvas.theme().secondaryText,
                  FontStyle::Small);
        x += canvas.px(30) + width;
    }
}

}  // namespace

std::array<RadarShape, 3> radarShapes(const std::vector<AnomalyLine>& functions)
{
    const std::size_t spokes = std::min(functions.size(), kMostSpokes);
    std::array<RadarShape, 3> shapes;
    for (std::size_t i = 0; i < spokes; ++i) {
        shapes[0].push_back(static_cast<double>(functions[i].ranked.anomalies));
        shapes[1].push_back(static_cast<double>(functions[i].ranked.severityNs));
        shapes[2].push_back(functions[i].highestScore);
    }
    for (RadarShape& shape : shapes) {
        const double most = shape.empty() ? 0.0 : *std::max_element(shape.begin(), shape.end());
        for (double& value : shape)
            value = most > 0 && std::isfinite(most) ? std::max(0.0, value) / most : 0.0;
    }
    return shapes;
}

void drawAnomalyRadar(DrawList& list, const Rect& area, const std::vector<AnomalyLine>& functions,
                      const Canvas& canvas)
{
    const Theme& theme = canvas.theme();
    const std::size_t spokes = std::min(functions.size(), kMostSpokes);
    const double line = canvas.lineHeight();
    if (spokes < 3) {
        list.text({area.x, area.y, area.width, line}, "A radar needs three functions.", theme.secondaryText,
                  FontStyle::Small);
        return;
    }
    drawRadarKey(list, {area.x, area.y, area.width, line}, canvas);
    const Rect body{area.x, area.y + 2 * line, area.width, area.height - 3 * line};
    const double radius = std::min(body.height / 2 - line, body.width * 0.26);
    if (radius < canvas.px(20)) return;
    const Point middle{body.x + body.width / 2, body.y + body.height / 2};
    const auto around = [&](auto partOfSpoke) {
        std::vector<Point> points;
        for (std::size_t i = 0; i < spokes; ++i)
            points.push_back(onSpoke(middle, radius * partOfSpoke(i), i, spokes));
        return points;
    };
    for (const double ring : kRadarRings)
        list.items.push_back(PolygonItem{
            around([ring](std::size_t) { return ring; }), {0, 0, 0, 0}, theme.grid, canvas.px(1), {}});
    for (std::size_t i = 0; i < spokes; ++i)
        list.line(middle, onSpoke(middle, radius, i, spokes), theme.grid, canvas.px(1));
    const auto shapes = radarShapes(functions);
    const auto colors = radarColors(theme);
    for (std::size_t shape = 0; shape < shapes.size(); ++shape) {
        Color fill = colors[shape];
        fill.alpha = 28;
        list.items.push_back(PolygonItem{
            around([&](std::size_t i) { return shapes[shape][i]; }), fill, colors[shape], canvas.px(2), {}});
    }
    drawRadarNames(list, area, middle, radius, functions, spokes, canvas);
}

}  // namespace skein
