// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/remap/remap_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>

namespace skein {
namespace {

std::string remapLoadText(const Traffic& traffic, double load)
{
    return traffic.unit == LoadUnit::Bytes ? formatBytes(load) : formatNumber(load) + " messages";
}

const Traffic& trafficBefore(const RemapPicture& picture)
{
    return picture.compared ? picture.compared->traffic : picture.communication->traffic;
}

/// A field of the picture: where data is drawn.
Rect plotOf(const Rect& field, const Canvas& canvas)
{
    const double line = canvas.lineHeight();
    return {field.x, field.y + line + canvas.px(4), field.width,
            std::max(1.0, field.height - 2 * line - canvas.px(8))};
}

/// Where a point of a front lies.
Point frontPoint(const RemapCandidate& candidate, const MovedTradeOff& point, const Rect& plot)
{
    const double most = std::max<double>(1, candidate.placement.ranks());
    const auto span =
        static_cast<double>(std::max<std::int64_t>(1, candidate.objectiveBefore - candidate.bound));
    const double gain = static_cast<double>(candidate.objectiveBefore - point.objective) / span;
    return {plot.x + plot.width * point.moved / most,
            plot.bottom() - std::clamp(gain, 0.0, 1.0) * plot.height};
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
        drawFront();
        drawChange();
        return std::move(list_);
    }

private:
    void small(const Rect& box, const std::string& text, Align align = Align::Left)
    {
        list_.text(box, elideMiddle(text, box.width, FontStyle::Small, canvas_.measure), theme_.secondaryText,
                   FontStyle::Small, align);
    }

    Rect begin(const Rect& field, const std::string& title)
    {
        const double line = canvas_.lineHeight();
        list_.text({field.x, field.y, field.width, line},
                   elideMiddle(title, field.width, FontStyle::Small, canvas_.measure), theme_.text,
                   FontStyle::Small);
        const Rect plot = plotOf(field, canvas_);
        list_.line({plot.x, plot.y}, {plot.x, plot.bottom()}, theme_.frame);
        list_.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, theme_.frame);
        return plot;
    }

    Rect footOf(const Rect& plot) const
    {
        return {plot.x, plot.bottom() + canvas_.px(2), plot.width, canvas_.lineHeight()};
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
        const Rect plot = begin(layout_.curve, "Best objective against time, % less than now");
        const double least =
            before() > 0 ? 100.0 * static_cast<double>(bound()) / static_cast<double>(before()) : 0;
        const double low = std::min(99.0, least - 1);
        const auto yOf = [&](std::int64_t objective) {
            const double part =
                before() > 0 ? 100.0 * static_cast<double>(objective) / static_cast<double>(before()) : 100;
            return plot.bottom() - std::clamp((part - low) / (100 - low), 0.0, 1.0) * plot.height;
        };
        if (before() > 0) drawBound(plot, yOf(bound()), 100 - least);
        if (picture_.curve.empty()) return small(footOf(plot), "No search has run yet.");
        const double end = std::max({1e-3, picture_.searchedSeconds, picture_.curve.back().seconds});
        Point last{plot.x, yOf(before())};
        for (const MappingProgress& progress : picture_.curve) {
            const Point next{plot.x + std::min(1.0, progress.seconds / end) * plot.width,
                             yOf(progress.objective)};
            list_.line(last, {next.x, last.y}, theme_.message, canvas_.px(2));
            list_.line({next.x, last.y}, next, theme_.message, canvas_.px(2));
            last = next;
        }
        list_.line(last, {plot.right(), last.y}, theme_.message, canvas_.px(2));
        const double now = before() > 0 ? 100
                - 100.0 * static_cast<double>(picture_.curve.back().objective) / static_cast<double>(before())
                                        : 0;
        small(footOf(plot), fmt::format("{:.2f} % less after {:.2f} s", now, end));
    }

    void drawBound(const Rect& plot, double y, double percent)
    {
        const double line = canvas_.lineHeight();
        list_.line({plot.x, y}, {plot.right(), y}, theme_.warning, canvas_.px(1));
        small({plot.x + canvas_.px(4), y - line < plot.y ? y : y - line, plot.width - canvas_.px(8), line},
              fmt::format("no placement is below: at most {:.1f} % less", percent));
    }

    /// Loads in descending order as a line; both share one scale.
    void drawLoad(const std::vector<std::uint64_t>& loads, double greatest, const Rect& plot, Color color)
    {
        if (loads.empty() || greatest <= 0) return;
        const auto columns = std::min(loads.size(), static_cast<std::size_t>(plot.width));
        Point last{plot.x, plot.bottom() - static_cast<double>(loads.front()) / greatest * plot.height};
        for (std::size_t i = 0; i < columns; ++i) {
            const std::size_t place = i * loads.size() / columns;
            const Point next{plot.x + plot.width * static_cast<double>(i + 1) / static_cast<double>(columns),
                             plot.bottom() - static_cast<double>(loads[place]) / greatest * plot.height};
            list_.line(last, {last.x, next.y}, color, canvas_.px(2));
            list_.line({last.x, next.y}, next, color, canvas_.px(2));
            last = next;
        }
    }

