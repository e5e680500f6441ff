// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/behavior/similarity_scene.h"

#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/drawing/lasso.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr double kDotPx = 4, kReachPx = 8, kNameHeadroomPx = 24;
constexpr std::size_t kMostNames = 200;

/// Names where no other name or dot is in the way.
void drawDotNames(DrawList& list, const SessionBehavior& behavior, const SimilarityLayout& layout,
                  const Canvas& canvas)
{
    const std::size_t count = behavior.table.columns.size();
    if (count > kMostNames) return;
    const double dot = canvas.px(kDotPx), line = canvas.lineHeight();
    std::vector<Rect> taken;
    for (std::size_t i = 0; i < count; ++i) {
        const Point at = layout.placeOf(behavior, i);
        taken.push_back({at.x - dot, at.y - dot, 2 * dot, 2 * dot});
    }
    for (std::size_t i = 0; i < count; ++i) {
        const Point at = layout.placeOf(behavior, i);
        const std::string& name = behavior.table.columns[i];
        const double width = canvas.measure.width(name, FontStyle::Small) + canvas.px(2);
        Rect box{at.x + dot + canvas.px(3), at.y - line / 2, width, line};
        if (box.right() > canvas.width) box.x = at.x - dot - canvas.px(3) - width;
        if (std::any_of(taken.begin(), taken.end(), [&](const Rect& other) { return other.overlaps(box); }))
            continue;
        list.text(box, name, canvas.theme().secondaryText, FontStyle::Small);
        taken.push_back(box);
    }
}

/// The metric, and as much of what the plane is worth as has room.
std::string headOf(const SessionBehavior& behavior, double widthPx, const Canvas& canvas)
{
    const std::string variance =
        fmt::format("{:.0f} % of the variance",
                    100 * (behavior.projection.explained[0] + behavior.projection.explained[1]));
    const std::string seen = behavior.placeShare < 1
        ? fmt::format(" · from {:.0f} % of the entities", 100 * behavior.placeShare)
        : std::string();
    // Of a stream none is worked out.
    const std::string silhouette =
        behavior.streamed ? std::string() : fmt::format(" · silhouette {:.2f}", behavior.silhouette);
    const std::string& metric = behavior.request.metric;
    const std::string heads[] = {
        fmt::format("{} · {} lies in the plane{}{}", metric, variance, seen, silhouette),
        fmt::format("{} · {}{}{}", metric, variance, seen, silhouette),
        fmt::format("{} · {}{}", metric, variance, seen)};
    for (const std::string& head : heads)
        if (canvas.measure.width(head, FontStyle::Small) <= widthPx) return head;
    return elideMiddle(metric + seen, widthPx, FontStyle::Small, canvas.measure);
}

}  // namespace

Point SimilarityLayout::placeOf(const SessionBehavior& behavior, std::size_t entity) const
{
    const std::vector<double>& places = behavior.projection.places;
    return {body.x + body.width / 2 + (places[2 * entity] - centerX) * pixels,
            body.y + body.height / 2 - (places[2 * entity + 1] - centerY) * pixels};
}

SimilarityLayout similarityLayout(const SessionBehavior& behavior, const Canvas& canvas)
{
    SimilarityLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight();
    layout.caption = {pad, 0, canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line + pad};
    layout.head = {pad, layout.caption.bottom() + canvas.px(4), canvas.width - 2 * pad, line};
    const double top = layout.head.bottom() + canvas.px(4);
    layout.body = {0, top, static_cast<double>(canvas.width), std::max(1.0, canvas.height - top)};
    double low[2], high[2];
    for (const std::size_t axis : {0, 1}) {
        low[axis] = std::numeric_limits<double>::infinity();
        high[axis] = -low[axis];
        for (std::size_t i = axis; i < behavior.projection.places.size(); i += 2) {
            low[axis] = std::min(low[axis], behavior.projection.places[i]);
            high[axis] = std::max(high[axis], behavior.projection.places[i]);
        }
    }
    layout.centerX = (low[0] + high[0]) / 2;
    layout.centerY = (low[1] + high[1]) / 2;
    const double room = canvas.px(kNameHeadroomPx);
    const double across = std::max(1.0, layout.body.width - 2 * room);
    const double down = std::max(1.0, layout.body.height - 2 * room);
    const double wide = high[0] - low[0], tall = high[1] - low[1];
    layout.pixels = std::min(wide > 0 ? across / wide : std::numeric_limits<double>::infinity(),
                             tall > 0 ? down / tall : std::numeric_limits<double>::infinity());
    if (!std::isfinite(layout.pixels)) layout.pixels = 1;
    return layout;
}

