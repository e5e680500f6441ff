// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomalies_scene.h"

#include "core/base/units.h"
#include "core/session/session_clock.h"
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

constexpr double kAnomalyDotPx = 5, kConsequenceDotPx = 3, kPointReachPx = 8;
constexpr std::size_t kMostConsequences = 20'000;  ///< that are drawn as shapes; more become pixels

/// A kind of mark of the scatter, as drawDot() and drawPixels() draw it; from right to left. `more` is added
/// where the whole key has room for it.
struct KeyMark {
    std::string_view text, more;
    double radiusPx, borderPx;
};
constexpr std::array<KeyMark, 3> kAnomalyKey{
    KeyMark{"normal calls", ", stronger where many are", 2, 0},
    KeyMark{"consequence of an anomaly", "", kConsequenceDotPx, 1},
    KeyMark{"anomaly", "", kAnomalyDotPx, 2.5},
};

class AnomaliesPainter {
public:
    AnomaliesPainter(const SessionAnomalies& anomalies, const ViewState& state, const AnomalyChoices& choices,
                     const Canvas& canvas)
        : anomalies_(anomalies),
          state_(state),
          choices_(choices),
          canvas_(canvas),
          theme_(canvas.theme()),
          shown_(shownPoints(anomalies, state, choices)),
          layout_(anomaliesLayout(anomalies, shown_, choices, canvas)),
          x_(anomalies, choices.x, choices.projected),
          y_(anomalies, choices.y, choices.projected),
          palettes_(palettesOf(RegionGroups(*anomalies.session, state.grouping), canvas.theme()))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw(const Task& task)
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        drawHead();
        drawAxes();
        list_.pushClip(layout_.scatter);
        if (!task.stopRequested()) drawPixels();
        if (!task.stopRequested()) drawShapes();
        list_.popClip();
        if (!task.stopRequested()) drawHeat();
        if (!task.stopRequested())
            drawAnomalyLists(list_, anomalies_, shown_, layout_, state_, choices_, canvas_);
        return std::move(list_);
    }

