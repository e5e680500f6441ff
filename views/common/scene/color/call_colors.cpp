// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/color/call_colors.h"

#include "views/common/scene/calls/call_stack.h"
#include "views/common/scene/color/color_scale.h"

#include <algorithm>

namespace skein {

CallColors::CallColors(const TimelineData& data, const ViewState& state, bool dark, const Task& task)
    : data_(data), state_(state), dark_(dark), durations_(data.session.experiments.size())
{
    if (state.colors == ColorMode::Metric)
        metric_ = data.metrics->of(data.session, state.metric, task).value_or(nullptr);
}

Color CallColors::ofMetric(LocationRef location, TimeSpan experimentTime) const
{
    const StepSeries* steps = metric_ ? metric_->of(location) : nullptr;
    const StepRange range = steps ? steps->over(experimentTime) : StepRange();
    if (!range.any()) return divergingColor(dark_, 0);
    return sequentialColor(
        dark_,
        partOfRange(range.mean(), metric_->whole.minimum, metric_->whole.maximum, state_.colorScaling));
}

/// The mean over some columns of pixels.
Color CallColors::ofMetricWithin(LocationRef location, const TimeScale& scale, double left,
                                 double width) const
{
    const TimeSpan span = data_.clock.toExperiment(location.experiment,
                                                   TimeSpan{scale.toTime(left), scale.toTime(left + width)});
    return ofMetric(location, {span.begin, std::max(span.end, span.begin + 1)});
}

void CallColors::recolorByMetric(PixelItem& pixels, LocationRef location, const TimeScale& scale,
                                 std::uint32_t columnPx) const
{
    const auto columns = static_cast<std::size_t>(pixels.columns);
    std::uint32_t color = 0;
    for (std::size_t column = 0; column < columns; ++column) {
        if (column % columnPx == 0)
            color =
                toArgb(ofMetricWithin(location, scale, scale.left + static_cast<double>(column), columnPx));
        for (std::size_t line = 0; line < pixels.heights.size(); ++line)
            if (std::uint32_t& pixel = pixels.argb[line * columns + column]; pixel != 0) pixel = color;
    }
}

/// Asked for once: others may be working them out at the same time.
const std::vector<RegionDuration>& CallColors::durationsOf(std::uint32_t experiment) const
{
    if (!durations_[experiment])
        durations_[experiment] = &data_.durations->of(experiment, *data_.session.experiments[experiment],
                                                      *data_.indexes[experiment]);
    return *durations_[experiment];
}

Color CallColors::of(LocationRef location, std::uint32_t call) const
{
    if (state_.colors == ColorMode::Metric) return ofMetric(location, callsOf(data_, location).span(call));
    const Experiment& experiment = *data_.session.experiments[location.experiment];
    const CallIntervals& calls = callsOf(data_, location);
    const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[call]));
    const double deviations = durationsOf(location.experiment)[region.index()].deviationsOf(
        static_cast<double>(calls.span(call).lengthNs()));
    return divergingColor(dark_, deviations / kMostDeviations);
}

/// The calls around and including one that no filter hides; or the innermost of them only.
void CallColors::takeStack(LocationRef location, std::uint32_t innermost, bool whole) const
{
    const CallTree& tree = *data_.session.experiments[location.experiment]->callTree;
    const CallIntervals& calls = callsOf(data_, location);
    const IntervalSkip& skip = skipOf(data_, location);
    stack_.clear();
    for (std::uint32_t call = innermost; call != kNoInterval && (whole || stack_.empty());
         call = skip.parent(calls, call))
        if (passes(state_.filters,
                   RegionRef{location.experiment, tree.region(CallPathId(calls.callPath[call]))}))
            stack_.push_back(call);
}

void CallColors::takeColors(LocationRef location, std::uint32_t innermost, std::size_t lanes) const
{
    colors_.assign(lanes, toArgb(divergingColor(dark_, 0)));
    if (innermost == kNoInterval) return;
    takeStack(location, innermost, lanes > 1);
    if (stack_.empty()) return;
    const std::size_t deepest = stack_.size() - 1;
    for (std::size_t lane = 0; lane < lanes; ++lane) {
        const std::size_t level = lane + 1 == lanes ? deepest : std::min(lane, deepest);
        // Below the last one of a short stack it goes on.
        colors_[lane] = lane > deepest ? colors_[deepest] : toArgb(of(location, stack_[deepest - level]));
    }
}

