// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"
#include "views/timeline/timeline_row_painter_scene.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace skein {

/// Draws the call stacks of location rows as pixels, and the names of calls that are wide enough.
class TimelineBars {
public:
    TimelineBars(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                 const TimelineLayout& layout, const TextMeasure& measure, SampleKeeping keeping = {});

    /// Appends the bars of every visible row. Of groups that are collapsed to one row, and of rows lower than
    /// a pixel, which are drawn in bundles, what all their locations do together is shown. Columns of many
    /// locations or calls are divided by share, see ShareBands; others show the stack of the region that took
    /// most time. Calls much longer than their region's usual keep a pixel. Rows are drawn on the task's
    /// threads; the same on any number of them. Stops early when told to.
    void draw(DrawList& list, const Task& task);

    /// Appends the names of the calls that were drawn and are wide enough.
    void drawLabels(DrawList& list);

private:
    TimelineRowContext rowContext(SampleKeeping keeping, const TimelineOptions& options) const;
    std::vector<BarRow> rowsInSight() const;
    void prepareStyles(std::span<const BarRow> groups);
    std::size_t rowsDrawnAsOne(std::size_t first) const;
    std::size_t collapsedRowsOfPixel(std::size_t first) const;
    const TimelineRow& rowOf(const PlacedRow& place) const { return layout_.rows[place.row]; }
    const std::string& shortened(RegionRef region, double width);

    const TimelineData& data_;
    const ViewState& state_;
    const TimelineLayout& layout_;
    const TextMeasure& measure_;
    TimelineRowContext rows_;
    std::vector<CallName> names_;
    std::unordered_map<std::uint64_t, std::string> shortened_;
};

/// The lanes of this layout's rows.
LaneLayout lanesOf(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
                   const TextMeasure& measure);

}  // namespace skein
