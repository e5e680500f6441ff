// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "views/common/scene/color/lane_table.h"
#include "views/common/scene/drawing/draw_list.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Draws how the time of columns divides: in each the two largest regions, and the rest by group in the
/// colour of the group, as bands that are as high as their share. Bands stand in the order of groups and
/// regions, not of shares, so that they stay where they are from column to column, and six logical pixels
/// beside each other have the same; what is free is below them. Rows too low for bands get one colour, mixed
/// by share in linear light. Thread-safe.
///
///     compute  ████▇▇▇████
///     wait     ▒▒▒▒▒▒▒▒▒▒▒
///     free
class ShareBands {
public:
    static constexpr double kLowest = 6;  ///< rows that are lower are mixed, in logical pixels

    /// `table` has the colours of the experiment's call paths, and must outlive the bands.
    ShareBands(const Experiment& experiment, std::uint32_t number, const ViewState& state,
               const RegionPalette& palette, Color background, const LaneTable& table);

    /// Which columns of one location are to be divided: stretches that hold many calls. Gaps of up to three
    /// columns of a stretch are closed, and stretches of up to three columns left out, for calm.
    static std::vector<std::uint8_t> crowded(std::span<const ColumnSample> columns);

    /// Replaces columns of a row that are `divided`, one entry a column. Scanlines are added where they are
    /// not fine enough, and where most columns are as their neighbours values become several pixels wide (see
    /// PixelItem). `alone`: columns, ascending, that keep a value of their own. Where all columns are divided
    /// `pixels` needs no values. O(columns · scanlines).
    void divide(PixelItem& pixels, std::span<const ColumnSample> columns,
                std::span<const std::uint8_t> divided, double scale,
                std::span<const std::size_t> alone = {}) const;

private:
    static constexpr std::size_t kBands = 5;

    struct Bands {
        std::uint32_t color[kBands];
        std::uint8_t end[kBands];  ///< 0 … 255 from the top; those of no band are that of the one before
    };
    /// Columns that have the same bands.
    struct Block {
        std::size_t first;
        std::size_t end;
        Bands bands;
    };
    struct Entry {
        std::uint32_t rank;
        std::uint32_t callPath;
        float ns;
    };
    class Sum;

    static Bands oneBand(std::uint32_t argb);
    Bands bandsOf(std::span<const ColumnSample> columns) const;
    std::vector<Block> blocksOf(std::span<const ColumnSample> columns, std::span<const std::uint8_t> divided,
                                std::size_t widest, bool isLow) const;
    static void cutAround(std::vector<Block>& blocks, std::span<const std::size_t> columns);
    template <typename Show>
    static void visitColors(const Bands& bands, std::span<const int> middles, Show show);
    static void drawWide(PixelItem& pixels, std::span<const Block> blocks);
    static void drawInto(PixelItem& pixels, std::span<const Block> blocks);
    std::uint32_t mixed(std::span<const ColumnSample> columns) const;

    const LaneTable& table_;
    LaneTable groupTable_;             ///< one lane, in colours of groups
    std::vector<std::uint32_t> rank_;  ///< a call path
    Color background_;
};

}  // namespace skein
