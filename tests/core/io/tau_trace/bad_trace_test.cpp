// SPDX-License-Identifier: GPL-3.0-or-later
// Traces with something wrong, and traces of machines of other kinds.
#include "core/io/tau_trace/tau_trace_importer.h"
#include "core/io/tau_trace/trace_assembly.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <bit>
#include <fstream>
#include <map>

namespace skein::bad_trace_test {

using namespace skein::tau;
using skein::test::TemporaryFolder;

namespace {

constexpr const char* kEvents =
    "7 dynamic_trace_events\n# FunctionId Group Tag \"Name Type\" Parameters\n1 TAU_USER 0 \"main \" "
    "EntryExit\n2 MPI 0 \"MPI_Send()  \" EntryExit\n"
    "3 TAUEVENT 0 \"power\" TriggerValue\n60000 TRACER 0 \"EV_INIT\" none\n60001 TRACER 0 \"FLUSH\" "
    "EntryExit\n60007 TAU_MESSAGE -7 \"MESSAGE_SEND\" par\n60008 TAU_MESSAGE -8 \"MESSAGE_RECV\" par\n";

using Records = std::vector<TraceRecord>;

template <typename Value>
void put(std::string& bytes, Value value, bool big)
{
    for (std::size_t byte = 0; byte < sizeof value; ++byte) {
        const std::size_t shift = 8 * (big ? sizeof value - 1 - byte : byte);
        bytes += static_cast<char>(static_cast<std::uint64_t>(value) >> shift);
    }
}

std::string encoded(const Records& records, bool wide = false, bool big = false)
{
    std::string bytes;
    for (const TraceRecord& record : records) {
        if (wide) put(bytes, record.event, big);
        else put(bytes, static_cast<std::int32_t>(record.event), big);
        put(bytes, record.node, big);
        put(bytes, record.thread, big);
        if (wide) put(bytes, std::uint32_t{0xABCD}, big);
        put(bytes, record.parameter, big);
        put(bytes, record.time, big);
    }
    return bytes;
}

Records inited(Records records)
{
    records.insert(records.begin(), TraceRecord{60000, 0, 0, 3, 1000});
    return records;
}

Experiment assembled(const Records& records, const char* events = kEvents)
{
    auto experiment = assembleTrace(events, encoded(inited(records)), Task());
    REQUIRE(experiment);
    return std::move(*experiment);
}

std::int64_t packed(std::uint32_t partner, std::uint32_t tag, std::uint32_t bytes)
{
    const auto wide = [](std::uint32_t value) { return std::uint64_t{value}; };
    return static_cast<std::int64_t>(wide(bytes & 0xFFFF) | wide(tag & 0xFF) << 16
                                     | wide(partner & 0xFF) << 24 | wide(bytes >> 16 & 0x3FF) << 32
                                     | wide(tag >> 8 & 0xFF) << 48 | wide(partner >> 8 & 0xFF) << 56);
}

void write(const std::filesystem::path& file, const std::string& bytes)
{
    std::ofstream(file, std::ios::binary) << bytes;
}

}  // namespace

TEST_CASE("TAU traces of both byte orders and record sizes read the same")
{
    const Records records = inited(
        {{1, 0, 0, 1, 1001}, {60007, 0, 0, packed(0x123, 0x4567, 0x2ABCDEF), 1002}, {1, 0, 0, -1, 1005}});
    for (const bool wide : {false, true})
        for (const bool big : {false, true}) {
            INFO(wide << big);
            const auto experiment = assembleTrace(kEvents, encoded(records, wide, big), Task());
            REQUIRE(experiment);
            REQUIRE(experiment->trace->intervalCount() == 1);
            CHECK(experiment->trace->locations[0].intervals.span(0) == TimeSpan{1000, 5000});
            REQUIRE(experiment->trace->messages.size() == 1);
            CHECK(experiment->trace->messages[0].bytes == 0x2ABCDEF);
            CHECK(experiment->trace->messages[0].tag == 0x4567);
        }
}

TEST_CASE("message parameters of TAU unpack to what was packed")
{
    const PackedMessage message = unpackMessage(packed(65535, 60001, (1u << 26) - 1));
    CHECK(message.partner == 65535);
    CHECK(message.tag == 60001);
    CHECK(message.bytes == (1u << 26) - 1);
    CHECK(message.communicator == 0);
}

TEST_CASE("both ends of a one-sided transfer of a TAU trace become one operation, and an end alone stays one")
{
    const std::string events = std::string("12") + (kEvents + 1)
        + "70000 TAUEVENT 0 \"ONESIDED_MESSAGE_SEND\" TriggerValue\n70001 TAUEVENT 0 "
          "\"ONESIDED_MESSAGE_RECV\" TriggerValue\n"
          "70002 TAUEVENT 0 \"ONESIDED_MESSAGE_ID_TriggerValueT1\" TriggerValue\n70003 TAUEVENT 0 "
          "\"ONESIDED_MESSAGE_ID_TriggerValueT2\" TriggerValue\n"
          "70004 TAUEVENT 0 \"ONESIDED_MESSAGE\" TriggerValue\n";
    const Experiment trace = assembled({{1, 0, 0, 1, 1010},
                                        {70000, 0, 0, 4096, 1020},
                                        {70002, 0, 0, 7, 1020},
                                        {70003, 0, 0, 8, 1020},
                                        {70001, 0, 1, 4096, 1035},
                                        {70002, 0, 1, 7, 1035},
                                        {70003, 0, 1, 8, 1035},
                                        {70001, 0, 1, 64, 1040},
                                        {70002, 0, 1, 7, 1040},
                                        {70003, 0, 1, 9, 1040},
                                        {70004, 0, 0, 16, 1050},
                                        {1, 0, 0, -1, 1060}},
                                       events.c_str());
    const auto& operations = trace.trace->rmaOperations;
    REQUIRE(operations.size() == 3);
    CHECK(operations[0].kind == RmaKind::Put);
    CHECK(operations[0].bytes == 4096);
    CHECK(operations[0].origin == LocationId(0));
    CHECK(operations[0].target == LocationId(1));
    CHECK(operations[0].end - operations[0].begin == 15'000);
    CHECK(operations[0].interval == 0);
    CHECK(operations[1].kind == RmaKind::Get);
    CHECK(operations[1].origin == LocationId(1));
    CHECK(operations[1].end == kNoTime);
    CHECK(operations[2].kind == RmaKind::Other);
    CHECK(trace.report.count(IssueKind::UnsupportedRecord) == 0);
}

TEST_CASE("TAU traces of one thread under several names in one folder are traces of their own")
{
    const TemporaryFolder folder;
    for (const auto& [name, calls] : std::map<std::string, int>{{"first", 1}, {"second", 2}}) {
        Records records;
        for (int call = 0; call < calls; ++call) {
            records.push_back({1, 0, 0, 1, 1010 + 10 * static_cast<std::uint64_t>(call)});
            records.push_back({1, 0, 0, -1, 1015 + 10 * static_cast<std::uint64_t>(call)});
        }
        write(folder.path() / (name + ".0.0.0.trc"), encoded(inited(records)));
    }
    write(folder.path() / "events.0.edf", kEvents);
    const auto callsOf = [&](const std::filesystem::path& path) {
        const auto archive = sniffTrace(path, Task());
        REQUIRE(archive);
        const auto trace = readTrace(*archive, Task());
        REQUIRE(trace);
        return trace->trace->intervalCount();
    };
    CHECK(callsOf(folder.path() / "first.0.0.0.trc") == 1);
    CHECK(callsOf(folder.path() / "second.0.0.0.trc") == 2);
    CHECK(callsOf(folder.path()) == 1);
    const auto whole = readTrace(folder.path(), Task());
    REQUIRE(whole);
    CHECK(whole->report.count(IssueKind::UnsupportedRecord) == 1);
}

TEST_CASE("a TAU trace whose times run backwards or whose regions cross is repaired and reported")
{
    const Experiment trace = assembled({{1, 0, 0, 1, 1010},
                                        {2, 0, 0, 1, 1005},
                                        {1, 0, 0, -1, 1020},
                                        {2, 0, 0, -1, 1020},
                                        {2, 0, 0, -1, 1030}});
    CHECK(trace.report.count(IssueKind::TimeBackwards) == 1);
    CHECK(trace.report.count(IssueKind::LeaveOutOfOrder) == 1);
    CHECK(trace.trace->intervalCount() == 2);
    CHECK(trace.trace->eventCount() == 6);
    CHECK(trace.report.lostData());
}

TEST_CASE("a TAU trace without its event file shows regions under made-up names")
{
    const TemporaryFolder folder;
    write(folder.path() / "tautrace.0.0.0.trc",
          encoded(inited({{17, 0, 0, 1, 1001},
                          {60007, 0, 0, packed(0, 1, 8), 1002},
                          {18, 0, 0, 4711, 1003},
                          {17, 0, 0, -1, 1005}})));
    const auto trace = readTrace(folder.path(), Task());
    REQUIRE(trace);
    CHECK(trace->report.count(IssueKind::AbsentFile) == 1);
    CHECK(trace->report.count(IssueKind::UndefinedReference) == 2);
    REQUIRE(trace->trace->intervalCount() == 1);
    CHECK(trace->definitions.regions.back().name.find("undefined event 17") == 0);
    CHECK(trace->trace->messages.size() == 1);
    REQUIRE(trace->trace->metricStreams.size() == 1);
    CHECK(trace->trace->metricStreams[0].values[0] == 4711);
}

TEST_CASE("a TAU trace that is cut off in a record says where")
{
    const auto trace = assembleTrace(kEvents, encoded(inited({{1, 0, 0, 1, 1001}})) + "half", Task());
    REQUIRE(trace);
    REQUIRE(trace->report.count(IssueKind::Truncated) == 1);
    for (const Issue& issue : trace->report.issues())
        if (issue.kind == IssueKind::Truncated) CHECK(issue.offset == 48);
    CHECK(trace->report.count(IssueKind::EnterWithoutLeave) == 1);
}

TEST_CASE("event files of TAU traces are read by line, whatever they announce")
{
    ImportReport report;
    const auto events =
        parseEventFile("1000000000 dynamic_trace_events\n# x\n1 A|B 0 \"f(\"q\", 1) \" EntryExit\ngarbage\n2 "
                       "G x \"y\" EntryExit\n3 G 0 \"v\xff\" TriggerValue",
                       "events.0.edf", report);
    REQUIRE(events.size() == 2);
    CHECK(events[0].name == "f(\"q\", 1)");
    CHECK(events[1].kind == EventKind::Trigger);
    CHECK(report.count(IssueKind::CorruptRecord) == 2);
    CHECK(report.count(IssueKind::Truncated) == 1);
    for (const Issue& issue : report.issues())
        if (issue.kind == IssueKind::CorruptRecord) CHECK(issue.offset == 4);
}

TEST_CASE("values of TAU traces are doubles where all of them look like doubles")
{
    const auto bits = [](double value) { return std::bit_cast<std::int64_t>(value); };
    const Experiment doubles = assembled(
        {{3, 0, 0, 0, 1001}, {3, 0, 0, bits(95.25), 1001}, {3, 0, 0, 0, 1001}, {3, 0, 0, bits(-3.5), 1002}});
    REQUIRE(doubles.trace->metricStreams.size() == 1);
    CHECK(doubles.definitions.metrics[0].valueType == MetricValueType::Double);
    CHECK(doubles.trace->metricStreams[0].samples() == 2);
    CHECK(metricValue(doubles.trace->metricStreams[0].values[1], MetricValueType::Double) == -3.5);
    const Experiment integers = assembled({{3, 0, 0, -5, 1001}, {3, 0, 0, 1795246873544885000, 1002}});
    CHECK(integers.definitions.metrics[0].valueType == MetricValueType::Int64);
}

TEST_CASE("the flushes of TAU's trace buffer are known as such")
{
    const Experiment trace = assembled({{60001, 0, 0, 1, 1001}, {60001, 0, 0, -1, 1009}});
    REQUIRE(trace.trace->bufferFlushes.size() == 1);
    CHECK(trace.trace->bufferFlushes[0].begin == 1000);
    CHECK(trace.trace->bufferFlushes[0].end == 9000);
}

TEST_CASE("a merged TAU trace of any names opens by either file, and random bytes are none")
{
    const TemporaryFolder folder;
    write(
        folder.path() / "run-a.bin",
        encoded(inited({{1, 0, 0, 1, 1001}, {1, 0, 0, -1, 1002}, {1, 1, 0, 1, 1002}, {1, 1, 0, -1, 1003}})));
    write(folder.path() / "run-a.txt", kEvents);
    CHECK(sniffTrace(folder.path() / "run-a.bin", Task()) == folder.path() / "run-a.bin");
    const auto archive = sniffTrace(folder.path() / "run-a.txt", Task());
    REQUIRE(archive);
    const auto trace = readTrace(*archive, Task());
    REQUIRE(trace);
    CHECK(trace->trace->locations.size() == 2);
    CHECK_FALSE(trace->report.lostData());
    write(folder.path() / "noise.trc", std::string(4800, '\x5a'));
    CHECK_FALSE(sniffTrace(folder.path() / "noise.trc", Task()));
    write(folder.path() / "zeros.trc", std::string(4800, '\0'));
    CHECK_FALSE(sniffTrace(folder.path() / "zeros.trc", Task()));
}

TEST_CASE("TAU traces give the same bits for one thread and for many")
{
    Records records;
    for (std::uint64_t step = 0; step < 3000; ++step) {
        const auto node = static_cast<std::uint16_t>(step % 7);
        records.push_back({1, node, 0, step / 7 % 2 == 0 ? 1 : -1, 1001 + step});
        records.push_back({3, node, 0, static_cast<std::int64_t>(step), 1001 + step});
    }
    const std::string bytes = encoded(inited(records));
    const auto one = assembleTrace(kEvents, bytes, Task().withThreads(1));
    const auto many = assembleTrace(kEvents, bytes, Task().withThreads(4));
    REQUIRE(one);
    REQUIRE(many);
    REQUIRE(one->trace->locations.size() == 7);
    for (std::size_t location = 0; location < 7; ++location) {
        const auto& a = one->trace->locations[location].intervals;
        const auto& b = many->trace->locations[location].intervals;
        CHECK(std::equal(a.end.begin(), a.end.end(), b.end.begin(), b.end.end()));
    }
    CHECK(one->trace->metricStreams.size() == many->trace->metricStreams.size());
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = assembleTrace(kEvents, bytes, Task(stop.get_token()));
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().cancelled());
}

TEST_CASE("a TAU trace's call sites stand in its call tree")
{
    constexpr const char* events =
        "3 dynamic_trace_events\n# x\n1 TAU_USER 0 \"main [{/x/ring.c} {3,0}]\" EntryExit\n"
        "2 MPI 0 \"MPI_Send() \" EntryExit\n"
        "3 TAU_CALLSITE 0 \"[CALLSITE] MPI_Send()  [@] main [{/x/ring.c} {31}]\" EntryExit\n";
    const Experiment trace = assembled({{1, 0, 0, 1, 1010},
                                        {3, 0, 0, 1, 1019},
                                        {2, 0, 0, 1, 1020},
                                        {2, 0, 0, -1, 1030},
                                        {3, 0, 0, -1, 1031},
                                        {1, 0, 0, -1, 1040}},
                                       events);
    REQUIRE(trace.definitions.callSites.size() == 1);
    const CallSite& site = trace.definitions.callSites.front();
    CHECK(site.sourceFile == "/x/ring.c");
    CHECK(site.line == 31);
    CHECK(trace.definitions.region(site.enteredRegion).name == "MPI_Send()");
    REQUIRE(trace.callTree->size() == 3);
    CHECK(trace.callTree->callSite(CallPathId(1)) == CallSiteId(0));
    CHECK_FALSE(trace.callTree->callSite(CallPathId(0)).valid());
    CHECK_FALSE(trace.callTree->callSite(CallPathId(2)).valid());
}

TEST_CASE("one damaged time of a TAU trace does not stretch the others")
{
    const Experiment trace = assembled(
        {{1, 0, 0, 1, 1010}, {2, 0, 0, 1, 1020}, {2, 0, 0, -1, ~std::uint64_t{0}}, {1, 0, 0, -1, 1040}});
    CHECK(trace.report.count(IssueKind::CorruptRecord) == 1);
    CHECK(trace.report.count(IssueKind::TimeBackwards) == 0);
    CHECK(trace.trace->extent.end == 40'000);
}

TEST_CASE("files that are named like a thread's records and hold none are told")
{
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "events.0.edf") << kEvents;
    std::ofstream(folder.path() / "tautrace.0.0.0.trc", std::ios::binary)
        << encoded(inited({{1, 0, 0, 1, 1010}, {1, 0, 0, -1, 1040}}));
    std::ofstream(folder.path() / "tautrace.1.0.0.trc");
    std::ofstream(folder.path() / "tautrace.2.0.0.trc") << "no records at all, and longer than one of them";
    const auto trace = readTrace(folder.path(), Task());
    REQUIRE(trace);
    CHECK(trace->definitions.locations.size() == 1);
    CHECK(trace->report.count(IssueKind::Truncated) == 1);
    CHECK(trace->report.count(IssueKind::CorruptRecord) == 1);
}

}  // namespace skein::bad_trace_test
