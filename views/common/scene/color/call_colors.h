// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/column_grid.h"
#include "core/select/view_state.h"
#include "views/common/scene/axes/time_axis.h"
#include "views/common/scene/data/timeline_data.h"
#include "views/common/scene/drawing/draw_list.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Colours that belong to single calls or moments instead of regions: how long a call took against the other
/// calls of its region, from three standard deviations below their mean to three above; or a metric of the
/// trace as the location recorded it, from its least value in the run to its greatest. Not thread-safe: use
/// one object a thread.
class CallColors {
public:
    static constexpr double kMostDeviations = 3;

    /// The first one of a metric costs its samples. After a stop request it has only neutral colours.
    CallColors(const TimelineData& data, const ViewState& state, bool dark, const Task& task);

    /// True when the state asks for such colours.
    static bool wanted(const ViewState& state)
    {
        return state.colors == ColorMode::Duration || state.colors == ColorMode::Metric;
    }

    /// Of a metric its mean over the call.
    Color of(LocationRef location, std::uint32_t call) const;

    /// Colours the pixels of a location's calls, of which every `linesPerLane` scanlines belong to a level of
    /// the stack, from the outermost one, the last to the innermost. What is drawn in a column is coloured as
    /// the call in the middle of the column, or as the mean of the metric over the column; neutral where that
    /// was between calls, or is not known. `columnPx` columns beside each other are coloured as one.
    /// O(columns / columnPx · depth · log calls) at most.
    void recolor(PixelItem& pixels, LocationRef location, const TimeScale& scale, std::size_t linesPerLane,
                 std::uint32_t columnPx = 1) const;

    /// The same where a line stands for many locations of one experiment. `columns` says what each column
    /// shows: it is coloured as in a location that runs that region in the middle of the column. Up to
    /// kMostAsked of them, the middle one first, are asked; where none does, the middle one decides.
    /// O(columns · log calls).
    void recolorTogether(PixelItem& pixels, std::span<const LocationRef> locations,
                         std::span<const ColumnSample> columns, const TimeScale& scale,
                         std::uint32_t columnPx = 1) const;

private:
    static constexpr std::size_t kMostAsked = 4;

    Color ofMetric(LocationRef location, TimeSpan experimentTime) const;
    void recolorByMetric(PixelItem& pixels, LocationRef location, const TimeScale& scale,
                         std::uint32_t columnPx) const;
    void takeStack(LocationRef location, std::uint32_t innermost, bool whole) const;
    void takeColors(LocationRef location, std::uint32_t innermost, std::size_t lanes) const;
    Color ofMetricWithin(LocationRef location, const TimeScale& scale, double left, double width) const;
    const std::vector<RegionDuration>& durationsOf(std::uint32_t experiment) const;
    IntervalRef callThatShows(std::span<const LocationRef> asked, std::uint32_t callPath, TimeNs time) const;

    const TimelineData& data_;
    const ViewState& state_;
    bool dark_;
    MetricTrackPtr metric_;  ///< null but where it is coloured by
    mutable std::vector<const std::vector<RegionDuration>*>
        durations_;                              ///< an experiment; null until asked for
    mutable std::vector<std::uint32_t> stack_;   ///< calls that are shown, innermost first
    mutable std::vector<std::uint32_t> colors_;  ///< of the lanes
};

}  // namespace skein
