// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/plot_axes.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <utility>

namespace skein {
namespace {

constexpr double kFewestLines = 6;   ///< of a field, which has a title, ticks and a foot
constexpr double kLeastWidth = 136;  ///< px

std::string remapLoadText(const Traffic& traffic, double load)
{
    return traffic.unit == LoadUnit::Bytes ? formatBytes(load) : formatNumber(load) + " messages";
}

const Traffic& trafficBefore(const RemapPicture& picture)
{
    return picture.compared ? picture.compared->traffic : picture.communication->traffic;
}

/// Between a field's title and its foot.
Rect plotRoom(const Rect& field, const Canvas& canvas)
{
    const double line = canvas.lineHeight();
    return {field.x, field.y + line, field.width, std::max(1.0, field.height - 2 * line - canvas.px(4))};
}

/// Without trailing digits; what is less has no sign, as the title says "less".
std::string percentTick(double percent) { return fmt::format("{:.4g} %", std::abs(percent)); }

double lessPercent(std::int64_t objective, std::int64_t before)
{
    return before > 0 ? 100 - 100.0 * static_cast<double>(objective) / static_cast<double>(before) : 0;
}

ValueAxis loadAxis(const Traffic& traffic, double from, double to)
{
    const bool bytes = traffic.unit == LoadUnit::Bytes;
    return {from, to, bytes ? "B" : "", {}, !bytes};
}

PlotFrame frontFrame(const RemapCandidate& candidate, const Rect& field, const Canvas& canvas)
{
    const double ranks = std::max<double>(1, candidate.placement.ranks());
    const double possible = std::max(1e-6, candidate.possiblePercent());
    return plotFrame(plotRoom(field, canvas), {0, ranks, "ranks", {}, true}, {0, possible, "", percentTick},
                     canvas);
}

/// Where a point of a front lies.
Point frontPoint(const RemapCandidate& candidate, const MovedTradeOff& point, const PlotFrame& frame)
{
    return frame.at(point.moved, lessPercent(point.objective, candidate.objectiveBefore));
}

class RemapPainter {
public:
    RemapPainter(const RemapPicture& picture, const Canvas& canvas)
        : picture_(picture), canvas_(canvas), theme_(canvas.theme()), layout_(remapLayout(canvas))
    {
        list_.width = canvas.width;
        list_.height = canvas.height;
        list_.background = theme_.background;
    }

    DrawList draw()
    {
        list_.text(layout_.caption, canvas_.style.caption, theme_.secondaryText, FontStyle::Small);
        drawCurve();
        drawLoads();
        if (layout_.front.width > 0) drawFront();
        if (layout_.change.width > 0) drawChange();
        return std::move(list_);
    }

private:
    void small(const Rect& box, const std::string& text, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), theme_.secondaryText,
                   FontStyle::Small, align);
    }

    /// In brief where there is no room for all words.
    void title(const Rect& field, const std::string& text, const std::string& brief)
    {
        const bool fits = canvas_.measure.width(text, FontStyle::Small) <= field.width;
        list_.text({field.x, field.y, field.width, canvas_.lineHeight()},
                   elideMiddle(fits ? text : brief, field.width, FontStyle::Small, canvas_.measure),
                   theme_.text, FontStyle::Small);
    }

    PlotFrame begin(const Rect& field, ValueAxis across, ValueAxis up)
    {
        const PlotFrame frame =
            plotFrame(plotRoom(field, canvas_), std::move(across), std::move(up), canvas_);
        drawPlotFrame(list_, frame, canvas_);
        return frame;
    }

    void foot(const Rect& field, const std::string& text)
    {
        const double line = canvas_.lineHeight();
        small({field.x, field.bottom() - line, field.width, line}, text);
    }

    std::int64_t before() const
    {
        return picture_.candidate ? picture_.candidate->objectiveBefore
                                  : (picture_.worth ? picture_.worth->before : 0);
    }
    std::int64_t bound() const
    {
        return picture_.candidate ? picture_.candidate->bound : (picture_.worth ? picture_.worth->bound : 0);
    }