    void drawLoads()
    {
        const Rect plot = begin(layout_.loads, "Loads of links in descending order");
        const auto sorted = [](const Traffic& traffic) {
            auto loads = traffic.loads.listed();
            std::ranges::sort(loads, std::greater());
            return loads;
        };
        const auto first = sorted(trafficBefore(picture_));
        const auto second =
            picture_.candidate ? sorted(picture_.candidate->traffic) : std::vector<std::uint64_t>();
        const double greatest = std::max(first.empty() ? 0.0 : static_cast<double>(first.front()),
                                         second.empty() ? 0.0 : static_cast<double>(second.front()));
        drawLoad(first, greatest, plot, theme_.secondaryText);
        drawLoad(second, greatest, plot, clusterColor(0, theme_.dark));
        const std::string other = picture_.compared ? picture_.compared->name : "now";
        std::string text = fmt::format(
            "grey: {}, at most {}", other,
            remapLoadText(trafficBefore(picture_), first.empty() ? 0 : static_cast<double>(first.front())));
        if (picture_.candidate)
            text += fmt::format(" · blue: {}, at most {}", picture_.candidate->name,
                                remapLoadText(picture_.candidate->traffic,
                                              second.empty() ? 0 : static_cast<double>(second.front())));
        small(footOf(plot), text);
    }

    void drawFront()
    {
        const Rect plot = begin(layout_.front, "Gain against moved ranks; click a point to take it");
        if (!picture_.candidate) return small(footOf(plot), "Comes with a search.");
        const RemapCandidate& candidate = *picture_.candidate;
        Point last{plot.x, plot.bottom()};
        const double radius = canvas_.px(4);
        for (const MovedTradeOff& point : candidate.front) {
            const Point at = frontPoint(candidate, point, plot);
            list_.line(last, at, theme_.grid, canvas_.px(1));
            last = at;
        }
        for (const MovedTradeOff& point : candidate.front) {
            const Point at = frontPoint(candidate, point, plot);
            const bool taken = point.moved == candidate.moved;
            list_.items.push_back(RectItem{{at.x - radius, at.y - radius, 2 * radius, 2 * radius},
                                           taken ? theme_.accent : theme_.message,
                                           theme_.background,
                                           canvas_.px(1),
                                           radius,
                                           {}});
        }
        small(footOf(plot),
              fmt::format("{} of {} ranks move: {:.2f} % less; the top is the bound, {:.1f} %",
                          candidate.moved, candidate.placement.ranks(), candidate.gainPercent(),
                          candidate.possiblePercent()));
    }

    void drawChange()
    {
        const Rect plot = begin(layout_.change, "Change of each link's load, the worst first");
        if (!picture_.candidate) return small(footOf(plot), "Comes with a search.");
        const auto first = trafficBefore(picture_).loads.listed();
        const auto second = picture_.candidate->traffic.loads.listed();
        std::vector<double> changes;
        for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i)
            changes.push_back(static_cast<double>(second[i]) - static_cast<double>(first[i]));
        std::ranges::sort(changes, std::greater());
        double greatest = 0;
        for (const double change : changes) greatest = std::max(greatest, std::abs(change));
        const auto worse = std::ranges::count_if(changes, [](double change) { return change > 0; });
        const auto better = std::ranges::count_if(changes, [](double change) { return change < 0; });
        const double middle = std::round(plot.y + plot.height / 2);
        const auto columns = std::min(changes.size(), static_cast<std::size_t>(plot.width));
        for (std::size_t i = 0; i < columns && greatest > 0; ++i) {
            const double change = changes[i * changes.size() / columns];
            const double left =
                plot.x + std::floor(plot.width * static_cast<double>(i) / static_cast<double>(columns));
            const double right =
                plot.x + std::floor(plot.width * static_cast<double>(i + 1) / static_cast<double>(columns));
            const double height = std::round(std::abs(change) / greatest * plot.height / 2);
            if (height < 1) continue;
            list_.fillRect({left, change > 0 ? middle - height : middle, std::max(1.0, right - left), height},
                           divergingColor(theme_.dark, change > 0 ? 0.8 : -0.8));
        }
        list_.line({plot.x, middle}, {plot.right(), middle}, theme_.frame);
        small(footOf(plot),
              fmt::format("{} links carry more, {} less; at most {} either way", worse, better,
                          remapLoadText(picture_.candidate->traffic, greatest)));
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
    const double width = std::floor((canvas.width - 3 * pad) / 2);
    const double height = std::floor((canvas.height - top - 2 * pad) / 2);
    layout.curve = {pad, top, width, height};
    layout.loads = {2 * pad + width, top, width, height};
    layout.front = {pad, top + height + pad, width, height};
    layout.change = {2 * pad + width, top + height + pad, width, height};
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
    const Rect plot = plotOf(layout.front, canvas);
    std::optional<std::size_t> nearest;
    double least = canvas.px(24);
    for (std::size_t i = 0; i < picture.candidate->front.size(); ++i) {
        const Point at = frontPoint(*picture.candidate, picture.candidate->front[i], plot);
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
