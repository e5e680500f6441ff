// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_flushes_scene.h"

#include "core/base/units.h"
#include "core/index/location_spans.h"
#include "views/timeline/span_band_scene.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace skein {
namespace {

/// Of one trace, by location.
struct Flushes {
    Column<BufferFlush> spans;
    LocationSpans<BufferFlush> index;
};

std::vector<Flushes> flushesOf(const Session& session)
{
    std::vector<Flushes> found;
    for (const ExperimentPtr& experiment : session.experiments) {
        std::vector<BufferFlush> flushes;
        if (experiment->trace)
            for (const BufferFlush& flush : experiment->trace->bufferFlushes)
                if (flush.location.valid()) flushes.push_back({flush.begin, std::max(flush.end, flush.begin + 1), flush.location});
        std::sort(flushes.begin(), flushes.end(), [](const BufferFlush& left, const BufferFlush& right) {
            return std::tuple(left.location, left.begin, left.end) < std::tuple(right.location, right.begin, right.end);
        });
        Column<BufferFlush> column(std::move(flushes));
        LocationSpans<BufferFlush> index(column);
        found.push_back({std::move(column), std::move(index)});
    }
    return found;
}

}  // namespace

void drawFlushes(DrawList& list, const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout)
{
    const std::vector<Flushes> flushes = flushesOf(data.session);
    const bool none = std::all_of(flushes.begin(), flushes.end(), [](const Flushes& of) { return of.spans.empty(); });
    if (none) return;
    SpanBand band(data, options, layout, BandEdge::Middle);
    const std::uint32_t color = toArgb(options.theme.text);
    list.pushClip(layout.body);
    for (const PlacedRow& place : layout.places) {
        const TimelineRow& row = layout.rows[place.row];
        if (isHeader(row) || !band.enter(place, list)) continue;
        forEachLocation(row, [&](LocationRef location) {
            const Flushes& of = flushes[location.experiment];
            if (!of.spans.empty()) band.add(location, of.spans, of.index, [color](const BufferFlush&) { return color; });
        });
    }
    band.finish(list);
    list.popClip();
}

std::string flushTooltip(const TimelineData& data, const TimeScale& scale, LocationRef location, TimeNs time)
{
    if (location.experiment >= data.session.experiments.size() || !data.session.experiments[location.experiment]->trace) return {};
    const TimeNs at = data.clock.toExperiment(location.experiment, time);
    const auto reach = static_cast<TimeNs>(std::ceil(scale.nsPerPixel()));
    const BufferFlush* longest = nullptr;
    for (const BufferFlush& flush : data.session.experiments[location.experiment]->trace->bufferFlushes) {
        if (flush.location != location.id || at < flush.begin - reach || at > flush.end + reach) continue;
        if (!longest || flush.end - flush.begin > longest->end - longest->begin) longest = &flush;
    }
    return longest ? "buffer flush, " + formatDuration(static_cast<double>(longest->end - longest->begin)) : std::string();
}

}  // namespace skein
