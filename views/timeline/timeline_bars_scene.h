// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/calls/share_bands.h"
#include "views/common/scene/color/call_colors.h"
#include "views/common/scene/color/lane_table.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/regions/region_groups.h"
#include "views/timeline/row_samples_scene.h"
#include "views/timeline/timeline_layout_scene.h"

#include <optional>
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
    /// a pixel, which are drawn in bundles, what all their locations do together is
    /// shown. Columns of many locations or calls are divided by share, see ShareBands; others show the stack
    /// of the region that took most time. Calls much longer than their region's usual keep a pixel. Stops
    /// early when told to.
    void draw(DrawList& list, const Task& task);

    /// Appends the names of the calls that were drawn and are wide enough.
    void drawLabels(DrawList& list);

private:
    struct ExperimentStyle {
        RegionPalette palette;
        std::vector<LaneTable> tables;  ///< at most one
        std::optional<ShareBands> bands;
    };

    const LaneTable& tableOf(std::uint32_t experiment);
    void drawGroup(DrawList& list, std::span<const PlacedRow> group, int top, int bottom, const Task& task);
    void drawRow(DrawList& list, const TimelineRow& row, int top, int bottom);
    void drawTogether(DrawList& list, std::span<const LocationRef> locations, int top, int height,
                      const Task& task);
    std::size_t rowsDrawnAsOne(std::size_t first) const;
    std::size_t collapsedRowsOfPixel(std::size_t first) const;
    const TimelineRow& rowOf(const PlacedRow& place) const { return layout_.rows[place.row]; }
    PixelItem pixelsOf(const LaneTable& table, int top, int height) const;
    PixelItem pixelsTogether(const LaneTable& table, int top, int height) const;
    void markOutliers(PixelItem& pixels, const LaneTable& table) const;
    void markOutliersBelow(PixelItem& pixels, const LaneTable& table) const;
    void markEntry(PixelItem& pixels, std::uint32_t lane, double x);
    void markEntriesOfBands(PixelItem& pixels);
    bool isDivided(double left, double right) const;
    void drawWideCalls(PixelItem& pixels, const TimelineRow& row, const LaneTable& table, int top);
    void visitCall(PixelItem& pixels, const TimelineRow& row, const LaneTable& table, std::uint32_t call,
                   int top);
    const std::string& nameFor(const Experiment& experiment, std::uint32_t number, RegionId region,
                               double width);
    void addLabel(const TimelineRow& row, std::uint32_t call, const Rect& bar, Color color);

    const TimelineData& data_;
    const ViewState& state_;
    const TimelineOptions& options_;
    const TimelineLayout& layout_;
    const TextMeasure& measure_;
    LaneLayout lanes_;
    std::optional<CallColors> colors_;    ///< where calls have colours of their own
    std::optional<RegionGroups> groups_;  ///< once a row is drawn
    std::vector<ExperimentStyle> styles_;
    RowSamples samples_;
    std::vector<TextItem> labels_;
    std::vector<std::uint32_t> wide_;    ///< calls of the row that is drawn
    std::vector<std::size_t> entries_;   ///< columns that are divided in which one of these begins
    std::vector<std::uint8_t> divided_;  ///< columns of the row that is drawn: by share, see ShareBands
    std::unordered_map<std::uint64_t, std::string> names_;
    int gap_ = 0;
};

/// Device pixels of empty space between two rows of a height.
int rowGap(double rowHeight, double scale);

/// The lanes of this layout's rows.
LaneLayout lanesOf(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
                   const TextMeasure& measure);

}  // namespace skein