void CallColors::recolor(PixelItem& pixels, LocationRef location, const TimeScale& scale,
                         std::size_t linesPerLane, std::uint32_t columnPx) const
{
    const CallIntervals& calls = callsOf(data_, location);
    const auto columns = static_cast<std::size_t>(pixels.columns);
    const std::size_t lanes = pixels.heights.size() / linesPerLane;
    if (calls.size() == 0 || lanes == 0) return;
    if (state_.colors == ColorMode::Metric) return recolorByMetric(pixels, location, scale, columnPx);
    std::uint32_t before = kNoInterval;
    takeColors(location, kNoInterval, lanes);
    for (std::size_t column = 0; column < columns; ++column) {
        if (column % columnPx == 0) {
            const TimeNs middle = scale.toTime(scale.left + static_cast<double>(column) + 0.5 * columnPx);
            const std::uint32_t call =
                skipOf(data_, location)
                    .innermostAt(calls, data_.clock.toExperiment(location.experiment, middle));
            if (call != before) takeColors(location, call, lanes);
            before = call;
        }
        for (std::size_t line = 0; line < pixels.heights.size(); ++line) {
            std::uint32_t& pixel = pixels.argb[line * columns + column];
            if (pixel != 0) pixel = colors_[line / linesPerLane];
        }
    }
}

/// The innermost call at a time in the first of these locations that runs the region then; else in the first
/// of all.
IntervalRef CallColors::callThatShows(std::span<const LocationRef> asked, std::uint32_t callPath,
                                      TimeNs time) const
{
    const LocationRef first = asked.front();
    const CallTree& tree = *data_.session.experiments[first.experiment]->callTree;
    const RegionId wanted = tree.region(CallPathId(callPath));
    IntervalRef fallback{first.experiment, first.id, kNoInterval};
    for (const LocationRef& location : asked) {
        const CallIntervals& calls = callsOf(data_, location);
        const std::uint32_t call =
            calls.size() == 0 ? kNoInterval : skipOf(data_, location).innermostAt(calls, time);
        if (call != kNoInterval && tree.region(CallPathId(calls.callPath[call])) == wanted)
            return {location.experiment, location.id, call};
        if (location == first) fallback.index = call;
    }
    return fallback;
}

void CallColors::recolorTogether(PixelItem& pixels, std::span<const LocationRef> locations,
                                 std::span<const ColumnSample> columns, const TimeScale& scale,
                                 std::uint32_t columnPx) const
{
    const std::size_t count = locations.size();
    std::vector<LocationRef> asked;
    for (const std::size_t at : {count / 2, std::size_t{0}, count / 4, 3 * count / 4})
        if (std::find(asked.begin(), asked.end(), locations[at]) == asked.end())
            asked.push_back(locations[at]);
    IntervalRef before;
    std::uint32_t color = 0;
    const std::size_t step = columnPx;
    for (std::size_t column = 0; column < columns.size(); ++column) {
        if (columns[column].callPath == CallPathId::kNone) continue;
        const std::size_t first = column - column % step;
        if (column == first || columns[column - 1].callPath == CallPathId::kNone) {
            const double left = scale.left + static_cast<double>(first);
            const TimeNs middle =
                data_.clock.toExperiment(asked.front().experiment, scale.toTime(left + 0.5 * columnPx));
            const IntervalRef call = callThatShows(asked, columns[column].callPath, middle);
            const LocationRef location{call.experiment, call.location};
            if (state_.colors == ColorMode::Metric) {
                color = toArgb(ofMetricWithin(location, scale, left, columnPx));
            } else if (color == 0 || call != before) {
                takeColors(location, call.index, 1);
                color = colors_.front();
            }
            before = call;
        }
        for (std::size_t line = 0; line < pixels.heights.size(); ++line)
            if (std::uint32_t& pixel = pixels.argb[line * columns.size() + column]; pixel != 0) pixel = color;
    }
}

}  // namespace skein