    void drawCurve()
    {
        title(layout_.curve, "Best objective against time of the search, % less than now",
              "Best, % less, by time");
        const double most = std::max(1.0, lessPercent(bound(), before()) + 1);
        const double end = picture_.curve.empty()
            ? 1
            : std::max({1e-3, picture_.searchedSeconds, picture_.curve.back().seconds});
        // Upside down: the objective falls.
        const PlotFrame frame = begin(layout_.curve, {0, 1e9 * end, "ns"}, {-most, 0, "", percentTick});
        const auto yOf = [&](std::int64_t objective) { return frame.toY(-lessPercent(objective, before())); };
        if (before() > 0) drawBound(frame.plot, yOf(bound()), lessPercent(bound(), before()));
        if (picture_.curve.empty())
            return foot(layout_.curve,
                        picture_.candidate ? "No search of its own led to this candidate."
                                           : "No search has run yet.");
        Point last{frame.plot.x, yOf(before())};
        for (const MappingProgress& progress : picture_.curve) {
            const Point next{frame.toX(1e9 * progress.seconds), yOf(progress.objective)};
            list_.line(last, {next.x, last.y}, theme_.message, canvas_.px(2));
            list_.line({next.x, last.y}, next, theme_.message, canvas_.px(2));
            last = next;
        }
        list_.line(last, {frame.plot.right(), last.y}, theme_.message, canvas_.px(2));
        foot(layout_.curve,
             fmt::format("{:.2f} % less after {:.2f} s",
                         lessPercent(picture_.curve.back().objective, before()), end));
    }

    void drawBound(const Rect& plot, double y, double percent)
    {
        const double line = canvas_.lineHeight();
        list_.line({plot.x, y}, {plot.right(), y}, theme_.warning, canvas_.px(1));
        small({plot.x + canvas_.px(4), y - line < plot.y ? y : y - line, plot.width - canvas_.px(8), line},
              fmt::format("no placement is below: at most {:.1f} % less", percent));
    }

    void drawLoads()
    {
        title(layout_.loads, "Loads of links in descending order", "Loads of links");
        const auto first = trafficBefore(picture_).loads.listed();
        const auto second =
            picture_.candidate ? picture_.candidate->traffic.loads.listed() : std::vector<std::uint64_t>();
        const auto largest = [](const std::vector<std::uint64_t>& loads) {
            return loads.empty() ? 0.0 : static_cast<double>(*std::ranges::max_element(loads));
        };
        const double most = std::max(largest(first), largest(second));
        const auto links = static_cast<double>(std::max(first.size(), second.size()));
        const PlotFrame frame =
            begin(layout_.loads, {0, links, "links", {}, true}, loadAxis(trafficBefore(picture_), 0, most));
        drawDescending(list_, frame, first, theme_.secondaryText, canvas_.px(2));
        drawDescending(list_, frame, second, clusterColor(0, theme_.dark), canvas_.px(2));
        std::string text =
            fmt::format("grey: {}, at most {}", picture_.compared ? picture_.compared->name : "now",
                        remapLoadText(trafficBefore(picture_), largest(first)));
        if (picture_.candidate)
            text += fmt::format(" · blue: {}, at most {}", picture_.candidate->name,
                                remapLoadText(picture_.candidate->traffic, largest(second)));
        foot(layout_.loads, text);
    }

