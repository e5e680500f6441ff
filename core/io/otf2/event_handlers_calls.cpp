// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_handlers.h"

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

/// Its second time is corrected like that of the record.
const std::uint8_t* decodeBufferFlush(const std::uint8_t* at, LocationReading& reading, Tick time)
{
    RecordFields fields(at);
    const RecordEnd end(fields);
    const Tick stop = reading.clock.corrected(fields.wholeNumber());
    onBufferFlush(reading.events, reading.events.record(time), stop);
    return end.isAt(fields) ? fields.position() : nullptr;
}

const std::uint8_t* decodeProgramBegin(const std::uint8_t* at, LocationReading& reading, Tick time)
{
    RecordFields fields(at);
    const RecordEnd end(fields);
    if (!end.isNear()) return nullptr;
    const auto text = [&] {
        return reading.ids.global(OTF2_MAPPING_STRING, fields.number<OTF2_StringRef>());
    };
    const OTF2_StringRef name = text();
    const auto count = fields.number<std::uint32_t>();
    std::vector<OTF2_StringRef> arguments;
    while (arguments.size() < count && fields.valid() && end.isBehind(fields)) arguments.push_back(text());
    if (arguments.size() != count || !fields.valid() || !end.isAt(fields)) return nullptr;
    onProgramBegin(reading.events, reading.events.record(time), name, count, arguments.data());
    return fields.position();
}

void onUnknownEvent(Events& events, Tick)
{
    events.noteUnsupported("events unknown to this version of libotf2");
}

}  // namespace

void addCallHandlers(EventHandlers& all)
{
    all.add<12, onEnter, OTF2_MAPPING_REGION>(OTF2_EvtReaderCallbacks_SetEnterCallback);
    all.add<13, onLeave, OTF2_MAPPING_REGION>(OTF2_EvtReaderCallbacks_SetLeaveCallback);
    all.add<66, onContextEnter, OTF2_MAPPING_CALLING_CONTEXT>(
        OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback);
    all.add<67, onContextLeave, OTF2_MAPPING_CALLING_CONTEXT>(
        OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback);
    all.add<68, onContextSample, OTF2_MAPPING_CALLING_CONTEXT, kNoIds, OTF2_MAPPING_INTERRUPT_GENERATOR>(
        OTF2_EvtReaderCallbacks_SetCallingContextSampleCallback);
    all.addDecoded<onBufferFlush>(OTF2_EvtReaderCallbacks_SetBufferFlushCallback, 10, &decodeBufferFlush);
    all.addDecoded<onProgramBegin>(OTF2_EvtReaderCallbacks_SetProgramBeginCallback, 83, &decodeProgramBegin);
    all.add<84, onProgramEnd>(OTF2_EvtReaderCallbacks_SetProgramEndCallback);
    all.add<11, onMeasurementOnOff>(OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback);
    OTF2_EvtReaderCallbacks_SetUnknownCallback(all.callbacks.get(), &EventCallback<onUnknownEvent>::call);
}

EventHandlers eventHandlers()
{
    EventHandlers all;
    all.callbacks.reset(OTF2_EvtReaderCallbacks_New());
    if (!all.callbacks) return all;
    addCallHandlers(all);
    addMessageHandlers(all);
    addMetricHandlers(all);
    addIoHandlers(all);
    addRmaHandlers(all);
    addThreadHandlers(all);
    return all;
}

}  // namespace skein::otf2
