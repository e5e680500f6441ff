// SPDX-License-Identifier: GPL-3.0-or-later
#include "python/native/picture_tips.h"

#include "core/session/session_clock.h"
#include "views/common/scene/drawing/pixel_runs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein::python {
namespace {

constexpr double kNarrowestTip = 3;
constexpr double kSmallestTip = 6;  ///< nodes and dots can be met with a pointer

/// The widest of them, in the order in which they were found.
std::vector<SvgTip> widest(std::vector<SvgTip> tips)
{
    if (tips.size() <= kMostTips) return tips;
    std::vector<double> widths;
    for (const SvgTip& tip : tips) widths.push_back(tip.place.width * tip.place.height);
    std::nth_element(widths.begin(), widths.begin() + kMostTips, widths.end(), std::greater<>());
    const double least = widths[kMostTips];
    // Of those that are just as wide the first ones stay: all may be.
    auto room = static_cast<std::ptrdiff_t>(kMostTips)
        - std::count_if(widths.begin(), widths.end(), [least](double width) { return width > least; });
    std::erase_if(tips, [&](const SvgTip& tip) {
        const double width = tip.place.width * tip.place.height;
        return width < least || (width == least && room-- <= 0);
    });
    return tips;
}

/// Tells the calls of one run of pixels of one colour: where a call ends the next one is asked for.
class RunTeller {
public:
    explicit RunTeller(const DrawnTimeline& drawn) : drawn_(drawn), messages_() {}

    void tell(const Rect& run, std::vector<SvgTip>& tips) const
    {
        double x = run.x;
        while (run.right() - x >= kNarrowestTip) {
            const Hover hover =
                timelineHit(drawn_.data, drawn_.state, drawn_.options, drawn_.layout, messages_,
                            drawn_.measure, {x + kNarrowestTip / 2, run.y + run.height / 2});
            const double end = endOf(hover, run, x);
            if (hover.interval.valid() && end - x >= kNarrowestTip)
                tips.push_back({{x, run.y, end - x, run.height}, timelineTooltip(drawn_.data, hover)});
            x = std::max(x + kNarrowestTip, end);
        }
    }

private:
    double endOf(const Hover& hover, const Rect& run, double x) const
    {
        if (!hover.interval.valid()) return x + kNarrowestTip;
        const Experiment& experiment = *drawn_.data.session.experiments[hover.interval.experiment];
        const TimeNs end =
            experiment.trace->locations[hover.interval.location.index()].intervals.end[hover.interval.index];
        const double right =
            drawn_.layout.scale.toX(drawn_.data.clock.toSession(hover.interval.experiment, end));
        return std::min(run.right(), std::floor(right));
    }

    const DrawnTimeline& drawn_;
    VisibleMessages messages_;  ///< none: calls are told as if no message lay over them
};

void tellPixels(const PixelItem& item, const RunTeller& teller, std::vector<SvgTip>& tips)
{
    visitRuns(item, [&](const PixelRun& run) {
        const int width = run.to - run.from;
        if (run.argb >> 24 == 0 || width < kNarrowestTip || run.height < 2) return;
        teller.tell({static_cast<double>(item.x + run.from), static_cast<double>(run.y),
                     static_cast<double>(width), static_cast<double>(run.height)},
                    tips);
    });
}

/// Around the middle of a line: a tooltip has a rectangle.
void tellMessages(const DrawnTimeline& drawn, std::vector<SvgTip>& tips)
{
    constexpr std::size_t kMostMessages = 1000;  ///< more than are drawn where there are very many
    const VisibleMessages messages = visibleMessages(drawn.data, drawn.layout, drawn.state.filters);
    if (messages.drawn.size() > kMostMessages) return;
    for (const PlacedMessage& message : messages.drawn) {
        Hover hover;
        hover.message = message.message;
        const Point middle{(message.from.x + message.to.x) / 2, (message.from.y + message.to.y) / 2};
        tips.push_back({{middle.x - 3, middle.y - 3, 6, 6}, timelineTooltip(drawn.data, hover)});
    }
}

Rect around(Point at, double radius)
{
    const double reach = std::max(radius, kSmallestTip / 2);
    return {at.x - reach, at.y - reach, 2 * reach, 2 * reach};
}

/// The cells that are told, by row and column: those with the greatest values where there are too many. Of
/// equal ones the first stay.
std::vector<std::size_t> heaviestCells(const CommMatrixTable& table)
{
    std::vector<std::size_t> numbers(table.cells.size());
    std::iota(numbers.begin(), numbers.end(), std::size_t{0});
    if (numbers.size() <= kMostTips) return numbers;
    const auto known = [&table](std::size_t number) {
        return std::isnan(table.values[number]) ? -1.0 : table.values[number];
    };
    std::stable_sort(numbers.begin(), numbers.end(),
                     [&known](std::size_t a, std::size_t b) { return known(a) > known(b); });
    numbers.resize(kMostTips);
    std::sort(numbers.begin(), numbers.end());
    return numbers;
}

}  // namespace

