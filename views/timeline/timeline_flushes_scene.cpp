// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_flushes_scene.h"

#include "views/timeline/span_band_scene.h"

#include <algorithm>

namespace skein {

void drawFlushes(DrawList& list, const TimelineData& data, const TimelineOptions& options,
                 const TimelineLayout& layout)
{
    const std::vector<TraceFlushes>& flushes = data.flushes->of(data.session);
    const bool none =
        std::all_of(flushes.begin(), flushes.end(), [](const TraceFlushes& of) { return of.spans.empty(); });
    if (none) return;
    SpanBand band(data, options, layout, BandEdge::Middle);
    const std::uint32_t color = toArgb(options.theme.text);
    list.pushClip(layout.body);
    for (const PlacedRow& place : layout.places) {
        const TimelineRow& row = layout.rows[place.row];
        if (isHeader(row) || !band.enter(place, list)) continue;
        forEachLocation(row, [&](LocationRef location) {
            const TraceFlushes& of = flushes[location.experiment];
            if (!of.spans.empty())
                band.add(location, of.spans, of.index, [color](const BufferFlush&) { return color; });
        });
    }
    band.finish(list);
    list.popClip();
}

}  // namespace skein
