// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_notes_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/call_colors.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace skein {
namespace {

constexpr double kMostOfBody = 0.2;  ///< lower pictures have no room for notes of marks above the others

double lineHeight(const TimelineOptions& options, const TextMeasure& measure)
{
    return std::round(measure.lineHeight(FontStyle::Small) + 4 * options.scale);
}

/// Whether colours of single calls stand for those of other locations in some row that is seen.
bool colorsOfOne(const ViewState& state, const TimelineLayout& layout)
{
    if (!CallColors::wanted(state)) return false;
    if (layout.rowHeight < 1) return true;
    return std::any_of(layout.places.begin(), layout.places.end(), [&](const PlacedRow& place) {
        return !layout.rows[place.row].folded.empty() && place.y < layout.body.bottom()
            && place.y + place.height > layout.body.y;
    });
}

std::string drawnOf(std::size_t drawn, std::uint64_t total, const char* what)
{
    return fmt::format("{} of {} {} drawn", formatGrouped(static_cast<std::int64_t>(drawn)),
                       formatGrouped(static_cast<std::int64_t>(total)), what);
}

}  // namespace

void drawTimelineNotes(DrawList& list, const VisibleMessages& messages, const VisibleCollectives& collectives,
                       const ViewState& state, const TimelineLayout& layout, const TimelineOptions& options,
                       const TextMeasure& measure)
{
    const double height = lineHeight(options, measure);
    double bottom = layout.body.bottom();
    const auto note = [&](std::string text, Align side) {
        text = elideMiddle(text, layout.body.width - 12 * options.scale, FontStyle::Small, measure);
        const double width = measure.width(text, FontStyle::Small) + 12 * options.scale;
        const double left = side == Align::Left ? layout.body.x : layout.body.right() - width;
        const Rect box{std::round(left), std::round(bottom - height), width, height};
        list.fillRect(box, options.theme.panel);
        list.text(box, text, options.theme.secondaryText, FontStyle::Small, Align::Center);
    };
    if (collectives.thinned)
        note(drawnOf(collectives.drawn.size(), collectives.total, "collectives"), Align::Left);
    if (messages.thinned && !messages.drawn.empty())
        note(drawnOf(messages.drawn.size(), messages.total, "messages"), Align::Right);
    if (collectives.thinned) bottom -= height;
    if (colorsOfOne(state, layout))
        note("approximate: rows of many locations have the colours of one", Align::Left);
}

double timelineNotesHeight(const ViewState& state, const TimelineLayout& layout,
                           const TimelineOptions& options, const TextMeasure& measure)
{
    const double lines =
        (options.messages == MessageDisplay::Shown || options.collectives == CollectiveDisplay::Shown ? 1 : 0)
        + (colorsOfOne(state, layout) ? 1 : 0);
    const double wanted = lines * lineHeight(options, measure);
    return wanted <= layout.body.height * kMostOfBody ? wanted : 0;
}

}  // namespace skein
