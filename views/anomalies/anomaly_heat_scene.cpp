// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_heat_scene.h"

#include "core/base/units.h"
#include "core/session/experiment_titles.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

AnomalyHeatRank heatRankOf(const SessionAnomalies& anomalies, std::uint32_t experiment, std::size_t location)
{
    const std::int64_t rank = anomalies.found[experiment]->places[location].rank;
    return {experiment, rank >= 0 ? rank : static_cast<std::int64_t>(location)};
}

double weightOf(const AnomalyPoint& point, AnomalyHeat heat, const std::vector<CallVerdict>& verdicts)
{
    if (heat == AnomalyHeat::Calls) return 1.0;
    if (labelOf(point, verdicts) != AnomalyLabel::Anomaly) return 0.0;
    return heat == AnomalyHeat::Anomalies ? 1.0 : static_cast<double>(point.severityNs);
}

}  // namespace

AnomalyHeatMap::AnomalyHeatMap(const SessionAnomalies& anomalies, const ViewState& state,
                               const AnomalyChoices& choices, const std::vector<std::uint32_t>& shown,
                               const AnomalyScale& x)
    : heat_(choices.heat),
      sampled_(choices.heat == AnomalyHeat::Calls && anomalies.keptShare * choices.normalShare < 1.0),
      followsAxis_(choices.x == AnomalyAxis::Entry && choices.window.lengthNs == 0)
{
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    if (anomalies.session->experiments.size() > 1) titles_ = experimentTitles(*anomalies.session);
    const bool windowed = choices.window.lengthNs > 0;
    const std::vector<std::uint32_t> all =
        windowed ? pointsOfAllTimes(anomalies, state, choices) : std::vector<std::uint32_t>();
    const std::vector<std::uint32_t>& points = windowed ? all : shown;
    const auto rows = rowsOfLocations(anomalies, points);
    addTimes(anomalies, choices, points, clock, x);
    for (const std::uint32_t i : points) {
        const AnomalyPoint& point = anomalies.points[i];
        const double weight = weightOf(point, heat_, state.verdicts);
        if (weight <= 0.0) continue;
        const auto begin = static_cast<double>(clock.toSession(point.call.experiment, point.begin));
        calls_.push_back(
            {static_cast<float>((begin - from_) / (to_ - from_)),
             static_cast<std::uint32_t>(rows[point.call.experiment][point.call.location.index()]), i,
             weight});
    }
}

void AnomalyHeatMap::addTimes(const SessionAnomalies& anomalies, const AnomalyChoices& choices,
                              const std::vector<std::uint32_t>& points, const SessionClock& clock,
                              const AnomalyScale& x)
{
    if (choices.window.lengthNs > 0) {
        from_ = static_cast<double>(clock.extent.begin);  // below 0 where clocks are shifted back
        to_ = std::max(from_ + 1.0, static_cast<double>(clock.extent.end));
        const TimeSpan window = choices.window.span(clock.extent.end);
        windowFrom_ = std::max(0.0, (static_cast<double>(window.begin) - from_) / (to_ - from_));
        windowTo_ = (static_cast<double>(window.end) - from_) / (to_ - from_);
        return;
    }
    if (choices.x == AnomalyAxis::Entry) {
        from_ = x.from;
        to_ = x.to;
        return;
    }
    for (const std::uint32_t i : points) {
        const AnomalyPoint& point = anomalies.points[i];
        const auto begin = static_cast<double>(clock.toSession(point.call.experiment, point.begin));
        from_ = std::min(from_, begin);
        to_ = std::max(to_, begin + 1.0);
    }
}

