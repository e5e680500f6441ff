// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/location_spans.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace skein {

/// Where in a row a band lies.
enum class BandEdge : std::uint8_t { Top, Middle, Bottom };
/// Whether all of a band's columns are as high as it, or as high as the share of their time that is covered.
enum class BandHeight : std::uint8_t { Whole, Share };

/// Colours the pixel columns of narrow bands along the rows of a timeline. Rows that share a pixel share a
/// band.
class SpanBand {
public:
    SpanBand(const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout,
             BandEdge edge, BandHeight heights = BandHeight::Whole);

    /// Goes on to a row; bands that it shares no pixels with are appended to the list. False where it is out
    /// of sight.
    bool enter(const PlacedRow& place, DrawList& list);
    /// Appends what is left.
    void finish(DrawList& list) { flush(list); }

    /// Every row of the location that overlaps the visible span gets at least one pixel. Where several begin
    /// within one column, the longest of up to 16 gives its colour. O(columns · log rows).
    template <typename Row, typename ColorOf>
    void add(LocationRef location, const Column<Row>& rows, const LocationSpans<Row>& spans, ColorOf colorOf)
    {
        const TimeSpan span = data_.clock.toExperiment(location.experiment, layout_.scale.span);
        const std::size_t end = spans.rowsOf(location.id).second;
        std::size_t number = spans.firstEndingAfter(location.id, span.begin);
        while (number < end && rows[number].begin < span.end) {
            const std::int64_t column = columnAt(location.experiment, rows[number].begin);
            const std::size_t next =
                std::clamp(spans.firstBeginningAt(rows, location.id, columnEnd(location.experiment, column)),
                           number + 1, end);
            std::size_t longest = number;
            for (std::size_t other = number; other < std::min(next, number + kMostCompared); ++other)
                if (rows[other].end - rows[other].begin > rows[longest].end - rows[longest].begin)
                    longest = other;
            fill(column, lastColumn(location.experiment, spans.latestEnd(next - 1)), colorOf(rows[longest]));
            number = next;
        }
    }

    /// As add(), for columns as high as the share of their time that rows cover, of all locations that the
    /// band stands for. `before` has for each row the length of all rows before it. The colour of a column is
    /// that of the row that covers most of it, of those that add() compares. O(columns · log rows).
    template <typename Row, typename ColorOf>
    void addShares(LocationRef location, const Column<Row>& rows, const LocationSpans<Row>& spans,
                   std::span<const TimeNs> before, ColorOf colorOf)
    {
        ++locations_;
        const TimeSpan span = data_.clock.toExperiment(location.experiment, layout_.scale.span);
        const std::size_t end = spans.rowsOf(location.id).second;
        std::size_t number = spans.firstEndingAfter(location.id, span.begin);
        while (number < end && rows[number].begin < span.end) {
            const std::int64_t column = columnAt(location.experiment, rows[number].begin);
            const std::size_t next =
                std::clamp(spans.firstBeginningAt(rows, location.id, columnEnd(location.experiment, column)),
                           number + 1, end);
            std::size_t longest = next - 1;
            for (std::size_t other = number; other < std::min(next, number + kMostCompared); ++other)
                if (rows[other].end - rows[other].begin > rows[longest].end - rows[longest].begin)
                    longest = other;
            // Only the last one goes on behind the column, but where rows overlap.
            cover(location.experiment, {rows[next - 1].begin, rows[next - 1].end}, colorOf(rows[longest]));
            if (next - 1 > number)
                cover(location.experiment,
                      {rows[number].begin, rows[number].begin + before[next - 1] - before[number]},
                      colorOf(rows[longest]), column);
            number = next;
        }
    }

private:
    static constexpr std::size_t kMostCompared = 16;

    std::int64_t columnAt(std::uint32_t experiment, TimeNs time) const;
    /// The last column that what ends at the time has a part in.
    std::int64_t lastColumn(std::uint32_t experiment, TimeNs end) const;
    TimeNs columnEnd(std::uint32_t experiment, std::int64_t column) const;
    void fill(std::int64_t from, std::int64_t to, std::uint32_t argb);
    /// Adds a stretch of experiment time to the columns that it has a part in, or all of it to one of them.
    void cover(std::uint32_t experiment, TimeSpan span, std::uint32_t argb,
               std::optional<std::int64_t> column = {});
    void coverColumn(std::int64_t column, double pixels, std::uint32_t argb);
    PixelItem shares() const;
    void flush(DrawList& list);

    const TimelineData& data_;
    const TimelineOptions& options_;
    const TimelineLayout& layout_;
    BandEdge edge_;
    BandHeight heights_;
    std::vector<std::uint32_t> argb_;
    std::vector<float> covered_;  ///< of each column, in columns; where heights are shares
    std::vector<float> most_;     ///< what argb_ stands for
    std::size_t locations_ = 0;   ///< of the present band
    int top_ = -1;
    int height_ = 0;
};

}  // namespace skein