    void drawFront()
    {
        title(layout_.front, "Gain, % less than now, against moved ranks; click a point to take it",
              "% less by moved ranks");
        if (!picture_.candidate) {
            begin(layout_.front, {0, 0}, {0, 0});
            return foot(layout_.front, "Comes with a search.");
        }
        const RemapCandidate& candidate = *picture_.candidate;
        const PlotFrame frame = frontFrame(candidate, layout_.front, canvas_);
        drawPlotFrame(list_, frame, canvas_);
        Point last{frame.plot.x, frame.plot.bottom()};
        const double radius = canvas_.px(4);
        for (const MovedTradeOff& point : candidate.front) {
            const Point at = frontPoint(candidate, point, frame);
            list_.line(last, at, theme_.frame, canvas_.px(1));
            last = at;
        }
        for (const MovedTradeOff& point : candidate.front) {
            const Point at = frontPoint(candidate, point, frame);
            const bool taken = point.moved == candidate.moved;
            list_.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                           taken ? theme_.accent : theme_.message,
                                           theme_.background,
                                           canvas_.px(1),
                                           radius,
                                           {}});
        }
        foot(layout_.front,
             fmt::format("{} of {} ranks move: {:.2f} % less; the top is the bound, {:.1f} %",
                         candidate.moved, candidate.placement.ranks(), candidate.gainPercent(),
                         candidate.possiblePercent()));
    }

    void drawChange()
    {
        title(layout_.change, "Change of each link's load, the worst first", "Change of each load");
        if (!picture_.candidate) {
            begin(layout_.change, {0, 0}, {0, 0});
            return foot(layout_.change, "Comes with a search.");
        }
        const auto first = trafficBefore(picture_).loads.listed();
        const auto second = picture_.candidate->traffic.loads.listed();
        std::vector<double> changes;
        for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
            changes.push_back(static_cast<double>(second[i]) - static_cast<double>(first[i]));
        std::ranges::sort(changes, std::greater());
        double greatest = 0;
        for (const double change : changes) greatest = std::max(greatest, std::abs(change));
        ValueAxis up = loadAxis(trafficBefore(picture_), -greatest, greatest);
        up.text = [unit = up.unit](double value) {
            return value == 0
                ? "0"
                : fmt::format("{}{}", value > 0 ? "+" : "−", formatAmount(std::abs(value), unit));
        };
        const PlotFrame frame =
            begin(layout_.change, {0, static_cast<double>(changes.size()), "links", {}, true}, std::move(up));
        if (greatest > 0) drawChanges(frame, changes);
        const auto worse = std::ranges::count_if(changes, [](double change) { return change > 0; });
        const auto better = std::ranges::count_if(changes, [](double change) { return change < 0; });
        foot(layout_.change,
             fmt::format("{} links carry more, {} less; at most {} either way", worse, better,
                         remapLoadText(picture_.candidate->traffic, greatest)));
    }

    void drawChanges(const PlotFrame& frame, const std::vector<double>& changes)
    {
        const Rect& plot = frame.plot;
        const double middle = std::round(frame.toY(0));
        const auto columns = std::min(changes.size(), static_cast<std::size_t>(plot.width));
        for (std::size_t i = 0; i < columns; ++i) {
            const double change = changes[i * changes.size() / columns];
            const double left =
                plot.x + std::floor(plot.width * static_cast<double>(i) / static_cast<double>(columns));
            const double right =
                plot.x + std::floor(plot.width * static_cast<double>(i + 1) / static_cast<double>(columns));
            const double height = std::round(std::abs(frame.toY(change) - frame.toY(0)));
            if (height < 1) continue;
            list_.fillRect({left, change > 0 ? middle - height : middle, std::max(1.0, right - left), height},
                           divergingColor(theme_.dark, change > 0 ? 0.8 : -0.8));
        }
        list_.line({plot.x, middle}, {plot.right(), middle}, theme_.frame);
    }

    const RemapPicture& picture_;
    const Canvas& canvas_;
    const Theme& theme_;
    RemapLayout layout_;
    DrawList list_;
};

RemapFigure figureOf(std::string what, double before, std::optional<double> after,
                     const std::function<std::string(double)>& text)
{
    RemapFigure figure{std::move(what), text(before), after ? text(*after) : "", 0, false};
    if (after && before > 0) {
        figure.changePercent = 100 * (*after - before) / before;
        figure.told = true;
    }
    return figure;
}

}  // namespace