/// The ranks with points become rows; by experiment and location, which row is its. Locations are few,
/// points are many.
std::vector<std::vector<std::size_t>> AnomalyHeatMap::rowsOfLocations(
    const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& points)
{
    std::vector<std::vector<std::size_t>> places;
    for (const auto& found : anomalies.found)
        places.emplace_back(found ? found->places.size() : 0, std::size_t{0});
    for (const std::uint32_t i : points) {
        const IntervalRef& call = anomalies.points[i].call;
        places[call.experiment][call.location.index()] = 1;
    }
    for (std::uint32_t i = 0; i < places.size(); ++i)
        for (std::size_t location = 0; location < places[i].size(); ++location)
            if (places[i][location] > 0) ranks_.push_back(heatRankOf(anomalies, i, location));
    std::sort(ranks_.begin(), ranks_.end());
    ranks_.erase(std::unique(ranks_.begin(), ranks_.end()), ranks_.end());
    for (std::uint32_t i = 0; i < places.size(); ++i)
        for (std::size_t location = 0; location < places[i].size(); ++location) {
            const auto at =
                std::lower_bound(ranks_.begin(), ranks_.end(), heatRankOf(anomalies, i, location));
            places[i][location] = static_cast<std::size_t>(at - ranks_.begin());
        }
    return places;
}

std::optional<AnomalyHeatMap::Grid> AnomalyHeatMap::gridOf(const Rect& area, const AnomalyZoom& zoom,
                                                           const Canvas& canvas) const
{
    Grid grid;
    grid.columns = static_cast<int>(area.width / canvas.px(6));
    if (grid.columns < 1 || ranks_.empty() || area.height < canvas.px(8)) return std::nullopt;
    grid.rows = std::min(ranks_.size(), static_cast<std::size_t>(area.height / canvas.px(2)));
    if (followsAxis_) {
        grid.left = zoom.left;
        grid.right = zoom.right;
    }
    return grid;
}

std::optional<std::size_t> AnomalyHeatMap::cellOf(const HeatCall& call, const Grid& grid) const
{
    const double part = (static_cast<double>(call.time) - grid.left) / (grid.right - grid.left);
    if (!(part >= 0.0 && part <= 1.0)) return std::nullopt;
    const auto columns = static_cast<std::size_t>(grid.columns);
    const auto column = std::min(static_cast<std::size_t>(part * grid.columns), columns - 1);
    return call.row * grid.rows / ranks_.size() * columns + column;
}

void AnomalyHeatMap::draw(DrawList& list, const Rect& area, const AnomalyZoom& zoom,
                          const Canvas& canvas) const
{
    const auto grid = gridOf(area, zoom, canvas);
    if (!grid) return;
    const Theme& theme = canvas.theme();
    const auto columns = static_cast<std::size_t>(grid->columns);
    std::vector<double> cells(columns * grid->rows, 0.0);
    for (const HeatCall& call : calls_)
        if (const auto cell = cellOf(call, *grid)) cells[*cell] += call.weight;
    const double most = *std::max_element(cells.begin(), cells.end());
    const double width = area.width / grid->columns, height = area.height / static_cast<double>(grid->rows);
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] <= 0.0) continue;
        const double part = most > 0 ? std::sqrt(cells[i] / most) : 0.0;
        const double x = area.x + static_cast<double>(i % columns) * width;
        const double y = area.y + static_cast<double>(i / columns) * height;
        list.fillRect({std::floor(x), std::floor(y), std::ceil(width), std::max(1.0, std::ceil(height) - 1)},
                      sequentialColor(theme.dark, 0.15 + 0.85 * part));
    }
    if (windowTo_ > windowFrom_)
        list.strokeRect({area.x + windowFrom_ * area.width, area.y,
                         std::max(canvas.px(2), (windowTo_ - windowFrom_) * area.width), area.height},
                        theme.accent, canvas.px(2));
    drawLabels(list, area, grid->rows, canvas);
}

