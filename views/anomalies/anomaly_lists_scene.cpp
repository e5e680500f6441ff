// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/functions_of_calls.h"
#include "core/base/units.h"
#include "core/session/experiment_titles.h"
#include "core/session/session_clock.h"
#include "views/anomalies/anomalies_scene.h"
#include "views/anomalies/anomaly_radar_scene.h"
#include "views/common/scene/color/color_scale.h"
#include "views/common/scene/regions/region_groups.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

constexpr double kRoomForAllColumns = 400;
constexpr double kProposedShare = 0.8;
constexpr std::size_t kMostProposed = 10;
constexpr std::string_view kBetweenNames = " | ";

std::string loweredWord(std::string_view text)
{
    std::string lower;
    for (const char letter : text)
        lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return lower;
}

std::vector<std::string> namesIn(const std::string& list)
{
    std::vector<std::string> names;
    std::size_t from = 0;
    while (from <= list.size()) {
        const std::size_t to = std::min(list.find('|', from), list.size());
        std::string name = loweredWord(std::string_view(list).substr(from, to - from));
        name.erase(0, std::min(name.find_first_not_of(' '), name.size()));
        name.erase(name.find_last_not_of(' ') + 1);
        if (!name.empty()) names.push_back(std::move(name));
        from = to + 1;
    }
    return names;
}

/// Anomalies among the shown points of one experiment; `itemOf` tells whose.
template <typename ItemOf>
std::vector<CountedAnomaly> countedAnomalies(const SessionAnomalies& anomalies,
                                             const std::vector<std::uint32_t>& shown, const ViewState& state,
                                             std::uint32_t experiment, ItemOf itemOf)
{
    std::vector<CountedAnomaly> counted;
    for (const std::uint32_t i : shown) {
        const AnomalyPoint& point = anomalies.points[i];
        if (point.call.experiment == experiment && labelOf(point, state.verdicts) == AnomalyLabel::Anomaly)
            counted.push_back({itemOf(point), point.begin, point.severityNs});
    }
    return counted;
}

/// The time that is shown of a program, in its own clock, which windows of anomalies divide.
TimeSpan rankedSpan(const SessionAnomalies& anomalies, const ViewState& state, const AnomalyChoices& choices,
                    std::uint32_t experiment)
{
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    const TimeSpan whole = anomalies.session->experiments[experiment]->trace->extent;
    TimeSpan shown = whole;
    if (const auto kept = keptSpan(state.filters))
        shown = shown.intersected(clock.toExperiment(experiment, *kept));
    if (choices.window.lengthNs > 0)
        shown = shown.intersected(clock.toExperiment(experiment, choices.window.span(clock.extent.end)));
    return shown.empty() ? whole : shown;
}

void keepExtremes(std::vector<AnomalyLine>& lines, const AnomalyChoices& choices)
{
    std::stable_sort(lines.begin(), lines.end(), [&](const AnomalyLine& a, const AnomalyLine& b) {
        const double left = a.ranked.of(choices.statistic), right = b.ranked.of(choices.statistic);
        return choices.end == RankingEnd::Top ? left > right : left < right;
    });
    if (lines.size() > choices.listed) lines.resize(choices.listed);
}

std::string statisticText(AnomalyStatistic statistic, double value)
{
    return statistic == AnomalyStatistic::Severity ? formatDuration(value) : formatNumber(value);
}

/// Where the lines of both lists are.
struct ListPlaces {
    Rect functions, ranks;
    double line = 0;

    /// 0: the title, 1: the header of columns, then lines.
    Rect row(const Rect& of, std::size_t number) const
    {
        return {of.x, of.y + static_cast<double>(number) * line, of.width, line};
    }
    std::size_t lines(const Rect& of) const
    {
        const double rows = std::floor(of.height / line) - 2;
        return rows > 0 ? static_cast<std::size_t>(rows) : 0;
    }
};

