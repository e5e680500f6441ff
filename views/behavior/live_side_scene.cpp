// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_side_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr double kSideDotPx = 3, kSideMarginPx = 5, kSidePadPx = 8;

/// Places of entities in a rectangle, one scale for both axes.
class SidePlaces {
public:
    SidePlaces(const std::vector<double>& places, const Rect& room) : places_(places), room_(room)
    {
        double low[2] = {kEndless, kEndless}, high[2] = {-kEndless, -kEndless};
        for (std::size_t i = 0; i < places.size(); ++i) {
            low[i % 2] = std::min(low[i % 2], places[i]);
            high[i % 2] = std::max(high[i % 2], places[i]);
        }
        const double wide = high[0] - low[0], tall = high[1] - low[1];
        pixels_ = std::min(wide > 0 ? room.width / wide : kEndless, tall > 0 ? room.height / tall : kEndless);
        if (!std::isfinite(pixels_)) pixels_ = 1;
        center_ = {(low[0] + high[0]) / 2, (low[1] + high[1]) / 2};
    }

    std::size_t count() const { return places_.size() / 2; }
    Point at(std::size_t entity) const
    {
        return {room_.x + room_.width / 2 + (places_[2 * entity] - center_.x) * pixels_,
                room_.y + room_.height / 2 - (places_[2 * entity + 1] - center_.y) * pixels_};
    }

private:
    static constexpr double kEndless = std::numeric_limits<double>::infinity();
    const std::vector<double>& places_;
    Rect room_;
    double pixels_ = 1;
    Point center_;
};

Rect innerPlaces(const Rect& box)
{
    const double pad = std::min(box.width, box.height) * 0.06;
    return {box.x + pad, box.y + pad, std::max(1.0, box.width - 2 * pad),
            std::max(1.0, box.height - 2 * pad)};
}

/// The greatest amount of each pixel: where entities are more than pixels several share one.
PixelItem trafficPixels(const LivePicture& live, const Rect& body, const Theme& theme)
{
    const auto across = static_cast<std::size_t>(std::max(1.0, std::floor(body.width)));
    const auto down = static_cast<std::size_t>(std::max(1.0, std::floor(body.height)));
    const std::size_t entities = live.picture->behavior->table.columns.size();
    PixelItem pixels{static_cast<int>(body.x),
                     static_cast<int>(body.y),
                     static_cast<int>(across),
                     std::vector<int>(down, 1),
                     std::vector<std::uint32_t>(across * down, toArgb(theme.panel)),
                     {}};
    std::vector<double> amounts(across * down, 0.0);
    double greatest = 0;
    for (const LiveCell& cell : live.traffic) {
        const auto span = [&](std::uint32_t at, std::size_t size) {
            const std::size_t first = at * size / entities;
            return std::pair(first, std::max(first + 1, (at + std::size_t{1}) * size / entities));
        };
        greatest = std::max(greatest, cell.bytes);
        const auto [top, bottom] = span(cell.from, down);
        const auto [left, right] = span(cell.to, across);
        for (std::size_t row = top; row < bottom; ++row)
            for (std::size_t column = left; column < right; ++column)
                amounts[row * across + column] = std::max(amounts[row * across + column], cell.bytes);
    }
    for (std::size_t i = 0; i < amounts.size(); ++i)
        if (amounts[i] > 0 && greatest > 0)
            pixels.argb[i] = toArgb(sequentialColor(theme.dark, amounts[i] / greatest));
    return pixels;
}

void drawSideClusters(DrawList& list, const LivePicture& live, const Rect& body, double margin, bool dark)
{
    const auto& labels = live.picture->behavior->clusters.labels;
    const double step = body.width / static_cast<double>(labels.size());
    for (std::size_t first = 0; first < labels.size();) {
        std::size_t end = first + 1;
        while (end < labels.size() && labels[end] == labels[first]) ++end;
        const double from = std::floor(static_cast<double>(first) * step);
        const double to = std::max(from + 1, std::floor(static_cast<double>(end) * step));
        const Color color = clusterColor(labels[first], dark);
        list.fillRect({body.x + from, body.y - margin, to - from, margin - 1}, color);
        list.fillRect({body.x - margin, body.y + from, margin - 1, to - from}, color);
        first = end;
    }
}

void sideTitle(DrawList& list, const Rect& box, const std::string& text, const Canvas& canvas)
{
    list.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas.measure),
              canvas.theme().secondaryText, FontStyle::Small);
}

}  // namespace

