// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_scene.h"

#include "core/base/units.h"
#include "core/session/session_clock.h"
#include "views/anomalies/anomalies_picture_scene.h"
#include "views/anomalies/anomaly_axes_scene.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skein {
namespace {

constexpr double kPointReachPx = 8;
constexpr std::uint32_t kPointsBetweenLooks = 4096;  ///< at whether the work was cancelled

}  // namespace

std::string_view name(AnomalyHeat heat)
{
    static constexpr std::array<std::string_view, kAnomalyHeats> names{"Anomalies", "Severity of anomalies",
                                                                       "Calls"};
    return names[static_cast<std::size_t>(heat)];
}

std::vector<std::uint32_t> shownPoints(const SessionAnomalies& anomalies, const ViewState& state,
                                       const AnomalyChoices& choices, const Task& task)
{
    std::vector<std::uint32_t> normal, odd;
    const auto most = static_cast<std::uint64_t>(choices.normalShare * 4294967296.0 * anomalies.keptShare);
    const FunctionsOfInterest wanted = functionsOfInterest(anomalies, choices.functions),
                              asked = functionsOfInterest(anomalies, choices.query.function);
    const auto kept = keptSpan(state.filters);
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    const bool windowed = choices.window.lengthNs > 0, queried = !choices.query.empty();
    const TimeSpan window = choices.window.span(clock.extent.end);
    for (std::uint32_t i = 0; i < anomalies.points.size(); ++i) {
        if (i % kPointsBetweenLooks == 0 && task.stopRequested()) break;
        const AnomalyPoint& point = anomalies.points[i];
        const std::uint32_t experiment = point.call.experiment;
        const AnomalyLabel label = labelOf(point, state.verdicts);
        if (label == AnomalyLabel::Normal && point.dice >= most) continue;
        if (label == AnomalyLabel::Consequence && !choices.consequences) continue;
        if (label != AnomalyLabel::Normal
            && (point.severityNs < choices.leastSeverityNs || point.score < choices.leastScore))
            continue;
        if (!wanted.empty() && !wanted[experiment][point.function]) continue;
        if (!asked.empty() && !asked[experiment][point.function]) continue;
        const TimeNs begin = clock.toSession(experiment, point.begin);
        if (queried && !passes(choices.query, anomalies, point, label, begin)) continue;
        if (!state.filters.empty()
            && (!passes(state.filters, RegionRef{experiment, RegionId(point.function)})
                || !passes(state.filters, LocationRef{experiment, point.call.location})))
            continue;
        if (kept && (begin >= kept->end || begin + point.durationNs < kept->begin)) continue;
        if (windowed && (begin >= window.end || begin + point.durationNs < window.begin)) continue;
        (label == AnomalyLabel::Normal ? normal : odd).push_back(i);
    }
    normal.insert(normal.end(), odd.begin(), odd.end());
    return normal;
}

std::vector<std::uint32_t> pointsOfAllTimes(const SessionAnomalies& anomalies, const ViewState& state,
                                            const AnomalyChoices& choices)
{
    AnomalyChoices all = choices;
    all.window = {};
    return shownPoints(anomalies, state, all);
}

AnomaliesLayout anomaliesPlaces(const Canvas& canvas)
{
    AnomaliesLayout layout;
    const double pad = canvas.px(8), line = canvas.lineHeight(), left = canvas.px(76);
    layout.caption = {pad, 0, canvas.width - 2 * pad, canvas.style.caption.empty() ? 0 : line + pad};
    layout.head = {pad, layout.caption.bottom() + canvas.px(4), canvas.width - 2 * pad, line};
    const double top = layout.head.bottom() + canvas.px(6);
    const bool listed = canvas.width > canvas.px(760);
    const double listWidth = listed ? std::floor(std::min(canvas.px(430), canvas.width * 0.36)) : 0;
    const double right = canvas.width - pad - (listed ? listWidth + pad : 0);
    const double room = std::max(1.0, canvas.height - top - pad);
    const double heat = room > canvas.px(260) ? std::floor(room * 0.28) : 0;
    const double below = heat > 0 ? heat + 2 * line + 2 * pad : 0;
    layout.scatter = {left, top, std::max(1.0, right - left),
                      std::max(1.0, room - line - canvas.px(6) - below)};
    if (heat > 0) layout.heat = {left, canvas.height - pad - heat, layout.scatter.width, heat};
    if (listed) layout.list = {right + pad, top, listWidth, room};
    return layout;
}

