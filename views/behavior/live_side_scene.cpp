// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/live_side_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace skein {
namespace {

constexpr double kSideMarginPx = 5, kSidePadPx = 8;

/// What the strongest colour stands for.
double greatestBytes(const LivePicture& live)
{
    double greatest = 0;
    for (const LiveCell& cell : live.traffic) greatest = std::max(greatest, cell.bytes);
    return greatest;
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
    const double greatest = greatestBytes(live);
    for (const LiveCell& cell : live.traffic) {
        const auto span = [&](std::uint32_t at, std::size_t size) {
            const std::size_t first = at * size / entities;
            return std::pair(first, std::max(first + 1, (at + std::size_t{1}) * size / entities));
        };
        const auto [top, bottom] = span(cell.from, down);
        const auto [left, right] = span(cell.to, across);
        for (std::size_t row = top; row < bottom; ++row)
            for (std::size_t column = left; column < right; ++column)
                amounts[row * across + column] = std::max(amounts[row * across + column], cell.bytes);
    }
    for (std::size_t i = 0; i < amounts.size(); ++i)
        if (amounts[i] > 0 && greatest > 0)
            pixels.argb[i] = toArgb(greyScaleColor(theme.dark, amounts[i] / greatest));
    return pixels;
}

void drawSideClusters(DrawList& list, const LivePicture& live, const std::vector<bool>& selected,
                      const Rect& body, double margin, const Theme& theme)
{
    const auto& labels = live.picture->behavior->clusters.labels;
    const bool any = std::find(selected.begin(), selected.end(), true) != selected.end();
    const auto colorOf = [&](std::size_t i) {
        return any && !selected[i] ? withAlpha(theme.secondaryText, 90) : clusterColor(labels[i], theme.dark);
    };
    const double step = body.width / static_cast<double>(labels.size());
    for (std::size_t first = 0; first < labels.size();) {
        std::size_t end = first + 1;
        const Color color = colorOf(first);
        while (end < labels.size() && colorOf(end) == color) ++end;
        const double from = std::floor(static_cast<double>(first) * step);
        const double to = std::max(from + 1, std::floor(static_cast<double>(end) * step));
        list.fillRect({body.x + from, body.y - margin, to - from, margin - 1}, color);
        list.fillRect({body.x - margin, body.y + from, margin - 1, to - from}, color);
        first = end;
    }
}

/// Where dots are drawn: the upper part.
Canvas placesCanvas(const LiveSideLayout& layout, const Canvas& canvas)
{
    return {canvas.width, layout.placesHeight, canvas.style, canvas.measure};
}

/// Sender and receiver at a point of the matrix; places of columns.
std::optional<std::pair<std::size_t, std::size_t>> trafficPairAt(const LivePicture& live,
                                                                 const LiveSideLayout& layout, Point point)
{
    if (live.traffic.empty() || !layout.matrix.contains(point)) return std::nullopt;
    const auto count = static_cast<double>(live.picture->behavior->table.columns.size());
    const auto at = [&](double from, double place) {
        return static_cast<std::size_t>(
            std::clamp((place - from) / layout.matrix.width * count, 0.0, count - 1));
    };
    return std::pair(at(layout.matrix.y, point.y), at(layout.matrix.x, point.x));
}

}  // namespace

LiveSideLayout liveSideLayout(const LivePicture& live, const Canvas& canvas)
{
    LiveSideLayout layout;
    const double pad = canvas.px(kSidePadPx), line = canvas.lineHeight(), margin = canvas.px(kSideMarginPx);
    layout.placesHeight = live.traffic.empty() ? canvas.height : std::max(1, canvas.height / 2);
    layout.places = similarityLayout(*live.picture->behavior, placesCanvas(layout, canvas));
    if (live.traffic.empty()) return layout;
    const double width = std::max(1.0, canvas.width - 2 * pad);
    layout.matrixTitle = {pad, layout.placesHeight + pad / 2, width, line};
    const double top = layout.matrixTitle.bottom() + margin;
    const double side = std::max(1.0, std::floor(std::min(width - margin, canvas.height - pad - top)));
    layout.matrix = {pad + margin, top, side, side};
    return layout;
}

DrawList liveSideScene(const LivePicture& live, const Selection& selected, const Canvas& canvas,
                       const Task& task)
{
    DrawList list;
    list.width = canvas.width;
    list.height = canvas.height;
    const Theme& theme = canvas.theme();
    list.background = theme.background;
    if (!live.picture) return list;
    const SessionBehavior& behavior = *live.picture->behavior;
    const LiveSideLayout layout = liveSideLayout(live, canvas);
    list.items = similarityScene(behavior, selected, placesCanvas(layout, canvas), task).items;
    if (live.traffic.empty()) return list;
    list.fillRect(
        {0, static_cast<double>(layout.placesHeight), static_cast<double>(canvas.width), canvas.px(1)},
        theme.frame);
    const std::string title = fmt::format("Sent at {}, up to {} a pair; senders downwards",
                                          formatNumber(live.trafficTime), formatBytes(greatestBytes(live)));
    list.text(layout.matrixTitle,
              elideMiddle(title, layout.matrixTitle.width, FontStyle::Small, canvas.measure),
              theme.secondaryText, FontStyle::Small);
    list.items.push_back(trafficPixels(live, layout.matrix, theme));
    list.strokeRect(layout.matrix, theme.frame);
    drawSideClusters(list, live, selectedColumns(behavior, selected), layout.matrix, canvas.px(kSideMarginPx),
                     theme);
    return list;
}

std::vector<std::size_t> liveSideChosen(const LivePicture& live, const LiveSideLayout& layout,
                                        const std::vector<Point>& lasso, double scale)
{
    if (!live.picture || lasso.empty()) return {};
    if (lasso.size() == 1)
        if (const auto pair = trafficPairAt(live, layout, lasso[0])) return {pair->first, pair->second};
    return entitiesChosenBy(*live.picture->behavior, layout.places, lasso, scale);
}

std::vector<std::string> liveSideText(const LivePicture& live, const LiveSideLayout& layout, Point point,
                                      double scale)
{
    if (!live.picture) return {};
    const SessionBehavior& behavior = *live.picture->behavior;
    if (const auto pair = trafficPairAt(live, layout, point)) {
        const auto cell = std::find_if(live.traffic.begin(), live.traffic.end(), [&](const LiveCell& each) {
            return each.from == pair->first && each.to == pair->second;
        });
        return {fmt::format("{} to {}", behavior.table.columns[pair->first],
                            behavior.table.columns[pair->second]),
                cell == live.traffic.end() ? "Nothing was sent."
                                           : fmt::format("{} in {} messages", formatBytes(cell->bytes),
                                                         formatNumber(cell->messages))};
    }
    const auto entity = similarEntityAt(behavior, layout.places, point, scale);
    return entity ? similarityTooltip(behavior, *entity) : std::vector<std::string>();
}

}  // namespace skein
