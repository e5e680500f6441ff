// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/enum_map.h"
#include "core/io/otf2/event_callbacks.h"
#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/location_events.h"

namespace skein::otf2 {
namespace {

using Events = LocationEvents;

RmaOperation makeRmaOperation(Events& events, Tick now, RmaKind kind, OTF2_RmaWinRef window)
{
    RmaOperation row;
    row.begin = static_cast<TimeNs>(now);
    row.origin = events.location();
    row.communicator = events.windowCommunicator(window);
    row.interval = events.builder().currentInterval();
    row.kind = kind;
    return row;
}

void addRmaMoment(Events& events, Tick now, RmaKind kind, OTF2_RmaWinRef window)
{
    RmaOperation row = makeRmaOperation(events, now, kind, window);
    row.end = row.begin;
    events.builder().tables().rmaOperations.push(row);
}

void addRmaMomentWith(Events& events, Tick now, RmaKind kind, OTF2_RmaWinRef window, std::uint32_t remote)
{
    RmaOperation row = makeRmaOperation(events, now, kind, window);
    row.end = row.begin;
    if (remote != OTF2_UNDEFINED_UINT32) row.target = events.partner(row.communicator, remote);
    events.builder().tables().rmaOperations.push(row);
}

/// A transfer, which a later record completes by its matching id.
void addTransfer(Events& events, Tick now, RmaKind kind, OTF2_RmaWinRef window, std::uint32_t remote,
                 std::uint64_t bytes, std::uint64_t matchingId)
{
    RmaOperation row = makeRmaOperation(events, now, kind, window);
    row.target = events.partner(row.communicator, remote);
    row.bytes = bytes;
    ColumnBuilder<RmaOperation>& rows = events.builder().tables().rmaOperations;
    events.pendingRma.put(matchingId, static_cast<std::uint32_t>(rows.size()));
    rows.push(row);
}

void onPut(Events& events, Tick now, OTF2_RmaWinRef window, std::uint32_t remote, std::uint64_t bytes,
           std::uint64_t id)
{
    addTransfer(events, now, RmaKind::Put, window, remote, bytes, id);
}

void onGet(Events& events, Tick now, OTF2_RmaWinRef window, std::uint32_t remote, std::uint64_t bytes,
           std::uint64_t id)
{
    addTransfer(events, now, RmaKind::Get, window, remote, bytes, id);
}

void onAtomic(Events& events, Tick now, OTF2_RmaWinRef window, std::uint32_t remote, OTF2_RmaAtomicType,
              std::uint64_t sent, std::uint64_t received, std::uint64_t id)
{
    addTransfer(events, now, RmaKind::Atomic, window, remote, sent + received, id);
}

/// Operations may be completed at the origin and again at the target; the later one counts.
void onRmaComplete(Events& events, Tick now, OTF2_RmaWinRef, std::uint64_t matchingId)
{
    const auto row = events.pendingRma.peek(matchingId);
    if (!row) return events.note(IssueKind::CorruptRecord, "completions of RMA operations that never began");
    events.builder().tables().rmaOperations[*row].end = static_cast<TimeNs>(now);
}

void onRmaTest(Events& events, Tick, OTF2_RmaWinRef, std::uint64_t) { events.noteUnsupported("RmaOpTest"); }

void onWindow(Events& events, Tick now, OTF2_RmaWinRef window)
{
    addRmaMoment(events, now, RmaKind::Other, window);
}
void onWaitChange(Events& events, Tick now, OTF2_RmaWinRef window)
{
    addRmaMoment(events, now, RmaKind::Wait, window);
}

void onGroupSync(Events& events, Tick now, OTF2_RmaSyncLevel, OTF2_RmaWinRef window, OTF2_GroupRef)
{
    addRmaMoment(events, now, RmaKind::Sync, window);
}

void onSync(Events& events, Tick now, OTF2_RmaWinRef window, std::uint32_t remote, OTF2_RmaSyncType)
{
    addRmaMomentWith(events, now, RmaKind::Sync, window, remote);
}

void onRmaLock(Events& events, Tick now, OTF2_RmaWinRef window, std::uint32_t remote, std::uint64_t,
               OTF2_LockType)
{
    addRmaMomentWith(events, now, RmaKind::Lock, window, remote);
}

void onRmaUnlock(Events& events, Tick now, OTF2_RmaWinRef window, std::uint32_t remote, std::uint64_t)
{
    addRmaMomentWith(events, now, RmaKind::Unlock, window, remote);
}

void onRmaCollectiveBegin(Events& events, Tick now) { events.beginCollective(now); }

void onRmaCollectiveEnd(Events& events, Tick now, OTF2_CollectiveOp kind, OTF2_RmaSyncLevel,
                        OTF2_RmaWinRef window, std::uint32_t root, std::uint64_t sent, std::uint64_t received)
{
    const CommunicatorId communicator = events.windowCommunicator(window);
    const std::uint32_t row = events.takeOpenCollective(now);
    events.builder().endCollective(row, now, collectiveKind(kind), communicator,
                                   events.root(communicator, root), sent, received);
}

}  // namespace

void setRmaCallbacks(OTF2_EvtReaderCallbacks* set)
{
    OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback(set, &EventCallback<onWindow>::call);
    OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback(set, &EventCallback<onWindow>::call);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback(set, &EventCallback<onRmaCollectiveBegin>::call);
    OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(set, &EventCallback<onRmaCollectiveEnd>::call);
    OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(set, &EventCallback<onGroupSync>::call);
    OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback(set, &EventCallback<onRmaLock>::call);
    OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(set, &EventCallback<onRmaLock>::call);
    OTF2_EvtReaderCallbacks_SetRmaTryLockCallback(set, &EventCallback<onRmaLock>::call);
    OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(set, &EventCallback<onRmaUnlock>::call);
    OTF2_EvtReaderCallbacks_SetRmaSyncCallback(set, &EventCallback<onSync>::call);
    OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback(set, &EventCallback<onWaitChange>::call);
    OTF2_EvtReaderCallbacks_SetRmaPutCallback(set, &EventCallback<onPut>::call);
    OTF2_EvtReaderCallbacks_SetRmaGetCallback(set, &EventCallback<onGet>::call);
    OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(set, &EventCallback<onAtomic>::call);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(set, &EventCallback<onRmaComplete>::call);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback(set, &EventCallback<onRmaComplete>::call);
    OTF2_EvtReaderCallbacks_SetRmaOpTestCallback(set, &EventCallback<onRmaTest>::call);
    OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(set, &EventCallback<onRmaComplete>::call);
}

}  // namespace skein::otf2