AnomaliesLayout anomaliesLayout(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                                const AnomalyChoices& choices, const Canvas& canvas,
                                const std::vector<TimeNs>& clockShiftsNs)
{
    AnomaliesLayout layout = anomaliesPlaces(canvas);
    const SessionClock clock = sessionClock(*anomalies.session, clockShiftsNs);
    showPartOf(layout, scaleFor(anomalies, shown, choices.x, choices.projected, clock),
               scaleFor(anomalies, shown, choices.y, choices.projected, clock), choices.zoom);
    return layout;
}

void showPartOf(AnomaliesLayout& layout, const AnomalyScale& x, const AnomalyScale& y,
                const AnomalyZoom& zoom)
{
    const auto part = [](const AnomalyScale& all, double from, double to, double low, double high) {
        AnomalyScale shown = all;
        shown.from = all.from + (all.to - all.from) * from;
        shown.to = all.from + (all.to - all.from) * to;
        shown.low = low;
        shown.high = high;
        return shown;
    };
    layout.x = part(x, zoom.left, zoom.right, layout.scatter.x, layout.scatter.right());
    layout.y = part(y, zoom.low, zoom.high, layout.scatter.bottom(), layout.scatter.y);
}

DrawList anomaliesScene(const SessionAnomalies& anomalies, const ViewState& state,
                        const AnomalyChoices& choices, const Canvas& canvas, const Task& task)
{
    return AnomaliesPicture(anomalies, state, choices, canvas.theme())
        .draw(choices.zoom, AnomaliesDetail::AtRest, canvas, task);
}

std::optional<std::uint32_t> anomalyPointAt(const SessionAnomalies& anomalies,
                                            const std::vector<std::uint32_t>& shown,
                                            const AnomaliesLayout& layout, const AnomalyChoices& choices,
                                            const ViewState& state, Point point, double scale)
{
    std::optional<std::uint32_t> found;
    double nearest = kPointReachPx * scale;
    AnomalyLabel strangest = AnomalyLabel::Normal;
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    const AxisValues across(anomalies, choices.x, choices.projected, clock),
        up(anomalies, choices.y, choices.projected, clock);
    for (const std::uint32_t i : shown) {
        const AnomalyPoint& each = anomalies.points[i];
        const double x = layout.x.at(across(each)) - point.x;
        if (std::abs(x) > kPointReachPx * scale) continue;  // nearly all
        const double y = layout.y.at(up(each)) - point.y;
        const double away = std::hypot(x, y);
        if (away > kPointReachPx * scale) continue;
        if (!layout.scatter.contains({point.x + x, point.y + y})) continue;
        const AnomalyLabel label = labelOf(each, state.verdicts);
        if (label < strangest || (label == strangest && away >= nearest)) continue;
        nearest = away;
        strangest = label;
        found = i;
    }
    return found;
}

std::vector<std::uint32_t> anomaliesWithin(const SessionAnomalies& anomalies,
                                           const std::vector<std::uint32_t>& shown,
                                           const AnomaliesLayout& layout, const AnomalyChoices& choices,
                                           const std::vector<Point>& lasso,
                                           const std::vector<TimeNs>& clockShiftsNs)
{
    std::vector<std::uint32_t> found;
    const SessionClock clock = sessionClock(*anomalies.session, clockShiftsNs);
    const AxisValues across(anomalies, choices.x, choices.projected, clock),
        up(anomalies, choices.y, choices.projected, clock);
    const auto [left, right] = std::minmax_element(lasso.begin(), lasso.end(),
                                                   [](const Point& a, const Point& b) { return a.x < b.x; });
    for (const std::uint32_t i : shown) {
        const AnomalyPoint& each = anomalies.points[i];
        const double x = layout.x.at(across(each));
        if (lasso.empty() || x < left->x || x > right->x) continue;
        const double y = layout.y.at(up(each));
        if (!layout.scatter.contains({x, y})) continue;  // of other parts of the axes
        bool inside = false;
        for (std::size_t a = 0, b = lasso.size() - 1; a < lasso.size(); b = a++) {
            const Point &from = lasso[a], &to = lasso[b];
            if ((from.y > y) == (to.y > y)) continue;
            if (x < from.x + (y - from.y) / (to.y - from.y) * (to.x - from.x)) inside = !inside;
        }
        if (inside) found.push_back(i);
    }
    return found;
}

}  // namespace skein