DrawList similarityScene(const SessionBehavior& behavior, const Selection& selected, const Canvas& canvas,
                         const Task& task)
{
    DrawList list;
    list.width = canvas.width;
    list.height = canvas.height;
    const Theme& theme = canvas.theme();
    list.background = theme.background;
    const SimilarityLayout layout = similarityLayout(behavior, canvas);
    list.text(layout.caption, canvas.style.caption, theme.secondaryText, FontStyle::Small);
    list.text(layout.head, headOf(behavior, layout.head.width, canvas), theme.secondaryText,
              FontStyle::Small);
    const std::size_t count = behavior.table.columns.size();
    const std::vector<bool> chosen = selectedColumns(behavior, selected);
    const bool any = std::find(chosen.begin(), chosen.end(), true) != chosen.end();
    list.pushClip(layout.body);
    const double dot = canvas.px(kDotPx);
    for (const bool pass : {false, true})
        for (std::size_t i = 0; i < count; ++i) {
            if (chosen[i] != pass) continue;
            if (i % 4096 == 0 && task.stopRequested()) break;
            const Point at = layout.placeOf(behavior, i);
            const Color color = any && !pass ? withAlpha(theme.secondaryText, 90)
                                             : clusterColor(behavior.clusters.labels[i], theme.dark);
            list.items.push_back(RectItem{{at.x - dot, at.y - dot, 2 * dot, 2 * dot},
                                          color,
                                          pass ? theme.accent : Color{0, 0, 0, 0},
                                          canvas.px(1),
                                          dot,
                                          {}});
        }
    drawDotNames(list, behavior, layout, canvas);
    list.popClip();
    return list;
}

std::optional<std::size_t> similarEntityAt(const SessionBehavior& behavior, const SimilarityLayout& layout,
                                           Point point, double scale)
{
    std::optional<std::size_t> found;
    double nearest = kReachPx * scale;
    for (std::size_t i = 0; i < behavior.table.columns.size(); ++i) {
        const Point at = layout.placeOf(behavior, i);
        const double away = std::hypot(at.x - point.x, at.y - point.y);
        if (away >= nearest) continue;
        nearest = away;
        found = i;
    }
    return found;
}

std::vector<std::size_t> entitiesWithin(const SessionBehavior& behavior, const SimilarityLayout& layout,
                                        const std::vector<Point>& lasso)
{
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < behavior.table.columns.size(); ++i)
        if (liesWithin(lasso, layout.placeOf(behavior, i))) found.push_back(i);
    return found;
}

std::vector<std::size_t> entitiesChosenBy(const SessionBehavior& behavior, const SimilarityLayout& layout,
                                          const std::vector<Point>& lasso, double scale)
{
    if (lasso.size() > 1) return entitiesWithin(behavior, layout, lasso);
    const auto entity = lasso.empty() ? std::nullopt : similarEntityAt(behavior, layout, lasso[0], scale);
    return entity ? std::vector<std::size_t>{*entity} : std::vector<std::size_t>();
}

std::vector<std::string> similarityTooltip(const SessionBehavior& behavior, std::size_t entity)
{
    double sum = 0;
    std::size_t known = 0;
    for (std::size_t row = 0; row < behavior.table.rows(); ++row) {
        const double value = behavior.table.at(row, entity);
        if (!std::isfinite(value)) continue;
        sum += value;
        ++known;
    }
    const double mean = known > 0 ? sum / static_cast<double>(known) : std::nan("");
    return {
        fmt::format("{}, cluster {}", behavior.table.columns[entity], behavior.clusters.labels[entity] + 1),
        fmt::format("{}: {} a bin in the mean", behavior.request.metric,
                    behaviorAmount(behavior.request, mean))};
}

}  // namespace skein