std::vector<SvgTip> timelineTips(const DrawList& list, const DrawnTimeline& drawn, const Task& task)
{
    std::vector<SvgTip> tips;
    const RunTeller teller(drawn);
    for (const DrawItem& item : list.items) {
        if (task.stopRequested()) return {};
        if (const auto* pixels = std::get_if<PixelItem>(&item)) tellPixels(*pixels, teller, tips);
    }
    tips = widest(std::move(tips));
    if (drawn.options.messages == MessageDisplay::Shown) tellMessages(drawn, tips);
    return tips;
}

std::vector<SvgTip> treeTips(const TreeGraph& graph, const TreeGraphOptions& options, const Canvas& canvas)
{
    std::vector<SvgTip> tips;
    const TreeGraphLayout layout = treeGraphLayout(graph, options, canvas);
    for (const std::uint32_t node : graph.byValue) {
        if (tips.size() == kMostTips) break;
        const double radius = nodeRadius(graph, options, layout, node);
        tips.push_back({around(layout.place(graph, node), radius), treeNodeTooltip(graph, node)});
    }
    return tips;
}

std::vector<SvgTip> matrixTips(const CommMatrixPicture& picture, const Canvas& canvas)
{
    std::vector<SvgTip> tips;
    const CommMatrixLayout layout = commMatrixLayout(picture, canvas);
    const double step = layout.body.height / std::max(1e-9, picture.endRow - picture.firstRow);
    for (const std::size_t number : heaviestCells(*picture.table)) {
        const CommMatrixCell& cell = picture.table->cells[number];
        const Point middle{layout.body.x + (cell.column + 0.5) * step,
                           layout.body.y + (cell.row + 0.5) * step};
        tips.push_back({around(middle, step / 2), commCellText(*picture.table, cell.row, cell.column)});
    }
    return tips;
}

std::vector<SvgTip> scatterTips(const SessionAnomalies& anomalies, const ViewState& state,
                                const AnomalyChoices& choices, const Canvas& canvas)
{
    std::vector<SvgTip> tips;
    const auto shown = shownPoints(anomalies, state, choices);
    const SessionClock clock = sessionClock(*anomalies.session, state.clockShiftsNs);
    const AnomaliesLayout layout = anomaliesLayout(anomalies, shown, choices, canvas, state.clockShiftsNs);
    // Anomalies stand last and are told first.
    for (auto at = shown.rbegin(); at != shown.rend() && tips.size() < kMostTips; ++at) {
        const AnomalyPoint& point = anomalies.points[*at];
        if (labelOf(point, state.verdicts) == AnomalyLabel::Normal) continue;
        const TimeNs begin = clock.toSession(point.call.experiment, point.begin);
        const Point place{layout.x.at(static_cast<double>(begin)),
                          layout.y.at(static_cast<double>(point.durationNs))};
        if (layout.scatter.contains(place))
            tips.push_back({around(place, 0), anomalyTooltip(anomalies, point, state.clockShiftsNs)});
    }
    std::reverse(tips.begin(), tips.end());
    return tips;
}

}  // namespace skein::python