ListPlaces listPlaces(const AnomaliesLayout& layout, std::size_t functions, std::size_t ranks,
                      FunctionsAs functionsAs, const Canvas& canvas)
{
    ListPlaces places;
    places.line = canvas.lineHeight() + canvas.px(4);
    const Rect& area = layout.list;
    const double gap = canvas.px(14), wanted = static_cast<double>(functions + 2) * places.line;
    const double others = static_cast<double>(ranks + 2) * places.line;
    const double half = std::max((area.height - gap) / 2, area.height - gap - others);
    const double above = std::max(0.0, functionsAs == FunctionsAs::Radar ? half : std::min(wanted, half));
    places.functions = {area.x, area.y, area.width, above};
    places.ranks = {area.x, area.y + above + gap, area.width, std::max(0.0, area.height - above - gap)};
    return places;
}

class AnomalyListPainter {
public:
    AnomalyListPainter(DrawList& list, const AnomalyLists& lists, const AnomaliesLayout& layout,
                       const ViewState& state, const AnomalyChoices& choices, const Canvas& canvas)
        : list_(list),
          state_(state),
          choices_(choices),
          canvas_(canvas),
          theme_(canvas.theme()),
          functions_(lists.functions),
          ranks_(lists.ranks),
          places_(listPlaces(layout, functions_.size(), ranks_.size(), choices.functionsAs, canvas)),
          palettes_(lists.palettes),
          partOfRun_(showsPartOfRun(state, choices))
    {
    }

    void draw()
    {
        if (choices_.functionsAs == FunctionsAs::List)
            drawList(places_.functions, functions_, "Functions", true);
        else drawRadar();
        drawList(places_.ranks, ranks_, "Ranks and threads", false);
    }

private:
    /// Where the columns of functions end, as parts of the width: name, statistic, anomalies, their share,
    /// mean. One that ends where it begins has no room, or says again what the statistic does.
    std::array<double, 5> functionColumns() const
    {
        if (places_.functions.width < canvas_.px(kRoomForAllColumns)) return {0.30, 0.54, 0.54, 0.54, 1.0};
        if (choices_.statistic == AnomalyStatistic::Count) return {0.30, 0.48, 0.48, 0.59, 1.0};
        return {0.28, 0.44, 0.60, 0.68, 1.0};
    }
    std::string statisticTitle() const
    {
        std::string title(name(choices_.statistic));
        if (!title.empty()) title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
        return title;
    }

    /// Of ranks: name, statistic with a bar, anomalies, time lost; as those of functions.
    std::array<double, 4> rankColumns() const
    {
        if (choices_.statistic == AnomalyStatistic::Count) return {0.33, 0.70, 0.70, 1.0};
        return {0.33, 0.53, 0.76, 1.0};
    }

    void cell(const Rect& row, double from, double to, const std::string& text, Color color)
    {
        if (to <= from) return;
        const double left = row.x + row.width * from, width = row.width * (to - from) - canvas_.px(4);
        list_.text({left, row.y, width, row.height},
                   elideMiddle(text, width, FontStyle::Small, canvas_.measure), color, FontStyle::Small,
                   Align::Right);
    }

    void drawList(const Rect& area, const std::vector<AnomalyLine>& lines, const char* what, bool functions)
    {
        const std::size_t fit = std::min(lines.size(), places_.lines(area));
        if (area.height < 3 * places_.line) return;
        const Rect title = places_.row(area, 0);
        list_.text(title,
                   elideMiddle(fmt::format("{}, {} {} by {}", what,
                                           choices_.end == RankingEnd::Top ? "top" : "bottom",
                                           choices_.listed, name(choices_.statistic)),
                               title.width, FontStyle::Bold, canvas_.measure),
                   theme_.text, FontStyle::Bold);
        functions ? drawFunctionHeader(places_.row(area, 1)) : drawRankHeader(places_.row(area, 1));
        for (std::size_t i = 0; i < fit; ++i)
            functions ? drawFunction(places_.row(area, i + 2), lines[i])
                      : drawRank(places_.row(area, i + 2), lines[i], lines);
    }

