// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/enum_map.h"
#include "core/io/otf2/event_callbacks.h"
#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/location_events.h"

namespace skein::otf2 {
namespace {

using Events = LocationEvents;
using Kind = ThreadEventKind;

void addThreadEvent(Events& events, Tick now, Kind kind, Paradigm model, std::uint64_t object,
                    std::uint32_t value)
{
    events.builder().tables().threadEvents.push({static_cast<TimeNs>(now), object, events.location(), value,
                                                 events.builder().currentInterval(), model, kind});
}

template <Kind kind>
void onTeam(Events& events, Tick now, OTF2_CommRef team)
{
    addThreadEvent(events, now, kind, Paradigm::Unknown, team, 0);
}

template <Kind kind>
void onSequence(Events& events, Tick now, OTF2_CommRef, std::uint64_t sequence)
{
    addThreadEvent(events, now, kind, Paradigm::Unknown, sequence, 0);
}

template <Kind kind>
void onThreadLock(Events& events, Tick now, OTF2_Paradigm model, std::uint32_t lock, std::uint32_t order)
{
    addThreadEvent(events, now, kind, paradigm(model), lock, order);
}

/// A task is known by the thread that made it and a number of that thread.
template <Kind kind>
void onThreadTask(Events& events, Tick now, OTF2_CommRef, std::uint32_t creator, std::uint32_t generation)
{
    addThreadEvent(events, now, kind, Paradigm::Unknown, std::uint64_t{creator} << 32 | generation,
                   generation);
}

template <Kind kind>
void onOmpLock(Events& events, Tick now, std::uint32_t lock, std::uint32_t order)
{
    addThreadEvent(events, now, kind, Paradigm::OpenMp, lock, order);
}

template <Kind kind>
void onOmpTask(Events& events, Tick now, std::uint64_t task)
{
    addThreadEvent(events, now, kind, Paradigm::OpenMp, task, 0);
}

void onFork(Events& events, Tick now, OTF2_Paradigm model, std::uint32_t threads)
{
    addThreadEvent(events, now, Kind::Fork, paradigm(model), 0, threads);
}

void onJoin(Events& events, Tick now, OTF2_Paradigm model)
{
    addThreadEvent(events, now, Kind::Join, paradigm(model), 0, 0);
}

void onOmpFork(Events& events, Tick now, std::uint32_t threads)
{
    addThreadEvent(events, now, Kind::Fork, Paradigm::OpenMp, 0, threads);
}

void onOmpJoin(Events& events, Tick now) { addThreadEvent(events, now, Kind::Join, Paradigm::OpenMp, 0, 0); }

}  // namespace

void setThreadCallbacks(OTF2_EvtReaderCallbacks* set)
{
    OTF2_EvtReaderCallbacks_SetOmpForkCallback(set, &EventCallback<onOmpFork>::call);
    OTF2_EvtReaderCallbacks_SetOmpJoinCallback(set, &EventCallback<onOmpJoin>::call);
    OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback(set,
                                                      &EventCallback<onOmpLock<Kind::LockAcquire>>::call);
    OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback(set,
                                                      &EventCallback<onOmpLock<Kind::LockRelease>>::call);
    OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback(set, &EventCallback<onOmpTask<Kind::TaskCreate>>::call);
    OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback(set, &EventCallback<onOmpTask<Kind::TaskSwitch>>::call);
    OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback(set,
                                                       &EventCallback<onOmpTask<Kind::TaskComplete>>::call);
    OTF2_EvtReaderCallbacks_SetThreadForkCallback(set, &EventCallback<onFork>::call);
    OTF2_EvtReaderCallbacks_SetThreadJoinCallback(set, &EventCallback<onJoin>::call);
    OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback(set, &EventCallback<onTeam<Kind::TeamBegin>>::call);
    OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback(set, &EventCallback<onTeam<Kind::TeamEnd>>::call);
    OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback(
        set, &EventCallback<onThreadLock<Kind::LockAcquire>>::call);
    OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback(
        set, &EventCallback<onThreadLock<Kind::LockRelease>>::call);
    OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback(set,
                                                        &EventCallback<onThreadTask<Kind::TaskCreate>>::call);
    OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback(set,
                                                        &EventCallback<onThreadTask<Kind::TaskSwitch>>::call);
    OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback(
        set, &EventCallback<onThreadTask<Kind::TaskComplete>>::call);
    OTF2_EvtReaderCallbacks_SetThreadCreateCallback(set, &EventCallback<onSequence<Kind::Create>>::call);
    OTF2_EvtReaderCallbacks_SetThreadBeginCallback(set, &EventCallback<onSequence<Kind::Begin>>::call);
    OTF2_EvtReaderCallbacks_SetThreadWaitCallback(set, &EventCallback<onSequence<Kind::Wait>>::call);
    OTF2_EvtReaderCallbacks_SetThreadEndCallback(set, &EventCallback<onSequence<Kind::End>>::call);
}

}  // namespace skein::otf2
