// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/enum_map.h"
#include "core/io/otf2/event_handlers.h"

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

void addRmaHandlers(EventHandlers& all)
{
    all.add<35, onWindow, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaWinCreateCallback);
    all.add<36, onWindow, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaWinDestroyCallback);
    all.add<37, onRmaCollectiveBegin>(OTF2_EvtReaderCallbacks_SetRmaCollectiveBeginCallback);
    all.add<38, onRmaCollectiveEnd, kNoIds, kNoIds, OTF2_MAPPING_RMA_WIN>(
        OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback);
    all.add<39, onGroupSync, kNoIds, OTF2_MAPPING_RMA_WIN, OTF2_MAPPING_GROUP>(
        OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback);
    all.add<40, onRmaLock, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaRequestLockCallback);
    all.add<41, onRmaLock, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback);
    all.add<42, onRmaLock, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaTryLockCallback);
    all.add<43, onRmaUnlock, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback);
    all.add<44, onSync, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaSyncCallback);
    all.add<45, onWaitChange, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaWaitChangeCallback);
    all.add<46, onPut, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaPutCallback);
    all.add<47, onGet, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaGetCallback);
    all.add<48, onAtomic, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaAtomicCallback);
    all.add<49, onRmaComplete, OTF2_MAPPING_RMA_WIN>(
        OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback);
    all.add<50, onRmaComplete, OTF2_MAPPING_RMA_WIN>(
        OTF2_EvtReaderCallbacks_SetRmaOpCompleteNonBlockingCallback);
    all.add<51, onRmaTest, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaOpTestCallback);
    all.add<52, onRmaComplete, OTF2_MAPPING_RMA_WIN>(OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback);
}

}  // namespace skein::otf2