    void drawRadar()
    {
        const Rect& area = places_.functions;
        if (area.height < 3 * places_.line) return;
        const Rect title = places_.row(area, 0);
        list_.text(title,
                   elideMiddle(fmt::format("Functions, {} by {}, of the greatest",
                                           choices_.end == RankingEnd::Top ? "top" : "bottom",
                                           name(choices_.statistic)),
                               title.width, FontStyle::Bold, canvas_.measure),
                   theme_.text, FontStyle::Bold);
        drawAnomalyRadar(list_, {area.x, title.bottom(), area.width, area.bottom() - title.bottom()},
                         functions_, canvas_);
    }

    void drawFunctionHeader(const Rect& row)
    {
        const auto ends = functionColumns();
        list_.text({row.x, row.y, row.width * ends[0], row.height}, "Function", theme_.secondaryText,
                   FontStyle::Small);
        const std::string titles[] = {{},
                                      statisticTitle(),
                                      "Anomalies",
                                      partOfRun_ ? "" : "%",
                                      partOfRun_ ? "Run's mean ± σ" : "Mean ± σ"};
        for (std::size_t column = 1; column < ends.size(); ++column)
            cell(row, ends[column - 1], ends[column], titles[column], theme_.secondaryText);
    }

    void drawRankHeader(const Rect& row)
    {
        const auto ends = rankColumns();
        list_.text({row.x, row.y, row.width * ends[0], row.height}, "Location", theme_.secondaryText,
                   FontStyle::Small);
        const std::string titles[] = {{}, statisticTitle(), "Anomalies", "Lost"};
        for (std::size_t column = 1; column < ends.size(); ++column)
            cell(row, ends[column - 1], ends[column], titles[column], theme_.secondaryText);
    }

    void drawName(const Rect& row, double left, const AnomalyLine& line, double share)
    {
        const double width = row.x + row.width * share - left;
        list_.text({left, row.y, width, row.height},
                   elideName(line.name, width, FontStyle::Small, canvas_.measure), theme_.text,
                   FontStyle::Small);
    }

    void drawFunction(const Rect& row, const AnomalyLine& line)
    {
        const double dot = canvas_.px(8);
        const auto ends = functionColumns();
        const RegionPalette& palette = palettes_[line.experiment];
        if (line.item < palette.argb.size())
            list_.fillRect({row.x, row.y + (row.height - dot) / 2, dot, dot},
                           palette.color(RegionId(line.item)));
        drawName(row, row.x + dot + canvas_.px(4), line, ends[0]);
        const FunctionVerdicts& of = line.verdicts;
        cell(row, ends[0], ends[1], statisticText(choices_.statistic, line.ranked.of(choices_.statistic)),
             theme_.text);
        cell(row, ends[1], ends[2], formatCount(static_cast<double>(line.ranked.anomalies)), theme_.text);
        const double share = of.calls > 0
            ? 100.0 * static_cast<double>(line.ranked.anomalies) / static_cast<double>(of.calls)
            : 0.0;
        if (!partOfRun_) cell(row, ends[2], ends[3], fmt::format("{:.2g}", share), theme_.secondaryText);
        cell(row, ends[3], ends[4],
             fmt::format("{} ± {}", formatDuration(of.meanNs), formatDuration(of.deviationNs)),
             theme_.secondaryText);
    }

