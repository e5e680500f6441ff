// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/enum_map.h"
#include "core/io/otf2/event_handlers.h"

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

void addThreadHandlers(EventHandlers& all)
{
    all.add<24, onOmpFork>(OTF2_EvtReaderCallbacks_SetOmpForkCallback);
    all.add<25, onOmpJoin>(OTF2_EvtReaderCallbacks_SetOmpJoinCallback);
    all.add<26, onOmpLock<Kind::LockAcquire>>(OTF2_EvtReaderCallbacks_SetOmpAcquireLockCallback);
    all.add<27, onOmpLock<Kind::LockRelease>>(OTF2_EvtReaderCallbacks_SetOmpReleaseLockCallback);
    all.add<28, onOmpTask<Kind::TaskCreate>>(OTF2_EvtReaderCallbacks_SetOmpTaskCreateCallback);
    all.add<29, onOmpTask<Kind::TaskSwitch>>(OTF2_EvtReaderCallbacks_SetOmpTaskSwitchCallback);
    all.add<30, onOmpTask<Kind::TaskComplete>>(OTF2_EvtReaderCallbacks_SetOmpTaskCompleteCallback);
    all.add<53, onFork>(OTF2_EvtReaderCallbacks_SetThreadForkCallback);
    all.add<54, onJoin>(OTF2_EvtReaderCallbacks_SetThreadJoinCallback);
    all.add<55, onTeam<Kind::TeamBegin>, OTF2_MAPPING_COMM>(
        OTF2_EvtReaderCallbacks_SetThreadTeamBeginCallback);
    all.add<56, onTeam<Kind::TeamEnd>, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetThreadTeamEndCallback);
    all.add<57, onThreadLock<Kind::LockAcquire>>(OTF2_EvtReaderCallbacks_SetThreadAcquireLockCallback);
    all.add<58, onThreadLock<Kind::LockRelease>>(OTF2_EvtReaderCallbacks_SetThreadReleaseLockCallback);
    all.add<59, onThreadTask<Kind::TaskCreate>, OTF2_MAPPING_COMM>(
        OTF2_EvtReaderCallbacks_SetThreadTaskCreateCallback);
    all.add<60, onThreadTask<Kind::TaskSwitch>, OTF2_MAPPING_COMM>(
        OTF2_EvtReaderCallbacks_SetThreadTaskSwitchCallback);
    all.add<61, onThreadTask<Kind::TaskComplete>, OTF2_MAPPING_COMM>(
        OTF2_EvtReaderCallbacks_SetThreadTaskCompleteCallback);
    all.add<62, onSequence<Kind::Create>, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetThreadCreateCallback);
    all.add<63, onSequence<Kind::Begin>, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetThreadBeginCallback);
    all.add<64, onSequence<Kind::Wait>, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetThreadWaitCallback);
    all.add<65, onSequence<Kind::End>, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetThreadEndCallback);
}

}  // namespace skein::otf2
