// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_waits_scene.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/timeline/span_band_scene.h"

#include <fmt/format.h>

namespace skein {
void drawWaits(DrawList& list, const TimelineData& data, const SessionWaits& shown,
               const TimelineOptions& options, const TimelineLayout& layout)
{
    SpanBand band(data, options, layout, BandEdge::Bottom, BandHeight::Share);
    list.pushClip(layout.body);
    for (const PlacedRow& place : layout.places) {
        const TimelineRow& row = layout.rows[place.row];
        if (isHeader(row) || !band.enter(place, list)) continue;
        const WaitIndex* waits = shown.of(row.location.experiment);
        if (!waits) continue;
        forEachLocation(row, [&](LocationRef location) {
            band.addShares(
                location, waits->found().states, waits->spans(), waits->waitedBefore(),
                [&](const WaitState& state) { return toArgb(waitColor(state.kind, options.theme.dark)); });
        });
    }
    band.finish(list);
    list.popClip();
}

}  // namespace skein