    void drawRank(const Rect& row, const AnomalyLine& line, const std::vector<AnomalyLine>& lines)
    {
        const auto ends = rankColumns();
        double most = 0;
        for (const AnomalyLine& each : lines)
            most = std::max(most, std::abs(each.ranked.of(choices_.statistic)));
        const double value = line.ranked.of(choices_.statistic);
        const double from = row.x + row.width * ends[0], wide = row.width * (ends[1] - ends[0]);
        if (most > 0)
            list_.fillRect({from + canvas_.px(8), row.y + canvas_.px(2),
                            std::max(0.0, (wide - canvas_.px(12)) * std::abs(value) / most),
                            row.height - canvas_.px(4)},
                           mix(theme_.background, sequentialColor(theme_.dark, 0.6), 0.35));
        const auto& chosen = state_.selected.locations;
        if (std::binary_search(chosen.begin(), chosen.end(),
                               LocationRef{line.experiment, LocationId(line.item)}))
            list_.fillRect(
                {row.x - canvas_.px(5), row.y + canvas_.px(2), canvas_.px(3), row.height - canvas_.px(4)},
                theme_.accent);
        drawName(row, row.x, line, ends[0]);
        cell(row, ends[0], ends[1], statisticText(choices_.statistic, value), theme_.text);
        cell(row, ends[1], ends[2], formatCount(static_cast<double>(line.ranked.anomalies)), theme_.text);
        cell(row, ends[2], ends[3], formatDuration(static_cast<double>(line.ranked.severityNs)),
             theme_.secondaryText);
    }

    DrawList& list_;
    const ViewState& state_;
    const AnomalyChoices& choices_;
    const Canvas& canvas_;
    const Theme& theme_;
    const std::vector<AnomalyLine>&functions_, &ranks_;
    ListPlaces places_;
    const std::vector<RegionPalette>& palettes_;
    const bool partOfRun_;  ///< calls and what they last are known of the whole run alone
};

}  // namespace

bool showsPartOfRun(const ViewState& state, const AnomalyChoices& choices)
{
    return choices.window.lengthNs > 0 || !choices.query.empty()
        || std::any_of(state.filters.begin(), state.filters.end(),
                       [](const Filter& filter) { return filter.span || !filter.locations.empty(); });
}

FunctionsOfInterest functionsOfInterest(const SessionAnomalies& anomalies, const std::string& names)
{
    FunctionsOfInterest wanted;
    const std::vector<std::string> parts = namesIn(names);
    if (parts.empty()) return wanted;
    for (std::uint32_t i = 0; i < anomalies.found.size(); ++i) {
        wanted.emplace_back();
        if (!anomalies.found[i]) continue;
        const std::size_t count = anomalies.found[i]->functionsOfCalls->count();
        for (std::uint32_t function = 0; function < count; ++function) {
            const std::string of =
                loweredWord(functionName(anomalies.session->experiments[i]->definitions, function));
            wanted[i].push_back(std::any_of(parts.begin(), parts.end(), [&](const std::string& part) {
                return of.find(part) != std::string::npos;
            }));
        }
    }
    return wanted;
}

std::string proposedNames(const SessionAnomalies& anomalies)
{
    std::vector<std::string> names;
    for (std::uint32_t i = 0; i < anomalies.found.size(); ++i)
        if (anomalies.found[i])
            for (const std::uint32_t function :
                 proposedFunctions(*anomalies.found[i], kProposedShare, kMostProposed))
                names.push_back(functionName(anomalies.session->experiments[i]->definitions, function));
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i)
        if (std::find(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(i), names[i])
            == names.begin() + static_cast<std::ptrdiff_t>(i))
            list += (list.empty() ? "" : std::string(kBetweenNames)) + names[i];
    return list;
}

