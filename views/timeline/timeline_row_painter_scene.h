// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/calls/share_bands.h"
#include "views/common/scene/color/call_colors.h"
#include "views/common/scene/color/lane_table.h"
#include "views/common/scene/color/palette.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/row_samples_scene.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace skein {

/// How the calls of an experiment look in all rows of a picture.
struct TimelineRowStyle {
    TimelineRowStyle(const Experiment& experiment, std::uint32_t number, const ViewState& state,
                     RegionPalette colors, Color background, std::size_t lanes)
        : palette(std::move(colors)),
          table(experiment, number, state, palette, background, lanes),
          bands(experiment, number, state, palette, background, table)
    {
    }
    TimelineRowStyle(const TimelineRowStyle&) = delete;
    TimelineRowStyle& operator=(const TimelineRowStyle&) = delete;

    RegionPalette palette;
    LaneTable table;
    ShareBands bands;
};

/// What all rows of a picture have in common. What it refers to must outlive it.
struct TimelineRowContext {
    const TimelineData& data;
    const TimelineOptions& options;
    const TimelineLayout& layout;
    LaneLayout lanes;
    double lowestName = 0;             ///< height in device pixels; lower calls get none
    std::optional<CallColors> colors;  ///< where calls have colours of their own
    std::vector<std::unique_ptr<const TimelineRowStyle>> styles;  ///< an experiment; null: it has no row
    SampleKeeping keeping;
};

/// Rows that are drawn as one: a row of one location, one that stands for several, or many low ones.
struct BarRow {
    std::span<const PlacedRow> rows;
    std::size_t number = 0;  ///< in the picture
    int top = 0, bottom = 0;
};

/// A call that has room for its name.
struct CallName {
    Rect bar;
    RegionRef region;
    Color color;  ///< of the bar
};

struct DrawnRow {
    std::optional<PixelItem> pixels;  ///< none where nothing is to be seen
    std::vector<CallName> names;
};

/// Draws one row of a timeline after the other. Not thread-safe: use one object a thread.
class TimelineRowPainter {
public:
    explicit TimelineRowPainter(const TimelineRowContext& context);

    /// Stops early when told to.
    DrawnRow draw(const BarRow& bars, const Task& task);

private:
    const TimelineRow& rowOf(const PlacedRow& place) const { return layout_.rows[place.row]; }
    const TimelineRowStyle& styleOf(LocationRef location) const
    {
        return *context_.styles[location.experiment];
    }
    void drawRow(const BarRow& bars);
    void drawTogether(const BarRow& bars, const Task& task);
    PixelItem pixelsOf(const LaneTable& table, int top, int height) const;
    PixelItem blockTogether(int top, int height) const;
    void showMost(PixelItem& pixels, const LaneTable& table, std::span<const LocationRef> locations);
    void divide(PixelItem& pixels, const TimelineRowStyle& style);
    void markOutliers(PixelItem& pixels, const LaneTable& table) const;
    std::vector<std::size_t> markedColumns(const LaneTable& table) const;
    bool isMarkedBelow(const RowSamples::Outlier& outlier, const LaneTable& table) const;
    void markOutliersBelow(PixelItem& pixels, const LaneTable& table) const;
    void markEntry(PixelItem& pixels, std::uint32_t lane, double x);
    void markEntriesOfBands(PixelItem& pixels) const;
    bool isDivided(double left, double right) const;
    void drawWideCalls(PixelItem& pixels, const TimelineRow& row, const LaneTable& table, int top);
    void visitCall(PixelItem& pixels, const TimelineRow& row, const LaneTable& table, std::uint32_t call,
                   int top);
    std::size_t placeOf(std::size_t column) const;
    void addName(const TimelineRow& row, std::uint32_t call, const Rect& bar, Color color);

    const TimelineRowContext& context_;
    const TimelineData& data_;
    const TimelineOptions& options_;
    const TimelineLayout& layout_;
    const LaneLayout& lanes_;
    std::optional<CallColors> colors_;
    RowSamples samples_;
    // Of the row that is drawn:
    DrawnRow drawn_;
    std::vector<std::uint32_t> wide_;    ///< calls
    std::vector<std::size_t> entries_;   ///< divided columns in which one of these begins, ascending
    std::vector<std::uint8_t> divided_;  ///< columns: by share, see ShareBands
    std::vector<int> firstColumns_;      ///< of values; empty: each column has its own
};

/// Device pixels of empty space between two rows of a height.
int rowGap(double rowHeight, double scale);

}  // namespace skein
