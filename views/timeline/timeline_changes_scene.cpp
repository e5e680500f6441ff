// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_changes_scene.h"

#include "views/common/scene/color/cluster_colors.h"
#include "views/common/scene/color/palette.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace skein {
namespace {

constexpr double kChangeReachPx = 4;
constexpr double kChangeLinePx = 1, kSelectedLinePx = 3;
constexpr std::uint8_t kOutdatedAlpha = 80;

bool isSelectedChange(const SessionBehavior& behavior, const ViewState& state, std::size_t change)
{
    const auto& selected = state.selected.changePoints;
    return std::find(selected.begin(), selected.end(), changeRef(behavior, change)) != selected.end();
}

}  // namespace

std::vector<PlacedChange> placedChanges(const SessionBehavior& behavior, const ViewState& state,
                                        const TimelineLayout& layout, const Canvas& canvas)
{
    std::vector<PlacedChange> placed;
    const Rect& body = layout.body;
    double free = body.x;
    for (std::size_t change = 0; change < behavior.changes.changes.size(); ++change) {
        const bool wanted = behavior.lasting.empty()
            || std::binary_search(behavior.lasting.begin(), behavior.lasting.end(), change)
            || isSelectedChange(behavior, state, change);
        const double x = layout.scale.toX(behavior.edges[behavior.changes.changes[change]]);
        if (!wanted || x < body.x || x >= body.right()) continue;
        PlacedChange one{change, x, {}};
        const double width =
            canvas.measure.width(std::to_string(change + 1), FontStyle::Small) + canvas.px(8);
        const double left = std::clamp(std::floor(x), body.x, std::max(body.x, body.right() - width));
        if (left >= free) {
            one.flag = {left, body.y, width, canvas.lineHeight()};
            free = one.flag.right() + canvas.px(2);
        }
        placed.push_back(one);
    }
    return placed;
}

void drawTimelineChanges(DrawList& list, const SessionBehavior& behavior, const ViewState& state,
                         const TimelineLayout& layout, const Canvas& canvas)
{
    const Color color = changeColor(canvas.theme().dark);
    for (const PlacedChange& one : placedChanges(behavior, state, layout, canvas)) {
        const bool selected = isSelectedChange(behavior, state, one.change);
        const double width = canvas.px(selected ? kSelectedLinePx : kChangeLinePx);
        list.fillRect({std::floor(one.x), layout.ruler.y, width, layout.body.bottom() - layout.ruler.y},
                      color);
        if (one.flag.empty()) continue;
        list.fillRect(one.flag, color);
        list.text(one.flag, std::to_string(one.change + 1), textColorOn(color), FontStyle::Small,
                  Align::Center);
    }
}

void drawOutdatedChanges(DrawList& list, const SessionBehavior& behavior, const ViewState& state,
                         const TimelineLayout& layout, const Canvas& canvas)
{
    const Color color = withAlpha(changeColor(canvas.theme().dark), kOutdatedAlpha);
    for (const PlacedChange& one : placedChanges(behavior, state, layout, canvas))
        list.fillRect({std::floor(one.x), layout.ruler.y, canvas.px(kChangeLinePx),
                       layout.body.bottom() - layout.ruler.y},
                      color);
}

std::optional<std::size_t> timelineChangeAt(const std::vector<PlacedChange>& placed,
                                            const TimelineLayout& layout, Point point, double scale)
{
    std::optional<std::size_t> nearest;
    double least = kChangeReachPx * scale;
    for (const PlacedChange& one : placed) {
        if (one.flag.contains(point)) return one.change;
        const double distance = std::abs(point.x - one.x);
        if (!layout.ruler.contains(point) || distance > least) continue;
        least = distance;
        nearest = one.change;
    }
    return nearest;
}

}  // namespace skein
