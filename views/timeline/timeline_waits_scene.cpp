// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/timeline/timeline_waits_scene.h"

#include "core/base/units.h"
#include "core/select/translate.h"
#include "views/timeline/span_band_scene.h"

#include <fmt/format.h>

namespace skein {
namespace {

const WaitIndex* waitsOf(const SessionWaits& waits, std::uint32_t experiment)
{
    return experiment < waits.experiments.size() ? waits.experiments[experiment].get() : nullptr;
}

}  // namespace

void drawWaits(DrawList& list, const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout)
{
    SpanBand band(data, options, layout, BandEdge::Bottom);
    list.pushClip(layout.body);
    for (const PlacedRow& place : layout.places) {
        const TimelineRow& row = layout.rows[place.row];
        if (row.kind != TimelineRowKind::Location || !band.enter(place, list)) continue;
        if (const WaitIndex* waits = waitsOf(*options.waits, row.location.experiment))
            band.add(row.location, waits->found().states, waits->spans(),
                     [&](const WaitState& state) { return toArgb(waitColor(state.kind, options.theme.dark)); });
    }
    band.finish(list);
    list.popClip();
}

const WaitState* waitOf(const TimelineData& data, const SessionWaits& waits, IntervalRef call)
{
    if (!exists(data.session, call)) return nullptr;
    const WaitIndex* index = waitsOf(waits, call.experiment);
    if (!index) return nullptr;
    const CallIntervals& calls = data.session.experiments[call.experiment]->trace->locations[call.location.index()].intervals;
    return index->ofCall(call.location, call.index, calls.span(call.index));
}

std::string waitTooltip(const TimelineData& data, const SessionWaits& waits, IntervalRef call)
{
    const WaitState* state = waitOf(data, waits, call);
    if (!state) return {};
    const Experiment& experiment = *data.session.experiments[call.experiment];
    std::string text = fmt::format("{}: waited {} for {}", name(state->kind), formatDuration(static_cast<double>(state->lengthNs())),
                                   displayName(experiment.definitions, state->cause));
    if (state->causeInterval == kNoInterval) return text;
    const CallIntervals& calls = experiment.trace->locations[state->cause.index()].intervals;
    const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[state->causeInterval]));
    return text + fmt::format(" ({})", displayName(experiment.definitions.region(region)));
}

Selection selectCauseOf(const TimelineData& data, const SessionWaits& waits, IntervalRef call)
{
    const WaitState* state = waitOf(data, waits, call);
    if (!state) return {};
    if (state->causeInterval == kNoInterval) return select(data.session, LocationRef{call.experiment, state->cause});
    return select(data.session, IntervalRef{call.experiment, state->cause, state->causeInterval});
}

}  // namespace skein
