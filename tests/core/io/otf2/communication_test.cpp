// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/otf2_test_archive.h"

namespace skein::communication_test {

using Archive = test::Otf2TestArchive;

TEST_CASE("Non-blocking operations of an OTF2 archive are completed by request, in any order")
{
    Archive archive(2);
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_MpiIsend(out, nullptr, 100, 1, 0, 7, 1000, 1);
        OTF2_EvtWriter_MpiIsend(out, nullptr, 110, 1, 0, 7, 2000, 2);
        OTF2_EvtWriter_MpiIsendComplete(out, nullptr, 120, 2);
        OTF2_EvtWriter_MpiIsendComplete(out, nullptr, 130, 1);
        OTF2_EvtWriter_MpiSend(out, nullptr, 140, 1, 0, 8, 3000);
    });
    archive.builder.events(1, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, 90, 10);
        OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, 91, 11);
        OTF2_EvtWriter_MpiIrecvRequest(out, nullptr, 92, 12);
        OTF2_EvtWriter_MpiRequestTest(out, nullptr, 93, 11);
        OTF2_EvtWriter_MpiIrecv(out, nullptr, 200, 0, 0, 7, 2000, 11);
        OTF2_EvtWriter_MpiIrecv(out, nullptr, 210, 0, 0, 7, 1000, 10);
        OTF2_EvtWriter_MpiRequestCancelled(out, nullptr, 215, 12);
        OTF2_EvtWriter_MpiRecv(out, nullptr, 220, 0, 0, 8, 3000);
        OTF2_EvtWriter_MpiRecv(out, nullptr, 230, 0, 0, 9, 4000);
    });
    const ExperimentPtr experiment = archive.open();
    const auto& messages = experiment->trace->messages;
    REQUIRE(messages.size() == 3);
    CHECK(messages[0].bytes == 1000);
    CHECK(messages[0].sendTime == 10);
    CHECK(messages[0].receiveTime == 120);
    CHECK(messages[0].sendEnd == 40);
    CHECK(messages[1].sendEnd == 30);
    CHECK(messages[2].sendEnd == kNoTime);
    CHECK(messages[1].receiveTime == 110);
    CHECK(messages[2].tag == 8);
    CHECK(messages[2].matched());
    REQUIRE(experiment->trace->unmatchedReceives.size() == 1);
    CHECK(experiment->trace->unmatchedReceives[0].bytes == 4000);
    CHECK(experiment->report.count(IssueKind::UnmatchedReceive) == 1);
    CHECK(experiment->trace->eventCount() == 14);
}

TEST_CASE("Ranks of sub-, self and inter-communicators lead to the right locations")
{
    Archive archive(4);
    archive.builder.definitions([](OTF2_GlobalDefWriter* out) {
        const std::uint64_t low[] = {1, 0}, high[] = {2, 3}, direct[] = {3, 2};
        OTF2_GlobalDefWriter_WriteGroup(out, 10, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, 2, low);
        OTF2_GlobalDefWriter_WriteGroup(out, 11, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, 2, high);
        OTF2_GlobalDefWriter_WriteGroup(out, 12, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_NONE, 0, nullptr);
        OTF2_GlobalDefWriter_WriteGroup(out, 13, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI,
                                        OTF2_GROUP_FLAG_GLOBAL_MEMBERS, 2, direct);
        OTF2_GlobalDefWriter_WriteComm(out, 1, 0, 10, 0, OTF2_COMM_FLAG_NONE);
        OTF2_GlobalDefWriter_WriteComm(out, 2, 0, 12, 0, OTF2_COMM_FLAG_NONE);
        OTF2_GlobalDefWriter_WriteInterComm(out, 3, 0, 10, 11, 0, OTF2_COMM_FLAG_NONE);
        OTF2_GlobalDefWriter_WriteComm(out, 4, 0, 13, 0, OTF2_COMM_FLAG_NONE);
    });
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_MpiSend(out, nullptr, 1, 0, 1, 0, 1);   // rank 0 of {1, 0}: location 1
        OTF2_EvtWriter_MpiSend(out, nullptr, 2, 0, 2, 0, 1);   // itself
        OTF2_EvtWriter_MpiSend(out, nullptr, 3, 1, 3, 0, 1);   // rank 1 of the other side: location 3
        OTF2_EvtWriter_MpiSend(out, nullptr, 5, 0, 4, 0, 1);   // global member: location 3
        OTF2_EvtWriter_MpiSend(out, nullptr, 6, 9, 0, 0, 1);   // no such rank
        OTF2_EvtWriter_MpiSend(out, nullptr, 7, 0, 99, 0, 1);  // no such communicator
    });
    archive.builder.events(2,
                           [](OTF2_EvtWriter* out) { OTF2_EvtWriter_MpiSend(out, nullptr, 4, 0, 3, 0, 1); });
    archive.builder.events(1,
                           [](OTF2_EvtWriter* out) { OTF2_EvtWriter_MpiRecv(out, nullptr, 9, 0, 3, 0, 1); });
    const ExperimentPtr experiment = archive.open();
    const auto& messages = experiment->trace->messages;
    REQUIRE(messages.size() == 7);
    CHECK(messages[0].receiver == LocationId(1));
    CHECK(messages[1].receiver == LocationId(0));
    CHECK(messages[2].receiver == LocationId(3));
    CHECK(messages[3].receiver == LocationId(1));
    CHECK(messages[3].matched());
    CHECK(messages[4].receiver == LocationId(3));
    CHECK(!messages[5].receiver.valid());
    CHECK(!messages[6].receiver.valid());
    CHECK(!messages[6].communicator.valid());
    CHECK(experiment->report.count(IssueKind::UndefinedReference) == 2);
    CHECK(experiment->definitions.communicators[2].self);
}

