// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "views/behavior/behavior_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr double kChangeReachPx = 5, kEntityReachPx = 8;

double middleOfBin(const SessionBehavior& behavior, std::size_t row, const TimeScale& scale)
{
    return (scale.toX(behavior.edges[row]) + scale.toX(behavior.edges[row + 1])) / 2;
}

}  // namespace

std::optional<std::size_t> behaviorRowAt(const SessionBehavior& behavior, TimeNs time)
{
    if (time < behavior.edges.front() || time >= behavior.edges.back()) return std::nullopt;
    return static_cast<std::size_t>(std::upper_bound(behavior.edges.begin(), behavior.edges.end(), time)
                                    - behavior.edges.begin())
        - 1;
}

std::optional<std::size_t> behaviorChangeAt(const BehaviorPicture& picture, const BehaviorLayout& layout,
                                            Point point, double scale)
{
    const bool strip = layout.history.contains(point);
    const Rect& body = layout.frame.body;
    if (!strip && !body.contains(point)) return std::nullopt;
    const TimeScale& time = strip ? layout.whole : layout.frame.scale;
    const SessionBehavior& behavior = *picture.behavior;
    std::optional<std::size_t> found;
    double nearest = kChangeReachPx * scale;
    for (std::size_t i = 0; i < behavior.changes.changes.size(); ++i) {
        const double away = std::abs(time.toX(behavior.edges[behavior.changes.changes[i]]) - point.x);
        if (away > nearest) continue;
        nearest = away;
        found = i;
    }
    return found;
}

std::optional<std::size_t> behaviorEntityAt(const BehaviorPicture& picture, const BehaviorLayout& layout,
                                            Point point, double scale)
{
    const SessionBehavior& behavior = *picture.behavior;
    // A value of 0 lies on the bottom edge, which the body leaves out.
    const Rect& body = layout.frame.body;
    if (!body.contains(point) && !body.contains({point.x, point.y - 1})) return std::nullopt;
    const auto row = behaviorRowAt(behavior, layout.frame.scale.toTime(point.x));
    if (!row) return std::nullopt;
    // The line runs from the middle of a bin to that of the next one.
    const double middle = middleOfBin(behavior, *row, layout.frame.scale);
    const std::size_t other =
        point.x < middle ? (*row > 0 ? *row - 1 : *row) : std::min(*row + 1, behavior.table.rows() - 1);
    const double there = middleOfBin(behavior, other, layout.frame.scale);
    const double part = there != middle ? (point.x - middle) / (there - middle) : 0;
    std::optional<std::size_t> found;
    double nearest = kEntityReachPx * scale;
    for (std::size_t column = 0; column < behavior.table.columns.size(); ++column) {
        const double here = behavior.table.at(*row, column);
        if (!std::isfinite(here)) continue;
        const double next = behavior.table.at(other, column);
        const double value = std::isfinite(next) ? here + part * (next - here) : here;
        const double away = std::abs(layout.toY(value) - point.y);
        if (away >= nearest) continue;
        nearest = away;
        found = column;
    }
    return found;
}

BehaviorPick behaviorPickAt(const BehaviorPicture& picture, const BehaviorLayout& layout, Point point,
                            double scale)
{
    const SessionBehavior& behavior = *picture.behavior;
    for (const LegendChip& chip : layout.chips)
        if (chip.box.contains(point))
            return {behavior.locationsOfCluster(chip.cluster), {{behavior.request.experiment, chip.cluster}}};
    if (const auto entity = behaviorEntityAt(picture, layout, point, scale))
        return {behavior.locationsOf(*entity), {}};
    return {};
}

std::vector<std::string> behaviorTooltip(const BehaviorPicture& picture, const BehaviorLayout& layout,
                                         Point point, double scale)
{
    const SessionBehavior& behavior = *picture.behavior;
    for (const LegendChip& chip : layout.chips)
        if (chip.box.contains(point))
            return {chip.text,
                    behavior.streamed ? "Click: select its entities" : "Click: select its locations"};
    if (const auto change = behaviorChangeAt(picture, layout, point, scale))
        return changeText(behavior, *change);
    const bool strip = layout.history.contains(point);
    if (!strip && !layout.frame.body.contains(point)) return {};
    const auto row = behaviorRowAt(behavior, (strip ? layout.whole : layout.frame.scale).toTime(point.x));
    if (!row) return {};
    std::vector<std::string> lines;
    if (const auto entity = behaviorEntityAt(picture, layout, point, scale); entity && !strip)
        lines.push_back(fmt::format("{}: {}, cluster {}", behavior.table.columns[*entity],
                                    behaviorAmount(behavior.request, behavior.table.at(*row, *entity)),
                                    behavior.clusters.labels[*entity] + 1));
    lines.push_back(fmt::format("Mean of {}: {}", behavior.table.columns.size(),
                                behaviorAmount(behavior.request, behavior.mean[*row])));
    lines.push_back(
        fmt::format("Bin {} from {}", *row, formatDuration(static_cast<double>(behavior.edges[*row]))));
    return lines;
}

}  // namespace skein