RemapLayout remapLayout(const Canvas& canvas)
{
    RemapLayout layout;
    const double pad = canvas.px(10);
    layout.caption = {pad, canvas.px(4), canvas.width - 2 * pad,
                      canvas.style.caption.empty() ? 0 : canvas.lineHeight()};
    const double top = layout.caption.bottom() + canvas.px(4);
    const double room = canvas.height - top - pad;
    const auto widthOf = [&](int columns) {
        return std::floor((canvas.width - (columns + 1) * pad) / columns);
    };
    const bool low = (room - pad) / 2 < kFewestLines * canvas.lineHeight();
    const int columns = low && widthOf(4) >= canvas.px(kLeastWidth) ? 4 : 2;
    const double width = widthOf(columns), height = std::floor(low ? room : (room - pad) / 2);
    const auto field = [&](int column, int row) {
        return Rect{pad + column * (width + pad), top + row * (height + pad), width, height};
    };
    layout.curve = field(0, 0);
    layout.loads = field(1, 0);
    if (low && columns == 2) return layout;
    layout.front = low ? field(2, 0) : field(0, 1);
    layout.change = low ? field(3, 0) : field(1, 1);
    return layout;
}

DrawList remapScene(const RemapPicture& picture, const Canvas& canvas, const Task&)
{
    return RemapPainter(picture, canvas).draw();
}

std::optional<std::size_t> frontPointAt(const RemapPicture& picture, const RemapLayout& layout,
                                        const Canvas& canvas, Point point)
{
    if (!picture.candidate || !layout.front.contains(point)) return std::nullopt;
    const PlotFrame frame = frontFrame(*picture.candidate, layout.front, canvas);
    std::optional<std::size_t> nearest;
    double least = canvas.px(24);
    for (std::size_t i = 0; i < picture.candidate->front.size(); ++i) {
        const Point at = frontPoint(*picture.candidate, picture.candidate->front[i], frame);
        const double distance = std::hypot(at.x - point.x, at.y - point.y);
        if (distance >= least) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

std::vector<RemapFigure> remapFigures(const RemapPicture& picture)
{
    const Traffic& before = trafficBefore(picture);
    const Traffic* after = picture.candidate ? &picture.candidate->traffic : nullptr;
    const auto load = [&](double of) { return remapLoadText(before, of); };
    const auto hops = [](double of) { return fmt::format("{:.3f}", of); };
    const auto number = [](double of) { return formatGrouped(static_cast<std::int64_t>(of)); };
    const auto value = [&](auto member) {
        return after ? std::optional(static_cast<double>(member(*after))) : std::nullopt;
    };
    std::vector<RemapFigure> figures;
    const auto add = [&](const char* what, auto member, const auto& text) {
        figures.push_back(figureOf(what, static_cast<double>(member(before)), value(member), text));
    };
    add(
        "Hop-bytes", [](const Traffic& of) { return of.hopBytes; }, load);
    add(
        "Largest load of a link", [](const Traffic& of) { return of.summary.maximum; }, load);
    add(
        "Mean load of the links in use", [](const Traffic& of) { return of.summary.meanUsed; }, load);
    add(
        "Hops of the average byte", [](const Traffic& of) { return of.meanDilation; }, hops);
    add(
        "Longest way, hops", [](const Traffic& of) { return of.maximumHops; }, number);
    add(
        "Links in use", [](const Traffic& of) { return of.summary.linksUsed; }, number);
    add(
        "Bytes inside nodes", [](const Traffic& of) { return of.bytesInside; }, load);
    const auto seconds = picture.compared ? picture.compared->secondsAfter
        : picture.candidate               ? picture.candidate->secondsBefore
        : picture.worth                   ? picture.worth->seconds
                                          : std::nullopt;
    if (seconds)
        figures.push_back(figureOf("Predicted time of all messages", *seconds,
                                   picture.candidate ? picture.candidate->secondsAfter : std::nullopt,
                                   [](double of) { return formatDuration(of * 1e9); }));
    return figures;
}

}  // namespace skein
