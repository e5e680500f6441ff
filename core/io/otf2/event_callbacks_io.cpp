// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_callbacks.h"
#include "core/io/otf2/guarded_callback.h"
#include "core/io/otf2/location_events.h"

namespace skein::otf2 {
namespace {

using Events = LocationEvents;

IoOperation makeIoOperation(Events& events, Tick now, IoKind kind)
{
    IoOperation row;
    row.begin = static_cast<TimeNs>(now);
    row.location = events.location();
    row.interval = events.builder().currentInterval();
    row.kind = kind;
    return row;
}

/// An operation that the archive records as a moment.
void addIoMoment(Events& events, Tick now, IoKind kind, OTF2_IoHandleRef handle)
{
    IoOperation row = makeIoOperation(events, now, kind);
    row.end = row.begin;
    row.handle = events.ioHandle(handle);
    row.file = events.fileOf(row.handle);
    events.builder().tables().ioOperations.push(row);
}

void onCreate(Events& events, Tick now, OTF2_IoHandleRef handle, OTF2_IoAccessMode, OTF2_IoCreationFlag,
              OTF2_IoStatusFlag)
{
    addIoMoment(events, now, IoKind::Open, handle);
}

void onDestroy(Events& events, Tick now, OTF2_IoHandleRef handle)
{
    addIoMoment(events, now, IoKind::Close, handle);
}

void onDuplicate(Events& events, Tick now, OTF2_IoHandleRef, OTF2_IoHandleRef handle, OTF2_IoStatusFlag)
{
    addIoMoment(events, now, IoKind::Duplicate, handle);
}

void onSeek(Events& events, Tick now, OTF2_IoHandleRef handle, std::int64_t, OTF2_IoSeekOption, std::uint64_t)
{
    addIoMoment(events, now, IoKind::Seek, handle);
}

void onStatusFlags(Events& events, Tick now, OTF2_IoHandleRef handle, OTF2_IoStatusFlag)
{
    addIoMoment(events, now, IoKind::Other, handle);
}

void onDelete(Events& events, Tick now, OTF2_IoParadigmRef, OTF2_IoFileRef ref)
{
    IoOperation row = makeIoOperation(events, now, IoKind::Delete);
    row.end = row.begin;
    const std::uint32_t file = events.tables().ioFiles.find(ref);
    if (file == IdIndex::kNone) events.note(IssueKind::UndefinedReference, "I/O file", ref);
    else row.file = IoFileId(file);
    events.builder().tables().ioOperations.push(row);
}

void onIoLock(Events& events, Tick now, OTF2_IoHandleRef handle, OTF2_LockType)
{
    addIoMoment(events, now, IoKind::Lock, handle);
}

void onBegin(Events& events, Tick now, OTF2_IoHandleRef handle, OTF2_IoOperationMode mode,
             OTF2_IoOperationFlag, std::uint64_t bytes, std::uint64_t matchingId)
{
    static constexpr IoKind kKinds[] = {IoKind::Read, IoKind::Write, IoKind::Sync};
    IoOperation row = makeIoOperation(events, now, mode < std::size(kKinds) ? kKinds[mode] : IoKind::Other);
    row.bytesRequested = bytes == OTF2_UNDEFINED_UINT64 ? 0 : bytes;
    row.handle = events.ioHandle(handle);
    row.file = events.fileOf(row.handle);
    ColumnBuilder<IoOperation>& rows = events.builder().tables().ioOperations;
    events.pendingIo.put(matchingId, static_cast<std::uint32_t>(rows.size()));
    rows.push(row);
}

void onIoTest(Events& events, Tick, OTF2_IoHandleRef, std::uint64_t)
{
    events.noteUnsupported("IoOperationTest");
}
void onIssued(Events& events, Tick, OTF2_IoHandleRef, std::uint64_t)
{
    events.noteUnsupported("IoOperationIssued");
}

void finishIo(Events& events, Tick now, std::uint64_t bytes, std::uint64_t matchingId)
{
    const auto row = events.pendingIo.take(matchingId);
    if (!row) return events.note(IssueKind::CorruptRecord, "ends of I/O operations that never began");
    IoOperation& pending = events.builder().tables().ioOperations[*row];
    pending.end = static_cast<TimeNs>(now);
    pending.bytesTransferred = bytes == OTF2_UNDEFINED_UINT64 ? 0 : bytes;
}

void onIoComplete(Events& events, Tick now, OTF2_IoHandleRef, std::uint64_t bytes, std::uint64_t matchingId)
{
    finishIo(events, now, bytes, matchingId);
}

void onIoCancelled(Events& events, Tick now, OTF2_IoHandleRef, std::uint64_t matchingId)
{
    finishIo(events, now, 0, matchingId);
}

}  // namespace

void setIoCallbacks(OTF2_EvtReaderCallbacks* set)
{
    OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(set, &EventCallback<onCreate>::call);
    OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(set, &EventCallback<onDestroy>::call);
    OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback(set, &EventCallback<onDuplicate>::call);
    OTF2_EvtReaderCallbacks_SetIoSeekCallback(set, &EventCallback<onSeek>::call);
    OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback(set, &EventCallback<onStatusFlags>::call);
    OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback(set, &EventCallback<onDelete>::call);
    OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(set, &EventCallback<onBegin>::call);
    OTF2_EvtReaderCallbacks_SetIoOperationTestCallback(set, &EventCallback<onIoTest>::call);
    OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(set, &EventCallback<onIssued>::call);
    OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(set, &EventCallback<onIoComplete>::call);
    OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback(set, &EventCallback<onIoCancelled>::call);
    OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback(set, &EventCallback<onIoLock>::call);
    OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback(set, &EventCallback<onIoLock>::call);
    OTF2_EvtReaderCallbacks_SetIoTryLockCallback(set, &EventCallback<onIoLock>::call);
}

}  // namespace skein::otf2