TEST_CASE("Collectives of an OTF2 archive, blocking and not, are grouped with their roots and bytes")
{
    Archive archive(2);
    for (std::uint64_t rank = 0; rank < 2; ++rank)
        archive.builder.events(rank, [rank](OTF2_EvtWriter* out) {
            OTF2_EvtWriter_MpiCollectiveBegin(out, nullptr, 10 + rank);
            OTF2_EvtWriter_MpiCollectiveEnd(out, nullptr, 20 + rank, OTF2_COLLECTIVE_OP_BCAST, 0, 1, 8 * rank,
                                            8);
            OTF2_EvtWriter_NonBlockingCollectiveRequest(out, nullptr, 30 + rank, 5);
            OTF2_EvtWriter_NonBlockingCollectiveRequest(out, nullptr, 31 + rank, 6);
            OTF2_EvtWriter_NonBlockingCollectiveComplete(out, nullptr, 40 + rank, OTF2_COLLECTIVE_OP_BARRIER,
                                                         0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0, 6);
            OTF2_EvtWriter_NonBlockingCollectiveComplete(
                out, nullptr, 50 + rank, OTF2_COLLECTIVE_OP_ALLREDUCE, 0, OTF2_COLLECTIVE_ROOT_NONE, 4, 4, 5);
        });
    const ExperimentPtr experiment = archive.open();
    const Trace& trace = *experiment->trace;
    REQUIRE(trace.collectives.size() == 3);
    CHECK(trace.collectives[0].kind == CollectiveKind::Broadcast);
    CHECK(trace.collectives[0].root == LocationId(1));
    CHECK(trace.collectives[0].begin == 0);
    CHECK(trace.collectives[0].end == 11);
    CHECK(trace.collectiveMembers[1].bytesSent == 8);
    CHECK(trace.collectives[1].kind == CollectiveKind::AllReduce);
    CHECK(!trace.collectives[1].root.valid());
    CHECK(trace.collectives[1].end == 41);
    CHECK(trace.collectives[2].kind == CollectiveKind::Barrier);
    CHECK(trace.collectives[2].memberCount == 2);
}

TEST_CASE("One-sided operations of an OTF2 archive have their targets, bytes and completions")
{
    Archive archive(2);
    archive.builder.definitions([](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteRmaWin(out, 0, 0, 0, OTF2_RMA_WIN_FLAG_NONE);
    });
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_RmaWinCreate(out, nullptr, 1, 0);
        OTF2_EvtWriter_RmaRequestLock(out, nullptr, 2, 0, 1, 0, OTF2_LOCK_EXCLUSIVE);
        OTF2_EvtWriter_RmaPut(out, nullptr, 3, 0, 1, 64, 100);
        OTF2_EvtWriter_RmaGet(out, nullptr, 4, 0, 1, 32, 101);
        OTF2_EvtWriter_RmaAtomic(out, nullptr, 5, 0, 1, OTF2_RMA_ATOMIC_TYPE_SWAP, 8, 8, 102);
        OTF2_EvtWriter_RmaOpCompleteNonBlocking(out, nullptr, 8, 0, 101);
        OTF2_EvtWriter_RmaOpCompleteBlocking(out, nullptr, 9, 0, 100);
        OTF2_EvtWriter_RmaOpCompleteRemote(out, nullptr, 10, 0, 100);
        OTF2_EvtWriter_RmaReleaseLock(out, nullptr, 11, 0, 1, 0);
        OTF2_EvtWriter_RmaSync(out, nullptr, 12, 0, 1, OTF2_RMA_SYNC_TYPE_MEMORY);
        OTF2_EvtWriter_RmaCollectiveBegin(out, nullptr, 13);
        OTF2_EvtWriter_RmaCollectiveEnd(out, nullptr, 14, OTF2_COLLECTIVE_OP_BARRIER,
                                        OTF2_RMA_SYNC_LEVEL_MEMORY, 0, OTF2_UNDEFINED_UINT32, 0, 0);
        OTF2_EvtWriter_RmaOpCompleteBlocking(out, nullptr, 15, 0, 999);
        OTF2_EvtWriter_RmaWinDestroy(out, nullptr, 16, 0);
    });
    const ExperimentPtr experiment = archive.open();
    const auto& rows = experiment->trace->rmaOperations;
    REQUIRE(rows.size() == 8);
    CHECK(rows[1].kind == RmaKind::Lock);
    CHECK(rows[1].target == LocationId(1));
    CHECK(rows[2].kind == RmaKind::Put);
    CHECK(rows[2].bytes == 64);
    CHECK(rows[2].end == 9);
    CHECK(rows[3].kind == RmaKind::Get);
    CHECK(rows[3].end == 7);
    CHECK(rows[4].kind == RmaKind::Atomic);
    CHECK(rows[4].bytes == 16);
    CHECK(rows[4].end == kNoTime);
    CHECK(rows[5].kind == RmaKind::Unlock);
    CHECK(rows[6].kind == RmaKind::Sync);
    CHECK(experiment->trace->collectives.size() == 1);
    CHECK(experiment->report.count(IssueKind::CorruptRecord) == 1);
}

}  // namespace skein::communication_test