void AnomalyHeatMap::drawLabels(DrawList& list, const Rect& area, std::size_t rows,
                                const Canvas& canvas) const
{
    const Theme& theme = canvas.theme();
    const double line = canvas.lineHeight(), height = area.height / static_cast<double>(rows);
    double free = area.y - line;
    for (std::size_t row = 0; row < rows; ++row) {
        const double y = area.y + (static_cast<double>(row) + 0.5) * height - line / 2;
        if (y < free) continue;
        const double width = area.x - canvas.px(4);
        list.text({0, y, width, line}, labelOf(ranks_[row * ranks_.size() / rows], width, canvas.measure),
                  theme.secondaryText, FontStyle::Small, Align::Right);
        free = y + line;
    }
    list.strokeRect(area, theme.frame);
    list.text({area.x, area.y - line - canvas.px(2), area.width, line},
              fmt::format("{} by rank and time", sampled_ ? "Drawn calls" : name(heat_)), theme.secondaryText,
              FontStyle::Small);
}

std::optional<AnomalyHeatCell> AnomalyHeatMap::cellAt(const Rect& area, const AnomalyZoom& zoom,
                                                      const Canvas& canvas, Point point) const
{
    const auto grid = gridOf(area, zoom, canvas);
    if (!grid || !area.contains(point)) return std::nullopt;
    const auto columns = static_cast<std::size_t>(grid->columns);
    const auto column =
        std::min(columns - 1, static_cast<std::size_t>((point.x - area.x) * grid->columns / area.width));
    const auto row = std::min(
        grid->rows - 1,
        static_cast<std::size_t>((point.y - area.y) * static_cast<double>(grid->rows) / area.height));
    AnomalyHeatCell cell;
    std::optional<std::uint32_t> first, last;
    for (const HeatCall& call : calls_) {
        if (cellOf(call, *grid) != row * columns + column) continue;
        cell.value += call.weight;
        cell.points.push_back(call.point);
        first = std::min(first.value_or(call.row), call.row);
        last = std::max(last.value_or(call.row), call.row);
    }
    if (!first) return std::nullopt;
    cell.first = ranks_[*first];
    cell.last = ranks_[*last];
    const auto timeAt = [&](std::size_t edge) {
        const double part =
            grid->left + (grid->right - grid->left) * static_cast<double>(edge) / grid->columns;
        return static_cast<TimeNs>(std::llround(from_ + part * (to_ - from_)));
    };
    cell.span = {timeAt(column), timeAt(column + 1)};
    cell.text = textOf(cell);
    return cell;
}

/// In little room the number stays whole.
std::string AnomalyHeatMap::labelOf(const AnomalyHeatRank& rank, double width,
                                    const TextMeasure& measure) const
{
    const std::string name = nameOf(rank);
    if (titles_.empty() || measure.width(name, FontStyle::Small) <= width) return name;
    const std::string number = fmt::format(" {}", rank.rank);
    return elideMiddle(titles_[rank.experiment], width - measure.width(number, FontStyle::Small),
                       FontStyle::Small, measure)
        + number;
}

std::string AnomalyHeatMap::nameOf(const AnomalyHeatRank& rank) const
{
    const std::string name = fmt::format("Rank {}", rank.rank);
    return titles_.empty() ? name : titles_[rank.experiment] + " " + name;
}

std::vector<std::string> AnomalyHeatMap::textOf(const AnomalyHeatCell& cell) const
{
    const std::string ranks =
        cell.first == cell.last ? nameOf(cell.first) : nameOf(cell.first) + " to " + nameOf(cell.last);
    const std::size_t count = cell.points.size();
    const bool calls = heat_ == AnomalyHeat::Calls, one = count == 1;
    std::string amount = fmt::format("{} {}", formatCount(static_cast<double>(count)),
                                     calls ? (one ? "call" : "calls") : (one ? "anomaly" : "anomalies"));
    if (sampled_) amount += ", of those that are drawn";
    if (heat_ == AnomalyHeat::Severity) amount += ", " + formatDuration(cell.value) + " lost";
    return {ranks,
            fmt::format("{} to {}", formatDuration(static_cast<double>(cell.span.begin)),
                        formatDuration(static_cast<double>(cell.span.end))),
            amount};
}

}  // namespace skein