std::vector<AnomalyLine> functionLines(const SessionAnomalies& anomalies,
                                       const std::vector<std::uint32_t>& shown, const ViewState& state,
                                       const AnomalyChoices& choices)
{
    std::vector<AnomalyLine> lines;
    const FunctionsOfInterest wanted = functionsOfInterest(anomalies, choices.functions);
    for (std::uint32_t i = 0; i < anomalies.found.size(); ++i) {
        if (!anomalies.found[i]) continue;
        const FoundAnomalies& found = *anomalies.found[i];
        const Experiment& experiment = *anomalies.session->experiments[i];
        const TimeSpan span = rankedSpan(anomalies, state, choices, i);
        const auto ranked = rankAnomalies(
            countedAnomalies(anomalies, shown, state, i,
                             [](const AnomalyPoint& point) { return point.function; }),
            static_cast<std::uint32_t>(found.functionsOfCalls->count()), span, anomalyWindows(span));
        std::vector<double> highest(found.functionsOfCalls->count(), 0.0);
        for (const std::uint32_t number : shown) {
            const AnomalyPoint& point = anomalies.points[number];
            if (point.call.experiment == i && point.label != AnomalyLabel::Normal
                && labelOf(point, state.verdicts) == AnomalyLabel::Anomaly)
                highest[point.function] = std::max(highest[point.function], point.score);
        }
        for (const FunctionVerdicts& of : found.functions) {
            if (!wanted.empty() && !wanted[i][of.function]) continue;
            if (!passes(state.filters, RegionRef{i, RegionId(of.function)})) continue;
            lines.push_back({i, of.function, functionName(experiment.definitions, of.function),
                             ranked[of.function], of, highest[of.function]});
        }
    }
    keepExtremes(lines, choices);
    return lines;
}

std::vector<AnomalyLine> rankLines(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                                   const ViewState& state, const AnomalyChoices& choices)
{
    std::vector<AnomalyLine> lines;
    const std::vector<std::string> titles = experimentTitles(*anomalies.session);
    for (std::uint32_t i = 0; i < anomalies.found.size(); ++i) {
        if (!anomalies.found[i]) continue;
        const Experiment& experiment = *anomalies.session->experiments[i];
        const std::string prefix = titles.size() > 1 ? titles[i] + " " : std::string();
        const TimeSpan span = rankedSpan(anomalies, state, choices, i);
        const auto ranked = rankAnomalies(
            countedAnomalies(anomalies, shown, state, i,
                             [](const AnomalyPoint& point) { return point.call.location.value(); }),
            static_cast<std::uint32_t>(experiment.trace->locations.size()), span, anomalyWindows(span));
        for (const RankedItem& of : ranked) {
            const bool any = experiment.trace->locations[of.item].intervals.size() > 0;
            if (!any || !passes(state.filters, LocationRef{i, LocationId(of.item)})) continue;
            lines.push_back(
                {i, of.item, prefix + displayName(experiment.definitions, LocationId(of.item)), of, {}});
        }
    }
    keepExtremes(lines, choices);
    return lines;
}

std::optional<AnomalyListHit> anomalyListAt(const SessionAnomalies& anomalies,
                                            const std::vector<std::uint32_t>& shown,
                                            const AnomaliesLayout& layout, const ViewState& state,
                                            const AnomalyChoices& choices, const Canvas& canvas, Point point)
{
    if (!layout.list.contains(point)) return std::nullopt;
    const auto functions = functionLines(anomalies, shown, state, choices);
    const auto ranks = rankLines(anomalies, shown, state, choices);
    const ListPlaces places = listPlaces(layout, functions.size(), ranks.size(), choices.functionsAs, canvas);
    for (const bool isFunction : {true, false}) {
        if (isFunction && choices.functionsAs == FunctionsAs::Radar) continue;
        const Rect& area = isFunction ? places.functions : places.ranks;
        const auto& lines = isFunction ? functions : ranks;
        if (!area.contains(point)) continue;
        const auto row = static_cast<std::size_t>((point.y - area.y) / places.line);
        if (row >= 2 && row - 2 < std::min(lines.size(), places.lines(area)))
            return AnomalyListHit{isFunction, lines[row - 2]};
    }
    return std::nullopt;
}

void drawAnomalyLists(DrawList& list, const AnomalyLists& lists, const AnomaliesLayout& layout,
                      const ViewState& state, const AnomalyChoices& choices, const Canvas& canvas)
{
    if (layout.list.empty()) return;
    AnomalyListPainter(list, lists, layout, state, choices, canvas).draw();
}

}  // namespace skein
