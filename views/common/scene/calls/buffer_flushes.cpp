// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/calls/buffer_flushes.h"

#include "core/base/units.h"
#include "views/common/scene/data/timeline_data.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace skein {
namespace {

TraceFlushes flushesOf(const Trace& trace)
{
    std::vector<BufferFlush> flushes;
    for (const BufferFlush& flush : trace.bufferFlushes)
        if (flush.location.valid())
            flushes.push_back({flush.begin, std::max(flush.end, flush.begin + 1), flush.location});
    std::sort(flushes.begin(), flushes.end(), [](const BufferFlush& left, const BufferFlush& right) {
        return std::tuple(left.location, left.begin, left.end)
            < std::tuple(right.location, right.begin, right.end);
    });
    Column<BufferFlush> column(std::move(flushes));
    LocationSpans<BufferFlush> index(column);
    return {std::move(column), std::move(index)};
}

/// Null where there are none.
const TraceFlushes* flushesAt(const TimelineData& data, LocationRef location)
{
    if (location.experiment >= data.session.experiments.size()) return nullptr;
    const TraceFlushes& flushes = data.flushes->of(data.session)[location.experiment];
    return flushes.spans.empty() ? nullptr : &flushes;
}

}  // namespace

const std::vector<TraceFlushes>& BufferFlushes::of(const Session& session)
{
    std::call_once(once_, [&] {
        for (const ExperimentPtr& experiment : session.experiments)
            traces_.push_back(experiment->trace ? flushesOf(*experiment->trace) : TraceFlushes{});
    });
    return traces_;
}

std::string flushTooltip(const TimelineData& data, const TimeScale& scale, LocationRef location, TimeNs time)
{
    const TraceFlushes* flushes = flushesAt(data, location);
    if (!flushes) return {};
    const TimeNs at = data.clock.toExperiment(location.experiment, time);
    const auto reach = static_cast<TimeNs>(std::ceil(scale.nsPerPixel()));
    const std::size_t last = flushes->index.firstBeginningAt(flushes->spans, location.id, at + reach + 1);
    TimeNs longest = 0;
    for (std::size_t number = flushes->index.firstEndingAfter(location.id, at - reach - 1); number < last;
         ++number)
        if (const BufferFlush& flush = flushes->spans[number]; flush.end >= at - reach)
            longest = std::max(longest, flush.end - flush.begin);
    return longest > 0 ? "buffer flush, " + formatDuration(static_cast<double>(longest)) : std::string();
}

std::vector<bool> flushColumns(const TimelineData& data, const TimeScale& scale, double left,
                               std::size_t columns, LocationRef location)
{
    std::vector<bool> marked(columns, false);
    const TraceFlushes* flushes = flushesAt(data, location);
    if (!flushes || columns == 0) return marked;
    const auto& [spans, index] = *flushes;
    const TimeSpan span = data.clock.toExperiment(location.experiment, scale.span);
    const auto columnAt = [&](TimeNs time) {
        const double column = std::floor(scale.toX(data.clock.toSession(location.experiment, time)) - left);
        return static_cast<std::size_t>(std::clamp(column, 0.0, static_cast<double>(columns - 1)));
    };
    const std::size_t end = index.firstBeginningAt(spans, location.id, span.end);
    for (std::size_t number = index.firstEndingAfter(location.id, span.begin); number < end;) {
        const std::size_t column = columnAt(spans[number].begin);
        const TimeNs right = data.clock.toExperiment(
            location.experiment, scale.toTime(left + static_cast<double>(column) + 1) + 1);
        number = std::clamp(index.firstBeginningAt(spans, location.id, right), number + 1, end);
        const std::size_t last = columnAt(std::min(index.latestEnd(number - 1), span.end) - 1);
        std::fill(marked.begin() + static_cast<std::ptrdiff_t>(column),
                  marked.begin() + static_cast<std::ptrdiff_t>(std::max(column, last)) + 1, true);
    }
    return marked;
}

}  // namespace skein
