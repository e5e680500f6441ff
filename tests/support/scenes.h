// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/pixels.h"
#include "views/common/scene/data/timeline_data.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/common/scene/regions/region_groups.h"

#include <string>
#include <type_traits>
#include <vector>

/// What tests of scenes need: data with indexes, a canvas without fonts, and questions to a draw list.
namespace skein::test {

/// The experiments with their indexes on their common clock.
inline TimelineDataPtr timelineDataOf(std::vector<ExperimentPtr> experiments)
{
    std::vector<TimelineIndexPtr> indexes;
    for (const ExperimentPtr& experiment : experiments)
        indexes.push_back(experiment->trace ? std::make_shared<const TimelineIndex>(
                              *buildTimelineIndex(*experiment->trace, *experiment->callTree, Task()))
                                            : nullptr);
    return makeTimelineData({std::move(experiments)}, std::move(indexes));
}

/// The colours that pictures of the experiment alone have.
inline RegionPalette shownPalette(const Experiment& experiment, const Theme& theme)
{
    const Session session{{std::make_shared<const Experiment>(experiment)}};
    return regionPalette(RegionGroups(session, RegionGrouping::Role), 0, theme);
}

/// A canvas of a size with the light theme, one device pixel a logical one.
struct PlainCanvas {
    SceneStyle style{lightTheme(), 1, {}};
    ApproximateTextMeasure measure{12};
    Canvas canvas;

    PlainCanvas(int width, int height) : canvas{width, height, style, measure} {}
    PlainCanvas(const PlainCanvas&) = delete;
    PlainCanvas& operator=(const PlainCanvas&) = delete;
};

/// Blocks of pixels with a value for each pixel of a scanline, see expanded().
template <typename Item>
std::vector<Item> itemsOf(const DrawList& list)
{
    std::vector<Item> found;
    for (const DrawItem& item : list.items)
        if (const auto* match = std::get_if<Item>(&item)) {
            if constexpr (std::is_same_v<Item, PixelItem>) found.push_back(expanded(*match));
            else found.push_back(*match);
        }
    return found;
}

/// True when one of the texts reads exactly so.
inline bool shows(const DrawList& list, const std::string& text)
{
    for (const TextItem& item : itemsOf<TextItem>(list))
        if (item.text == text) return true;
    return false;
}

/// Two texts of which one lies upon the other, or a text that is wider than its box or leaves the picture;
/// empty where everything can be read.
inline std::string unreadable(const DrawList& list, const TextMeasure& measure)
{
    std::vector<std::pair<Rect, std::string>> placed;
    for (const TextItem& item : itemsOf<TextItem>(list)) {
        const double width = measure.width(item.text, item.style);
        const double height = std::min(item.box.height, measure.lineHeight(item.style));
        if (width > item.box.width + 1.5) return item.text + " is wider than its box";
        double x = item.box.x;
        if (item.align == Align::Right) x = item.box.right() - width;
        if (item.align == Align::Center) x = item.box.x + (item.box.width - width) / 2;
        const Rect ink{x, item.box.y + (item.box.height - height) / 2, width, height};
        if (ink.x < -1 || ink.right() > list.width + 1) return item.text + " leaves the picture";
        for (const auto& [other, text] : placed)
            if (ink.inset(0.6).overlaps(other.inset(0.6))) return item.text + " lies upon " + text;
        placed.emplace_back(ink, item.text);
    }
    return {};
}

}  // namespace skein::test
