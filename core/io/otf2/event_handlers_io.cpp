// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/event_handlers.h"

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

void addIoHandlers(EventHandlers& all)
{
    all.add<69, onCreate, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback);
    all.add<70, onDestroy, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback);
    all.add<71, onDuplicate, OTF2_MAPPING_IO_HANDLE, OTF2_MAPPING_IO_HANDLE>(
        OTF2_EvtReaderCallbacks_SetIoDuplicateHandleCallback);
    all.add<72, onSeek, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoSeekCallback);
    all.add<73, onStatusFlags, OTF2_MAPPING_IO_HANDLE>(
        OTF2_EvtReaderCallbacks_SetIoChangeStatusFlagsCallback);
    all.add<74, onDelete, kNoIds, OTF2_MAPPING_IO_FILE>(OTF2_EvtReaderCallbacks_SetIoDeleteFileCallback);
    all.add<75, onBegin, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback);
    all.add<76, onIoTest, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoOperationTestCallback);
    all.add<77, onIssued, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback);
    all.add<78, onIoComplete, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback);
    all.add<79, onIoCancelled, OTF2_MAPPING_IO_HANDLE>(
        OTF2_EvtReaderCallbacks_SetIoOperationCancelledCallback);
    all.add<80, onIoLock, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoAcquireLockCallback);
    all.add<81, onIoLock, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoReleaseLockCallback);
    all.add<82, onIoLock, OTF2_MAPPING_IO_HANDLE>(OTF2_EvtReaderCallbacks_SetIoTryLockCallback);
}

}  // namespace skein::otf2
