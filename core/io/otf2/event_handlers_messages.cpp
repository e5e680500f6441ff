// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/enum_map.h"
#include "core/io/otf2/event_handlers.h"

namespace skein::otf2 {
namespace {

using Events = LocationEvents;

void onSend(Events& events, Tick now, std::uint32_t receiver, OTF2_CommRef comm, std::uint32_t tag,
            std::uint64_t bytes)
{
    const CommunicatorId communicator = events.communicator(comm);
    events.builder().send(now, events.partner(communicator, receiver), communicator, tag, bytes);
}

void onIsend(Events& events, Tick now, std::uint32_t receiver, OTF2_CommRef comm, std::uint32_t tag,
             std::uint64_t bytes, std::uint64_t request)
{
    const CommunicatorId communicator = events.communicator(comm);
    events.builder().startSend(now, request, events.partner(communicator, receiver), communicator, tag,
                               bytes);
}

void onSendComplete(Events& events, Tick now, std::uint64_t request)
{
    if (!events.builder().completeSend(now, request))
        events.note(IssueKind::UndefinedReference, "MpiIsendComplete of request", request);
}

void onReceive(Events& events, Tick now, std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag,
               std::uint64_t bytes)
{
    const CommunicatorId communicator = events.communicator(comm);
    events.builder().receive(now, events.partner(communicator, sender), communicator, tag, bytes);
}

void onReceiveRequest(Events& events, Tick now, std::uint64_t request)
{
    events.builder().postReceive(now, request);
}

void onReceiveComplete(Events& events, Tick now, std::uint32_t sender, OTF2_CommRef comm, std::uint32_t tag,
                       std::uint64_t bytes, std::uint64_t request)
{
    const CommunicatorId communicator = events.communicator(comm);
    events.builder().completeReceive(now, request, events.partner(communicator, sender), communicator, tag,
                                     bytes);
}

void onReceiveCancelled(Events& events, Tick, std::uint64_t request)
{
    events.builder().cancelReceive(request);
}

void onRequestTest(Events& events, Tick, std::uint64_t) { events.noteUnsupported("MpiRequestTest"); }

void onMpiCollectiveBegin(Events& events, Tick now) { events.beginCollective(now); }

void onMpiCollectiveEnd(Events& events, Tick now, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                        std::uint32_t root, std::uint64_t sent, std::uint64_t received)
{
    const CommunicatorId communicator = events.communicator(comm);
    events.builder().endCollective(events.takeOpenCollective(now), now, collectiveKind(operation),
                                   communicator, events.root(communicator, root), sent, received);
}

void onCollectiveRequest(Events& events, Tick now, std::uint64_t request)
{
    events.pendingCollectives.put(request, events.builder().beginCollective(now));
}

void onCollectiveComplete(Events& events, Tick now, OTF2_CollectiveOp operation, OTF2_CommRef comm,
                          std::uint32_t root, std::uint64_t sent, std::uint64_t received,
                          std::uint64_t request)
{
    const CommunicatorId communicator = events.communicator(comm);
    const auto pending = events.pendingCollectives.take(request);
    const std::uint32_t row = pending ? *pending : events.builder().beginCollective(now);
    events.builder().endCollective(row, now, collectiveKind(operation), communicator,
                                   events.root(communicator, root), sent, received);
}

void onCommCreate(Events& events, Tick, OTF2_CommRef) { events.noteUnsupported("CommCreate"); }
void onCommDestroy(Events& events, Tick, OTF2_CommRef) { events.noteUnsupported("CommDestroy"); }

}  // namespace

void addMessageHandlers(EventHandlers& all)
{
    all.add<14, onSend, kNoIds, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetMpiSendCallback);
    all.add<15, onIsend, kNoIds, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetMpiIsendCallback);
    all.add<16, onSendComplete>(OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback);
    all.add<17, onReceiveRequest>(OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback);
    all.add<18, onReceive, kNoIds, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetMpiRecvCallback);
    all.add<19, onReceiveComplete, kNoIds, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetMpiIrecvCallback);
    all.add<20, onRequestTest>(OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback);
    all.add<21, onReceiveCancelled>(OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback);
    all.add<22, onMpiCollectiveBegin>(OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback);
    all.add<23, onMpiCollectiveEnd, kNoIds, OTF2_MAPPING_COMM>(
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback);
    all.add<85, onCollectiveRequest>(OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback);
    all.add<86, onCollectiveComplete, kNoIds, OTF2_MAPPING_COMM>(
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback);
    all.add<87, onCommCreate, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetCommCreateCallback);
    all.add<88, onCommDestroy, OTF2_MAPPING_COMM>(OTF2_EvtReaderCallbacks_SetCommDestroyCallback);
}

}  // namespace skein::otf2
