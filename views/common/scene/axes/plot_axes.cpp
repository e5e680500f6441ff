// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/plot_axes.h"

#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>

namespace skein {
namespace {

constexpr int kMostPlotTicks = 8;
constexpr double kPlotTickGapPx = 4;
/// Part of the field that values at the left may take.
constexpr double kMostLabelShare = 0.4;

std::vector<double> plotTicks(const ValueAxis& axis, int most)
{
    auto ticks = roundValues(axis.from, axis.to, std::clamp(most, 1, kMostPlotTicks), axis.unit);
    if (axis.whole) std::erase_if(ticks, [](double tick) { return tick != std::round(tick); });
    return ticks;
}

double widestTick(const ValueAxis& axis, const std::vector<double>& ticks, const Canvas& canvas)
{
    double widest = 0;
    for (const double tick : ticks)
        widest = std::max(widest, canvas.measure.width(axis.textOf(tick), FontStyle::Small));
    return std::ceil(widest) + 1;
}

/// As many as stand beside each other with a gap between their texts.
std::vector<double> ticksAcross(const ValueAxis& axis, double width, const Canvas& canvas)
{
    for (int most = kMostPlotTicks; most > 1; --most) {
        auto ticks = plotTicks(axis, most);
        const double room = widestTick(axis, ticks, canvas) + canvas.px(12);
        const double apart = ticks.size() > 1 ? axis.partOf(ticks[1]) - axis.partOf(ticks[0]) : 1;
        if (apart * width >= room) return ticks;
    }
    return plotTicks(axis, 1);
}

}  // namespace

double ValueAxis::partOf(double value) const
{
    return from < to ? std::clamp((value - from) / (to - from), 0.0, 1.0) : 0;
}

std::string ValueAxis::textOf(double value) const { return text ? text(value) : formatAmount(value, unit); }

double PlotFrame::toX(double value) const { return plot.x + across.partOf(value) * plot.width; }

double PlotFrame::toY(double value) const { return plot.bottom() - up.partOf(value) * plot.height; }

PlotFrame plotFrame(const Rect& field, ValueAxis across, ValueAxis up, const Canvas& canvas)
{
    PlotFrame frame;
    const double line = canvas.lineHeight(), gap = canvas.px(kPlotTickGapPx);
    frame.across = std::move(across);
    frame.up = std::move(up);
    // Half a line above, so that the value of the upper end is not cut.
    const double above = std::floor(line / 2);
    const double height = std::max(1.0, field.height - above - line - gap);
    frame.upTicks = plotTicks(frame.up, static_cast<int>(height / (line * 1.5)));
    const double left = std::min(widestTick(frame.up, frame.upTicks, canvas) + gap,
                                 std::floor(field.width * kMostLabelShare));
    frame.labelsWidth = left - gap;
    frame.plot = {field.x + left, field.y + above, std::max(1.0, field.width - left), height};
    frame.acrossTicks = ticksAcross(frame.across, frame.plot.width, canvas);
    return frame;
}

void drawPlotFrame(DrawList& list, const PlotFrame& frame, const Canvas& canvas)
{
    const Theme& theme = canvas.theme();
    const Rect& plot = frame.plot;
    const double line = canvas.lineHeight(), gap = canvas.px(kPlotTickGapPx), thin = canvas.px(1);
    for (const double tick : frame.upTicks) {
        const double y = std::floor(frame.toY(tick));
        list.fillRect({plot.x, y, plot.width, thin}, theme.grid);
        const std::string text = frame.up.textOf(tick);
        const double width = std::ceil(canvas.measure.width(text, FontStyle::Small)) + 1;
        if (width > frame.labelsWidth) continue;
        list.text({plot.x - gap - width, y - line / 2, width, line}, text, theme.secondaryText,
                  FontStyle::Small, Align::Right);
    }
    double free = 0;
    for (const double tick : frame.acrossTicks) {
        const double x = std::floor(frame.toX(tick));
        list.fillRect({x, plot.y, thin, plot.height}, theme.grid);
        const std::string text = frame.across.textOf(tick);
        const double width = std::ceil(canvas.measure.width(text, FontStyle::Small)) + 1;
        // Those at the ends cover neither the values at the left nor others, and stay in the field.
        const double left = std::max(std::min(x - width / 2, plot.right() - width), plot.x - gap);
        if (left < free) continue;
        free = left + width + gap;
        list.text({left, plot.bottom() + gap, width, line}, text, theme.secondaryText, FontStyle::Small,
                  Align::Center);
    }
    list.line({plot.x, plot.y}, {plot.x, plot.bottom()}, theme.frame);
    list.line({plot.x, plot.bottom()}, {plot.right(), plot.bottom()}, theme.frame);
}

void drawDescending(DrawList& list, const PlotFrame& frame, std::vector<std::uint64_t> amounts, Color color,
                    double width)
{
    if (amounts.empty()) return;
    std::ranges::sort(amounts, std::greater());
    const Rect& plot = frame.plot;
    const auto columns = std::min(amounts.size(), static_cast<std::size_t>(plot.width));
    Point last{plot.x, frame.toY(static_cast<double>(amounts.front()))};
    for (std::size_t i = 0; i < columns; ++i) {
        const auto amount = static_cast<double>(amounts[i * amounts.size() / columns]);
        const Point next{plot.x + plot.width * static_cast<double>(i + 1) / static_cast<double>(columns),
                         frame.toY(amount)};
        list.line(last, {last.x, next.y}, color, width);
        list.line({last.x, next.y}, next, color, width);
        last = next;
    }
}

}  // namespace skein
