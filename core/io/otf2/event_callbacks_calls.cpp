// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_callbacks.h"
#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/location_events.h"

namespace skein::otf2 {
namespace {

using Events = LocationEvents;

void onEnter(Events& events, Tick now, OTF2_RegionRef region)
{
    events.builder().enter(now, events.region(region));
}
void onLeave(Events& events, Tick now, OTF2_RegionRef region)
{
    events.builder().leave(now, events.region(region));
}

const CallingContext* contextOf(Events& events, std::uint32_t index)
{
    const CallingContext* found = index == IdIndex::kNone ? nullptr : &events.tables().contexts[index];
    return found && found->region.valid() ? found : nullptr;
}

/// A context that is not defined is shown as a call of a made-up region of its own.
RegionId contextRegion(Events& events, OTF2_CallingContextRef ref, std::uint32_t index)
{
    if (const CallingContext* context = contextOf(events, index)) return context->region;
    return events.region(OTF2_UNDEFINED_REGION - 1 - ref);
}

void onContextEnter(Events& events, Tick now, OTF2_CallingContextRef ref, std::uint32_t)
{
    const std::uint32_t index = events.tables().callingContexts.find(ref);
    const CallingContext* context = contextOf(events, index);
    events.builder().enter(now, contextRegion(events, ref, index),
                           context ? context->callSite : CallSiteId());
    events.openContexts.push_back(index);
}

void onContextLeave(Events& events, Tick now, OTF2_CallingContextRef ref)
{
    events.builder().leave(now, contextRegion(events, ref, events.tables().callingContexts.find(ref)));
    if (!events.openContexts.empty()) events.openContexts.pop_back();
}

/// The sampled stack: the open calls, and above them the contexts between the sample's and the innermost
/// entered one; a stack that does not pass through that one stands for itself.
CallPathId sampledPath(Events& events, std::uint32_t index)
{
    const auto& contexts = events.tables().contexts;
    const std::uint32_t base = events.openContexts.empty() ? IdIndex::kNone : events.openContexts.back();
    std::vector<std::uint32_t> above;
    for (std::uint32_t at = index; at != IdIndex::kNone && at != base; at = contexts[at].parent) {
        if (above.size() == contexts.size()) return {};  // the contexts form a circle
        above.push_back(at);
    }
    const bool reachesBase =
        base != IdIndex::kNone && (above.empty() || contexts[above.back()].parent == base);
    CallPathId path = reachesBase ? events.builder().currentCallPath() : CallPathId();
    for (auto at = above.rbegin(); at != above.rend(); ++at)
        if (contexts[*at].region.valid())
            path = events.builder().callPath(path, contexts[*at].region, contexts[*at].callSite);
    return path;
}

void onContextSample(Events& events, Tick now, OTF2_CallingContextRef ref, std::uint32_t,
                     OTF2_InterruptGeneratorRef)
{
    const std::uint32_t index = events.tables().callingContexts.find(ref);
    if (index == IdIndex::kNone) events.note(IssueKind::UndefinedReference, "calling context", ref);
    const CallPathId path =
        index == IdIndex::kNone ? events.builder().currentCallPath() : sampledPath(events, index);
    events.builder().tables().samples.push({tickBits(now), events.location(), path});
}

void onBufferFlush(Events& events, Tick now, OTF2_TimeStamp stop)
{
    events.builder().tables().bufferFlushes.push(
        {tickBits(now), tickBits(std::max<Tick>(now, stop)), events.location()});
}

void onProgramBegin(Events& events, Tick now, OTF2_StringRef name, std::uint32_t arguments,
                    const OTF2_StringRef*)
{
    if (arguments > 0) events.noteUnsupported("arguments of ProgramBegin", arguments);
    ProgramRun run;
    run.begin = tickBits(now);
    run.location = events.location();
    const std::uint32_t text = events.string(name);
    run.name = text == IdIndex::kNone ? 0 : text;
    events.builder().tables().programRuns.push(run);
}

void onProgramEnd(Events& events, Tick now, std::int64_t exitStatus)
{
    ColumnBuilder<ProgramRun>& runs = events.builder().tables().programRuns;
    if (runs.empty() || runs.back().end != kNoTime) {
        ProgramRun run;
        run.location = events.location();
        run.begin = tickBits(now);
        runs.push(run);
    }
    runs.back().end = tickBits(now);
    runs.back().exitStatus = exitStatus;
}

/// Shown as a marker: what lies between "off" and "on" was not measured.
void onMeasurementOnOff(Events& events, Tick now, OTF2_MeasurementMode mode)
{
    Marker marker;
    marker.time = tickBits(now);
    marker.location = events.location();
    marker.category = events.tables().measurementText;
    marker.text = marker.category + (mode == OTF2_MEASUREMENT_ON ? 1 : 2);
    events.builder().tables().markers.push(marker);
}

void onUnknownEvent(Events& events, Tick)
{
    events.noteUnsupported("events unknown to this version of libotf2");
}

}  // namespace

void setCallCallbacks(OTF2_EvtReaderCallbacks* set)
{
    OTF2_EvtReaderCallbacks_SetEnterCallback(set, &EventCallback<onEnter>::call);
    OTF2_EvtReaderCallbacks_SetLeaveCallback(set, &EventCallback<onLeave>::call);
    OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(set, &EventCallback<onContextEnter>::call);
    OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(set, &EventCallback<onContextLeave>::call);
    OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback(set, &EventCallback<onContextSample>::call);
    OTF2_EvtReaderCallbacks_SetBufferFlushCallback(set, &EventCallback<onBufferFlush>::call);
    OTF2_EvtReaderCallbacks_SetProgramBeginCallback(set, &EventCallback<onProgramBegin>::call);
    OTF2_EvtReaderCallbacks_SetProgramEndCallback(set, &EventCallback<onProgramEnd>::call);
    OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(set, &EventCallback<onMeasurementOnOff>::call);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(set, &EventCallback<onUnknownEvent>::call);
}

EventCallbacksHandle eventCallbacks()
{
    EventCallbacksHandle set(OTF2_EvtReaderCallbacks_New());
    if (!set) return set;
    setCallCallbacks(set.get());
    setMessageCallbacks(set.get());
    setMetricCallbacks(set.get());
    setIoCallbacks(set.get());
    setRmaCallbacks(set.get());
    setThreadCallbacks(set.get());
    return set;
}

}  // namespace skein::otf2
