// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/time_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <string_view>

namespace skein {
namespace {

constexpr double kLabelGap = 20;
constexpr int kMostDecimals = 3;

struct Unit {
    TimeNs ns;
    std::string_view name;
};
constexpr std::array<Unit, 4> kUnits{{{1'000'000'000, "s"}, {1'000'000, "ms"}, {1'000, "µs"}, {1, "ns"}}};

const Unit& unitFor(TimeNs magnitude)
{
    const auto found =
        std::find_if(kUnits.begin(), kUnits.end(), [&](const Unit& unit) { return unit.ns <= magnitude; });
    return found == kUnits.end() ? kUnits.back() : *found;
}

int decimalsFor(TimeNs step, TimeNs unit)
{
    int decimals = 0;
    for (TimeNs part = unit; part > 1 && step % part != 0; part /= 10) ++decimals;
    return decimals;
}

/// Whole nanoseconds in a unit with all needed decimals, without going through floating point.
std::string inUnit(TimeNs time, const Unit& unit, int decimals)
{
    const TimeNs magnitude = std::abs(time);
    std::string text = fmt::format("{}{}", time < 0 ? "-" : "", magnitude / unit.ns);
    if (decimals > 0) {
        const int digits = unit.ns == kUnits[0].ns ? 9 : unit.ns == kUnits[1].ns ? 6 : 3;
        text += "."
            + fmt::format("{:0{}}", magnitude % unit.ns, digits)
                  .substr(0, static_cast<std::size_t>(decimals));
    }
    return fmt::format("{} {}", text, unit.name);
}

/// 1, 2, 5, 10, 20 … ns.
TimeNs nextStep(TimeNs step)
{
    TimeNs power = 1;
    while (power * 10 <= step) power *= 10;
    return step < 2 * power ? 2 * power : step < 5 * power ? 5 * power : 10 * power;
}

TimeNs floorTo(TimeNs time, TimeNs step)
{
    const TimeNs rest = time % step;
    return rest < 0 ? time - rest - step : time - rest;
}

/// How the labels of one step size are written.
struct Labels {
    TimeNs base = 0;
    Unit unit;
    int decimals = 0;
    bool relative = false;

    std::string operator()(TimeNs time) const
    {
        return (relative ? "+" : "") + inUnit(time - base, unit, decimals);
    }
};

Labels labelsFor(const TimeSpan& span, TimeNs step)
{
    const TimeNs farthest = std::max(std::abs(span.begin), std::abs(span.end));
    const Unit& unit = unitFor(farthest);
    const int decimals = decimalsFor(step, unit.ns);
    if (decimals <= kMostDecimals) return {0, unit, decimals, false};
    TimeNs round = 1;
    while (round < span.lengthNs()) round *= 10;
    const TimeNs base = floorTo(span.begin, round);
    const Unit& offsetUnit = unitFor(span.end - base);
    return {base, offsetUnit, decimalsFor(step, offsetUnit.ns), true};
}

double widestLabel(const TimeScale& scale, const Labels& labels, TimeNs step, FontStyle style,
                   const TextMeasure& measure)
{
    const TimeNs first = floorTo(scale.span.begin, step);
    const TimeNs last = floorTo(scale.span.end, step);
    return std::max({measure.width(labels(first), style), measure.width(labels(first + step), style),
                     measure.width(labels(last), style)});
}

TimeNs stepFor(const TimeScale& scale, FontStyle style, const TextMeasure& measure)
{
    TimeNs step = 1;
    while (static_cast<double>(step) / scale.nsPerPixel() < 40) step = nextStep(step);
    for (;; step = nextStep(step)) {
        const double width = widestLabel(scale, labelsFor(scale.span, step), step, style, measure);
        if (static_cast<double>(step) / scale.nsPerPixel() >= width + kLabelGap) return step;
    }
}

TimeNs minorStepOf(TimeNs step)
{
    TimeNs leading = step;
    while (leading >= 10) leading /= 10;
    if (step < 5) return step;
    return leading == 2 ? step / 2 : step / 5;
}

}  // namespace

std::string exactTime(TimeNs time)
{
    const Unit& unit = unitFor(std::abs(time));
    return inUnit(time, unit, decimalsFor(time == 0 ? unit.ns : time, unit.ns));
}

TimeNs TimeScale::toTime(double x) const
{
    return span.begin + static_cast<TimeNs>(std::floor((x - left) * nsPerPixel()));
}

TimeAxis timeAxis(const TimeScale& scale, FontStyle style, const TextMeasure& measure)
{
    TimeAxis axis;
    if (scale.width < 1 || scale.span.empty()) return axis;
    const TimeNs step = stepFor(scale, style, measure);
    const Labels labels = labelsFor(scale.span, step);
    if (labels.relative) axis.base = exactTime(labels.base);
    const TimeNs minor = minorStepOf(step);
    for (TimeNs time = floorTo(scale.span.begin, minor); time <= scale.span.end; time += minor) {
        const double x = scale.toX(time);
        if (time < scale.span.begin) continue;
        axis.ticks.push_back({time, x, time % step == 0 ? labels(time) : std::string()});
    }
    return axis;
}

}  // namespace skein