private:
    Point placeOfPoint(const AnomalyPoint& point) const
    {
        return {layout_.x.at(x_(point)), layout_.y.at(y_(point))};
    }

    Color colorOfPoint(const AnomalyPoint& point) const
    {
        const RegionPalette& palette = palettes_[point.call.experiment];
        return point.function < palette.argb.size() ? palette.color(RegionId(point.function))
                                                    : theme_.secondaryText;
    }

    bool isSelected(const AnomalyPoint& point) const
    {
        const auto& chosen = state_.selected.intervals;
        return std::binary_search(chosen.begin(), chosen.end(), point.call);
    }

    void drawHead()
    {
        std::size_t odd = 0, follows = 0;
        for (const std::uint32_t i : shown_) {
            const AnomalyLabel label = labelOf(anomalies_.points[i], state_.verdicts);
            odd += label == AnomalyLabel::Anomaly;
            follows += label == AnomalyLabel::Consequence;
        }
        if (!anomalies_.complete()) return drawEarlyHead(odd);
        const double drawn = anomalies_.keptShare * choices_.normalShare;
        list_.text(
            layout_.head,
            fmt::format(
                "{} anomalies · {} consequences · {} normal calls, of which {:.3g} % are drawn · {} by {}",
                formatGrouped(static_cast<std::int64_t>(odd)),
                formatGrouped(static_cast<std::int64_t>(follows)),
                formatGrouped(static_cast<std::int64_t>(anomalies_.normalCalls)), 100.0 * drawn,
                name(choices_.y), name(choices_.x)),
            theme_.secondaryText, FontStyle::Small);
        drawKey();
    }

    void drawEarlyHead(std::size_t anomalies)
    {
        list_.text(layout_.head,
                   fmt::format("{} anomalies so far, from {:.0f} % of the work · consequences and normal "
                               "calls follow · {} by {}",
                               formatGrouped(static_cast<std::int64_t>(anomalies)), 100.0 * anomalies_.share,
                               name(choices_.y), name(choices_.x)),
                   theme_.secondaryText, FontStyle::Small);
        drawKey();
    }

    double keyTextWidth(std::string_view text) const
    {
        return std::ceil(canvas_.measure.width(text, FontStyle::Small)) + canvas_.px(14);
    }
    double keyMarkWidth(const KeyMark& mark) const
    {
        return keyTextWidth(mark.text) + 2 * canvas_.px(mark.radiusPx) + canvas_.px(4);
    }

    /// What the marks are, below the scatter at the right: in the line of the heat map's title. In little
    /// room the last marks of the key, which matter most.
    void drawKey()
    {
        if (layout_.heat.height <= 0) return;
        const double line = canvas_.lineHeight(), y = layout_.heat.y - line - canvas_.px(2);
        const double usedByTitle = canvas_.px(150);
        double x = layout_.scatter.right();
        double room = x - layout_.heat.x - usedByTitle;
        std::size_t first = kAnomalyKey.size();
        while (first > 0 && keyMarkWidth(kAnomalyKey[first - 1]) <= room)
            room -= keyMarkWidth(kAnomalyKey[--first]);
        for (std::size_t i = first; i < kAnomalyKey.size(); ++i) {
            const KeyMark& mark = kAnomalyKey[i];
            std::string text(mark.text);
            if (first == 0 && keyTextWidth(text + std::string(mark.more)) - keyTextWidth(text) <= room)
                text += mark.more;
            const double radius = canvas_.px(mark.radiusPx), width = keyTextWidth(text);
            x -= width;
            list_.text({x, y, width, line}, text, theme_.secondaryText, FontStyle::Small);
            x -= 2 * radius + canvas_.px(4);
            list_.items.push_back(RectItem{{x, y + line / 2 - radius, 2 * radius, 2 * radius},
                                           theme_.grid,
                                           mark.borderPx > 2 ? theme_.text : theme_.secondaryText,
                                           canvas_.px(1) * mark.borderPx,
                                           mark.borderPx > 0 ? radius : 0,
                                           {}});
        }
    }

    void drawAxes()
    {
        const Rect& area = layout_.scatter;
        const double line = canvas_.lineHeight(), pad = canvas_.px(4);
        for (const double tick : ticksOf(layout_.x, unitOfAnomalyAxis(choices_.x),
                                         static_cast<int>(area.width / canvas_.px(90)))) {
            const double x = std::floor(layout_.x.at(tick));
            if (x < area.x || x >= area.right()) continue;
            list_.fillRect({x, area.y, canvas_.px(1), area.height}, theme_.grid);
            list_.text({x - canvas_.px(44), area.bottom() + pad, canvas_.px(88), line},
                       anomalyTickText(layout_.x, tick, unitOfAnomalyAxis(choices_.x)), theme_.secondaryText,
                       FontStyle::Small, Align::Center);
        }
        for (const double tick :
             ticksOf(layout_.y, unitOfAnomalyAxis(choices_.y), static_cast<int>(area.height / (2 * line)))) {
            const double y = std::floor(layout_.y.at(tick));
            if (y < area.y || y >= area.bottom()) continue;
            list_.fillRect({area.x, y, area.width, canvas_.px(1)}, theme_.grid);
            list_.text({0, y - line / 2, area.x - pad, line},
                       anomalyTickText(layout_.y, tick, unitOfAnomalyAxis(choices_.y)), theme_.secondaryText,
                       FontStyle::Small, Align::Right);
        }
        list_.strokeRect(area, theme_.frame);
    }

    /// Normal calls as blocks of 2 × 2 logical pixels: the more lie on one, the stronger it is; its colour is
    /// that of the call with the lowest dice among them.
    void drawPixels()
    {
        const Rect& area = layout_.scatter;
        const int block = static_cast<int>(canvas_.px(2));
        const int columns = static_cast<int>(area.width) / block,
                  rows = static_cast<int>(area.height) / block;
        if (columns < 1 || rows < 1) return;
        struct Cell {
            std::uint32_t count = 0, dice = 0xFFFFFFFFu, point = 0;
        };
        std::vector<Cell> cells(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows));
        std::uint32_t most = 1;
        for (const std::uint32_t i : shown_) {
            const AnomalyPoint& point = anomalies_.points[i];
            if (labelOf(point, state_.verdicts) != AnomalyLabel::Normal) continue;
            const Point at = placeOfPoint(point);
            const int column = static_cast<int>((at.x - area.x) / block),
                      row = static_cast<int>((at.y - area.y) / block);
            if (at.x < area.x || at.y < area.y || column >= columns || row >= rows) continue;
            Cell& cell = cells[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns)
                               + static_cast<std::size_t>(column)];
            most = std::max(most, ++cell.count);
            if (point.dice > cell.dice) continue;
            cell.dice = point.dice;
            cell.point = i;
        }
        PixelItem pixels{static_cast<int>(area.x), static_cast<int>(area.y), columns * block, {}, {}, {}};
        pixels.heights.assign(static_cast<std::size_t>(rows), block);
        pixels.argb.assign(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns * block), 0);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i].count == 0) continue;
            const double part = std::log1p(cells[i].count) / std::log1p(most);
            const std::uint32_t color = toArgb(
                mix(theme_.background, colorOfPoint(anomalies_.points[cells[i].point]), 0.35 + 0.65 * part));
            std::fill_n(pixels.argb.begin() + static_cast<std::ptrdiff_t>(i) * block, block, color);
        }
        list_.items.push_back(std::move(pixels));
    }

    /// Consequences as small dots, then anomalies with a thick border, least severe first.
    void drawShapes()
    {
        std::vector<std::uint32_t> follows, odd;
        for (const std::uint32_t i : shown_) {
            const AnomalyLabel label = labelOf(anomalies_.points[i], state_.verdicts);
            if (label == AnomalyLabel::Anomaly) odd.push_back(i);
            else if (label == AnomalyLabel::Consequence) follows.push_back(i);
        }
        const auto lessSevere = [this](std::uint32_t a, std::uint32_t b) {
            return anomalies_.points[a].severityNs < anomalies_.points[b].severityNs;
        };
        std::stable_sort(follows.begin(), follows.end(), lessSevere);
        std::stable_sort(odd.begin(), odd.end(), lessSevere);
        if (follows.size() > kMostConsequences)
            follows.erase(follows.begin(), follows.end() - static_cast<std::ptrdiff_t>(kMostConsequences));
        for (const std::uint32_t i : follows) drawDot(anomalies_.points[i], kConsequenceDotPx, 1);
        for (const std::uint32_t i : odd) drawDot(anomalies_.points[i], kAnomalyDotPx, 2.5);
    }

    void drawDot(const AnomalyPoint& point, double radiusPx, double border)
    {
        const Point at = placeOfPoint(point);
        const double radius = canvas_.px(radiusPx);
        const Color edge = isSelected(point) ? theme_.accent
            : border > 2                     ? theme_.text
                                             : theme_.secondaryText;
        list_.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                       colorOfPoint(point),
                                       edge,
                                       canvas_.px(1) * border,
                                       radius,
                                       {}});
    }

    /// Ranks from top to bottom, time from left to right.
    void drawHeat()
    {
        const Rect& area = layout_.heat;
        const int columns = static_cast<int>(area.width / canvas_.px(6));
        double begin = 0.0, end = 1.0;
        for (const std::uint32_t i : shown_)
            end = std::max(end, static_cast<double>(anomalies_.points[i].begin) + 1.0);
        if (choices_.x == AnomalyAxis::Entry) {  // the same time above each other
            begin = layout_.x.from;
            end = layout_.x.to;
        }
        const HeatRows places = heatRows();
        const std::vector<std::int64_t>& ranks = places.ranks;
        if (columns < 1 || ranks.empty() || area.height < canvas_.px(8)) return;
        const auto rows = std::min(ranks.size(), static_cast<std::size_t>(area.height / canvas_.px(2)));
        std::vector<double> cells(static_cast<std::size_t>(columns) * rows, 0.0);
        for (const std::uint32_t i : shown_) {
            const AnomalyPoint& point = anomalies_.points[i];
            const auto row = places.of(point) * rows / ranks.size();
            const auto column = static_cast<std::size_t>((static_cast<double>(point.begin) - begin)
                                                         / (end - begin) * columns);
            cells[row * static_cast<std::size_t>(columns)
                  + std::min(column, static_cast<std::size_t>(columns) - 1)] += weightOf(point);
        }
        const double most = *std::max_element(cells.begin(), cells.end());
        const double width = area.width / columns, height = area.height / static_cast<double>(rows);
        for (std::size_t i = 0; i < cells.size(); ++i) {
            if (cells[i] <= 0.0) continue;
            const double part = most > 0 ? std::sqrt(cells[i] / most) : 0.0;
            const double x = area.x + static_cast<double>(i % static_cast<std::size_t>(columns)) * width;
            const double y = area.y + static_cast<double>(i / static_cast<std::size_t>(columns)) * height;
            list_.fillRect(
                {std::floor(x), std::floor(y), std::ceil(width), std::max(1.0, std::ceil(height) - 1)},
                sequentialColor(theme_.dark, 0.15 + 0.85 * part));
        }
        drawHeatLabels(ranks, rows);
    }

    void drawHeatLabels(const std::vector<std::int64_t>& ranks, std::size_t rows)
    {
        const Rect& area = layout_.heat;
        const double line = canvas_.lineHeight(), height = area.height / static_cast<double>(rows);
        double free = area.y - line;
        for (std::size_t row = 0; row < rows; ++row) {
            const double y = area.y + (static_cast<double>(row) + 0.5) * height - line / 2;
            if (y < free) continue;
            list_.text({0, y, area.x - canvas_.px(4), line},
                       fmt::format("Rank {}", ranks[row * ranks.size() / rows]), theme_.secondaryText,
                       FontStyle::Small, Align::Right);
            free = y + line;
        }
        list_.strokeRect(area, theme_.frame);
        list_.text({area.x, area.y - line - canvas_.px(2), area.width, line},
                   fmt::format("{} by rank and time", name(choices_.heat)), theme_.secondaryText,
                   FontStyle::Small);
    }

    /// The ranks with shown points, and which of them each location is of.
    struct HeatRows {
        std::vector<std::int64_t> ranks;
        std::vector<std::vector<std::size_t>> places;  ///< by experiment and location

        std::size_t of(const AnomalyPoint& point) const
        {
            return places[point.call.experiment][point.call.location.index()];
        }
    };

    /// Locations are few, points are many.
    HeatRows heatRows() const
    {
        HeatRows rows;
        for (const auto& found : anomalies_.found)
            rows.places.emplace_back(found ? found->places.size() : 0, std::size_t{0});
        for (const std::uint32_t i : shown_) {
            const IntervalRef& call = anomalies_.points[i].call;
            rows.places[call.experiment][call.location.index()] = 1;
        }
        for (std::uint32_t i = 0; i < rows.places.size(); ++i)
            for (std::size_t location = 0; location < rows.places[i].size(); ++location)
                if (rows.places[i][location] > 0) rows.ranks.push_back(rankOf(i, location));
        std::sort(rows.ranks.begin(), rows.ranks.end());
        rows.ranks.erase(std::unique(rows.ranks.begin(), rows.ranks.end()), rows.ranks.end());
        for (std::uint32_t i = 0; i < rows.places.size(); ++i)
            for (std::size_t location = 0; location < rows.places[i].size(); ++location) {
                const auto at = std::lower_bound(rows.ranks.begin(), rows.ranks.end(), rankOf(i, location));
                rows.places[i][location] = static_cast<std::size_t>(at - rows.ranks.begin());
            }
        return rows;
    }

    std::int64_t rankOf(std::uint32_t experiment, std::size_t location) const
    {
        const std::int64_t rank = anomalies_.found[experiment]->places[location].rank;
        return rank >= 0 ? rank : static_cast<std::int64_t>(location);
    }

    double weightOf(const AnomalyPoint& point) const
    {
        if (choices_.heat == AnomalyHeat::Calls) return 1.0;
        if (labelOf(point, state_.verdicts) != AnomalyLabel::Anomaly) return 0.0;
        return choices_.heat == AnomalyHeat::Anomalies ? 1.0 : static_cast<double>(point.severityNs);
    }

    const SessionAnomalies& anomalies_;
    const ViewState& state_;
    const AnomalyChoices& choices_;
    const Canvas& canvas_;
    const Theme& theme_;
    std::vector<std::uint32_t> shown_;
    AnomaliesLayout layout_;
    AxisValues x_, y_;
    std::vector<RegionPalette> palettes_;
    DrawList list_;
};

}  // namespace

