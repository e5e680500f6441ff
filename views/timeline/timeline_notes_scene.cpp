// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_notes_scene.h"

#include "core/base/units.h"
#include "views/common/scene/color/call_colors.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <string>
#include <vector>

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

/// In the line below the plot: on the left what holds for calls and collectives, on the right messages.
class NoteStrip {
public:
    NoteStrip(DrawList& list, const TimelineLayout& layout, const TimelineOptions& options,
              const TextMeasure& measure)
        : list_(list), layout_(layout), options_(options), measure_(measure)
    {
    }

    void draw(const std::string& left, const std::string& right)
    {
        const Rect& strip = layout_.notes;
        const double line = std::max(1.0, std::round(options_.scale));
        list_.fillRect(strip, options_.theme.panel);
        list_.fillRect({strip.x, strip.y, strip.width, line}, options_.theme.frame);
        const double pad = 6 * options_.scale;
        const double room = layout_.body.width - 3 * pad;
        const double rightWidth = std::min(room, measure_.width(right, FontStyle::Small) + 1);
        text(right, layout_.body.right() - pad - rightWidth, rightWidth, Align::Right);
        text(left, layout_.body.x + pad, room - rightWidth, Align::Left);
    }

private:
    void text(const std::string& words, double x, double width, Align align)
    {
        const std::string shown = elideMiddle(words, width, FontStyle::Small, measure_);
        if (!shown.empty())
            list_.text({x, layout_.notes.y, width, layout_.notes.height}, shown, options_.theme.secondaryText,
                       FontStyle::Small, align);
    }

    DrawList& list_;
    const TimelineLayout& layout_;
    const TimelineOptions& options_;
    const TextMeasure& measure_;
};

}  // namespace

void drawTimelineNotes(DrawList& list, const VisibleMessages& messages, const VisibleCollectives& collectives,
                       const ViewState& state, const TimelineLayout& layout, const TimelineOptions& options,
                       const TextMeasure& measure)
{
    std::vector<std::string> left;
    if (collectives.thinned)
        left.push_back(drawnOf(collectives.drawn.size(), collectives.total, "collectives"));
    if (colorsOfOne(state, layout))
        left.push_back("approximate: rows of many locations have the colours of one");
    const std::string right = messages.thinned && !messages.drawn.empty()
        ? drawnOf(messages.drawn.size(), messages.total, "messages")
        : std::string();
    if (!layout.notes.empty())
        return NoteStrip(list, layout, options, measure)
            .draw(fmt::format("{}", fmt::join(left, " · ")), right);
    const double height = lineHeight(options, measure);
    double bottom = layout.body.bottom();
    const auto note = [&](std::string text, Align side) {
        text = elideMiddle(text, layout.body.width - 12 * options.scale, FontStyle::Small, measure);
        const double width = measure.width(text, FontStyle::Small) + 12 * options.scale;
        const double from = side == Align::Left ? layout.body.x : layout.body.right() - width;
        const Rect box{std::round(from), std::round(bottom - height), width, height};
        list.fillRect(box, options.theme.panel);
        list.text(box, text, options.theme.secondaryText, FontStyle::Small, Align::Center);
    };
    if (!right.empty()) note(right, Align::Right);
    for (const std::string& text : left) {
        note(text, Align::Left);
        bottom -= height;
    }
}

double timelineNotesHeight(const ViewState& state, const TimelineLayout& layout,
                           const TimelineOptions& options, const TextMeasure& measure)
{
    if (!layout.notes.empty()) return 0;
    const double lines =
        (options.messages == MessageDisplay::Shown || options.collectives == CollectiveDisplay::Shown ? 1 : 0)
        + (colorsOfOne(state, layout) ? 1 : 0);
    const double wanted = lines * lineHeight(options, measure);
    return wanted <= layout.body.height * kMostOfBody ? wanted : 0;
}

}  // namespace skein
