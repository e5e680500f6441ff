// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/anomalies/anomaly_axes_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace skein {
namespace {

bool isLogarithmic(AnomalyAxis axis)
{
    return axis == AnomalyAxis::Duration || axis == AnomalyAxis::OwnTime || axis == AnomalyAxis::Severity
        || axis == AnomalyAxis::Score || axis == AnomalyAxis::Bytes || axis == AnomalyAxis::MpiTime
        || axis == AnomalyAxis::Waiting;
}

}  // namespace

std::string_view name(AnomalyAxis axis)
{
    static constexpr std::array<std::string_view, kAnomalyAxes> names{
        "entry",    "exit",  "duration", "own time", "severity", "score",        "rank",
        "messages", "bytes", "children", "MPI time", "waiting",  "projection 1", "projection 2"};
    return names[static_cast<std::size_t>(axis)];
}

bool isCountedAxis(AnomalyAxis axis) { return axis >= AnomalyAxis::Messages; }

double AnomalyScale::at(double value) const
{
    if (logarithmic) value = value < 1.0 ? none.value_or(0.0) : std::log10(value);
    return low + (value - from) / (to - from) * (high - low);
}

double AxisValues::operator()(const AnomalyPoint& point) const
{
    const auto number = static_cast<std::size_t>(&point - anomalies_.points.data());
    const auto counted = [&](CallFeature feature) { return anomalies_.features().counted(number, feature); };
    switch (axis_) {
    case AnomalyAxis::Entry: return static_cast<double>(clock_.toSession(point.call.experiment, point.begin));
    case AnomalyAxis::Exit:
        return static_cast<double>(clock_.toSession(point.call.experiment, point.begin + point.durationNs));
    case AnomalyAxis::Duration: return static_cast<double>(point.durationNs);
    case AnomalyAxis::OwnTime: return static_cast<double>(point.ownNs);
    case AnomalyAxis::Severity: return static_cast<double>(point.severityNs);
    case AnomalyAxis::Score: return point.score;
    case AnomalyAxis::Messages: return counted(CallFeature::Messages);
    case AnomalyAxis::Bytes: return counted(CallFeature::Bytes);
    case AnomalyAxis::Children: return counted(CallFeature::Children);
    case AnomalyAxis::MpiTime: return counted(CallFeature::Mpi);
    case AnomalyAxis::Waiting: return counted(CallFeature::Waiting);
    case AnomalyAxis::Projection1: return (*projected_)[number][0];
    case AnomalyAxis::Projection2: return (*projected_)[number][1];
    case AnomalyAxis::Rank: break;
    }
    const PlaceOfLocation& place =
        anomalies_.found[point.call.experiment]->places[point.call.location.index()];
    return place.rank >= 0 ? static_cast<double>(place.rank) + 0.3 * std::min(2U, place.thread)
                           : static_cast<double>(point.call.location.index());
}

std::string_view unitOfAnomalyAxis(AnomalyAxis axis)
{
    switch (axis) {
    case AnomalyAxis::Score:
    case AnomalyAxis::Rank:
    case AnomalyAxis::Messages:
    case AnomalyAxis::Children:
    case AnomalyAxis::Projection1:
    case AnomalyAxis::Projection2: return "";
    case AnomalyAxis::Bytes: return "B";
    default: return "ns";
    }
}

AnomalyScale scaleFor(const SessionAnomalies& anomalies, const std::vector<std::uint32_t>& shown,
                      AnomalyAxis axis, FeatureSet projected, const SessionClock& clock)
{
    const AxisValues values(anomalies, axis, projected, clock);
    AnomalyScale scale;
    scale.logarithmic = isLogarithmic(axis);
    double low = std::numeric_limits<double>::infinity(), high = -low;
    bool someBelowOne = false;
    for (const std::uint32_t i : shown) {
        const double value = values(anomalies.points[i]);
        if (scale.logarithmic && value < 1.0) {
            someBelowOne = true;
            continue;
        }
        low = std::min(low, value);
        high = std::max(high, value);
    }
    if (!(low <= high)) low = high = scale.logarithmic ? 1.0 : 0.0;
    if (scale.logarithmic) {
        low = std::log10(low);
        high = std::log10(high);
    }
    if (someBelowOne) low = *(scale.none = std::floor(low) - 1.0);
    const double margin = std::max(0.04 * (high - low), scale.logarithmic ? 0.05 : 0.5);
    scale.from = low - margin;
    scale.to = high + margin;
    return scale;
}

std::vector<double> ticksOf(const AnomalyScale& scale, std::string_view unit, int most)
{
    if (!scale.logarithmic) return roundValues(scale.from, scale.to, most, unit);
    const double least = scale.none ? std::max(scale.from, *scale.none + 1.0) : scale.from;
    const double decades = scale.to - least;
    const bool someBelowOne = scale.none && *scale.none >= scale.from;
    // They crowd at the upper end.
    if (!someBelowOne && decades > 0 && decades < 1.0)
        return roundValues(std::pow(10.0, least), std::pow(10.0, scale.to), std::max(2, most / 2), unit);
    std::vector<double> ticks;
    if (someBelowOne) ticks.push_back(0.0);
    for (double power = std::floor(least); power <= scale.to; power += 1.0)
        for (const double part : {1.0, 2.0, 5.0}) {
            const double tick = part * std::pow(10.0, power);
            const bool between = std::log10(tick) >= least && std::log10(tick) <= scale.to;
            if (between && (part == 1.0 || decades < 2.0)) ticks.push_back(tick);
        }
    return ticks;
}

/// Times are whole nanoseconds: what is below one has no length that the clock could tell.
std::string anomalyTickText(const AnomalyScale& scale, double tick, std::string_view unit)
{
    if (scale.none && tick < 1.0 && unit.empty()) return "< 1";
    return formatAmount(tick, unit);
}

}  // namespace skein