std::string_view name(AnomalyHeat heat)
{
    static constexpr std::array<std::string_view, kAnomalyHeats> names{"Anomalies", "Severity of anomalies",
                                                                       "Calls"};
    return names[static_cast<std::size_t>(heat)];
}

std::vector<std::uint32_t> shownPoints(const SessionAnomalies& anomalies, const ViewState& state,
                                       const AnomalyChoices& choices)
{
    std::vector<std::uint32_t> normal, odd;
    const auto most = static_cast<std::uint64_t>(choices.normalShare * 4294967296.0 * anomalies.keptShare);
    const FunctionsOfInterest wanted = functionsOfInterest(anomalies, choices.functions);
    const auto kept = keptSpan(state.filters);
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    for (std::uint32_t i = 0; i < anomalies.points.size(); ++i) {
        const AnomalyPoint& point = anomalies.points[i];
        const std::uint32_t experiment = point.call.experiment;
        const AnomalyLabel label = labelOf(point, state.verdicts);
        if (label == AnomalyLabel::Normal && point.dice >= most) continue;
        if (label == AnomalyLabel::Consequence && !choices.consequences) continue;
        if (label != AnomalyLabel::Normal
            && (point.severityNs < choices.leastSeverityNs || point.score < choices.leastScore))
            continue;
        if (!wanted.empty() && !wanted[experiment][point.function]) continue;
        if (!state.filters.empty()
            && (!passes(state.filters, RegionRef{experiment, RegionId(point.function)})
                || !passes(state.filters, LocationRef{experiment, point.call.location})))
            continue;
        const TimeNs begin = clock.toSession(experiment, point.begin);
        if (kept && (begin >= kept->end || begin + point.durationNs < kept->begin)) continue;
        (label == AnomalyLabel::Normal ? normal : odd).push_back(i);
    }
    normal.insert(normal.end(), odd.begin(), odd.end());
    return normal;
}