LiveSideLayout liveSideLayout(const LivePicture& live, const Canvas& canvas)
{
    LiveSideLayout layout;
    const double pad = canvas.px(kSidePadPx), line = canvas.lineHeight(), margin = canvas.px(kSideMarginPx);
    const double width = std::max(1.0, canvas.width - 2 * pad);
    const double parts = live.traffic.empty() ? 1 : 2;
    const double each = std::max(1.0, std::floor((canvas.height - pad) / parts));
    layout.placesTitle = {pad, pad / 2, width, line};
    layout.places = {pad, pad / 2 + line, width, std::max(1.0, each - line - pad)};
    if (live.traffic.empty()) return layout;
    layout.matrixTitle = {pad, each + pad / 2, width, line};
    const double top = layout.matrixTitle.bottom() + margin;
    const double side = std::max(1.0, std::floor(std::min(width - margin, canvas.height - pad - top)));
    layout.matrix = {pad + margin, top, side, side};
    return layout;
}

DrawList liveSideScene(const LivePicture& live, const Canvas& canvas, const Task& task)
{
    DrawList list;
    list.width = canvas.width;
    list.height = canvas.height;
    const Theme& theme = canvas.theme();
    list.background = theme.background;
    if (!live.picture) return list;
    const SessionBehavior& behavior = *live.picture->behavior;
    const LiveSideLayout layout = liveSideLayout(live, canvas);
    sideTitle(list, layout.placesTitle,
              fmt::format("Similarity · from {:.0f} % of the entities", 100 * behavior.placeShare), canvas);
    list.strokeRect(layout.places, theme.frame);
    const SidePlaces places(behavior.projection.places, innerPlaces(layout.places));
    const double dot = canvas.px(kSideDotPx);
    for (std::size_t i = 0; i < std::min(places.count(), behavior.clusters.labels.size()); ++i) {
        if (i % 4096 == 0 && task.stopRequested()) break;
        const Point at = places.at(i);
        list.fillRect({at.x - dot, at.y - dot, 2 * dot, 2 * dot},
                      clusterColor(behavior.clusters.labels[i], theme.dark));
    }
    if (live.traffic.empty()) return list;
    sideTitle(list, layout.matrixTitle,
              fmt::format("Sent at {}, senders downwards", formatNumber(live.trafficTime)), canvas);
    list.items.push_back(trafficPixels(live, layout.matrix, theme));
    list.strokeRect(layout.matrix, theme.frame);
    drawSideClusters(list, live, layout.matrix, canvas.px(kSideMarginPx), theme.dark);
    return list;
}

std::vector<std::string> liveSideText(const LivePicture& live, const LiveSideLayout& layout, Point point,
                                      double reach)
{
    if (!live.picture) return {};
    const SessionBehavior& behavior = *live.picture->behavior;
    const auto& names = behavior.table.columns;
    if (layout.matrix.contains(point) && !live.traffic.empty()) {
        const auto at = [&](double from, double place) {
            const double part = (place - from) / layout.matrix.width * static_cast<double>(names.size());
            return static_cast<std::uint32_t>(std::clamp(part, 0.0, static_cast<double>(names.size()) - 1));
        };
        const std::uint32_t from = at(layout.matrix.y, point.y), to = at(layout.matrix.x, point.x);
        const auto cell = std::find_if(live.traffic.begin(), live.traffic.end(), [&](const LiveCell& each) {
            return each.from == from && each.to == to;
        });
        return {fmt::format("{} to {}", names[from], names[to]),
                cell == live.traffic.end() ? "Nothing was sent."
                                           : fmt::format("{} in {} messages", formatBytes(cell->bytes),
                                                         formatNumber(cell->messages))};
    }
    if (!layout.places.contains(point)) return {};
    const SidePlaces places(behavior.projection.places, innerPlaces(layout.places));
    std::optional<std::size_t> nearest;
    double least = reach;
    for (std::size_t i = 0; i < std::min(places.count(), names.size()); ++i) {
        const Point at = places.at(i);
        const double distance = std::hypot(at.x - point.x, at.y - point.y);
        if (distance > least) continue;
        least = distance;
        nearest = i;
    }
    if (!nearest) return {};
    return {names[*nearest], fmt::format("Cluster {}", behavior.clusters.labels[*nearest] + 1)};
}

}  // namespace skein