AnomaliesLayout anomaliesLayout(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                                const AnomalyChoices& choices, const Canvas& canvas)
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
    layout.x = scaleFor(anomalies, shown, choices.x, choices.projected);
    layout.x.low = layout.scatter.x;
    layout.x.high = layout.scatter.right();
    layout.y = scaleFor(anomalies, shown, choices.y, choices.projected);
    layout.y.low = layout.scatter.bottom();
    layout.y.high = layout.scatter.y;
    return layout;
}

DrawList anomaliesScene(const SessionAnomalies& anomalies, const ViewState& state,
                        const AnomalyChoices& choices, const Canvas& canvas, const Task& task)
{
    return AnomaliesPainter(anomalies, state, choices, canvas).draw(task);
}

std::optional<std::uint32_t> anomalyPointAt(const SessionAnomalies& anomalies,
                                            const std::vector<std::uint32_t>& shown,
                                            const AnomaliesLayout& layout, const AnomalyChoices& choices,
                                            const ViewState& state, Point point, double scale)
{
    std::optional<std::uint32_t> found;
    double nearest = kPointReachPx * scale;
    AnomalyLabel strangest = AnomalyLabel::Normal;
    const AxisValues across(anomalies, choices.x, choices.projected),
        up(anomalies, choices.y, choices.projected);
    for (const std::uint32_t i : shown) {
        const AnomalyPoint& each = anomalies.points[i];
        const double x = layout.x.at(across(each)) - point.x;
        if (std::abs(x) > kPointReachPx * scale) continue;  // nearly all
        const double y = layout.y.at(up(each)) - point.y;
        const double away = std::hypot(x, y);
        if (away > kPointReachPx * scale) continue;
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
                                           const std::vector<Point>& lasso)
{
    std::vector<std::uint32_t> found;
    const AxisValues across(anomalies, choices.x, choices.projected),
        up(anomalies, choices.y, choices.projected);
    const auto [left, right] = std::minmax_element(lasso.begin(), lasso.end(),
                                                   [](const Point& a, const Point& b) { return a.x < b.x; });
    for (const std::uint32_t i : shown) {
        const AnomalyPoint& each = anomalies.points[i];
        const double x = layout.x.at(across(each));
        if (lasso.empty() || x < left->x || x > right->x) continue;
        const double y = layout.y.at(up(each));
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
