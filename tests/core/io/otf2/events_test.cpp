// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/otf2_test_archive.h"

#include <bit>

namespace skein::events_test {

using Archive = test::Otf2TestArchive;

TEST_CASE("Thread events of an OTF2 archive keep their kinds, objects and models")
{
    Archive archive(1);
    archive.builder.addLocation(77, "OMP thread 1", OTF2_LOCATION_TYPE_CPU_THREAD, 0);
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_ThreadFork(out, nullptr, 1, OTF2_PARADIGM_OPENMP, 2);
        OTF2_EvtWriter_ThreadTeamBegin(out, nullptr, 2, 0);
        OTF2_EvtWriter_ThreadTaskCreate(out, nullptr, 3, 0, 1, 5);
        OTF2_EvtWriter_ThreadTaskSwitch(out, nullptr, 4, 0, 1, 5);
        OTF2_EvtWriter_ThreadTaskComplete(out, nullptr, 5, 0, 1, 5);
        OTF2_EvtWriter_ThreadAcquireLock(out, nullptr, 6, OTF2_PARADIGM_PTHREAD, 12, 3);
        OTF2_EvtWriter_ThreadReleaseLock(out, nullptr, 7, OTF2_PARADIGM_PTHREAD, 12, 3);
        OTF2_EvtWriter_ThreadTeamEnd(out, nullptr, 8, 0);
        OTF2_EvtWriter_ThreadJoin(out, nullptr, 9, OTF2_PARADIGM_OPENMP);
        OTF2_EvtWriter_ThreadCreate(out, nullptr, 10, 0, 41);
        OTF2_EvtWriter_ThreadWait(out, nullptr, 13, 0, 41);
    });
    archive.builder.events(77, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_ThreadBegin(out, nullptr, 11, 0, 41);
        OTF2_EvtWriter_ThreadEnd(out, nullptr, 12, 0, 41);
    });
    const ExperimentPtr experiment = archive.open();
    const auto& rows = experiment->trace->threadEvents;
    REQUIRE(rows.size() == 13);
    using enum ThreadEventKind;
    const ThreadEventKind kinds[] = {Fork,        TeamBegin,   TaskCreate, TaskSwitch, TaskComplete,
                                     LockAcquire, LockRelease, TeamEnd,    Join,       Create,
                                     Begin,       End,         Wait};
    for (std::size_t row = 0; row < rows.size(); ++row) CHECK(rows[row].kind == kinds[row]);
    CHECK(rows[0].paradigm == Paradigm::OpenMp);
    CHECK(rows[0].value == 2);
    CHECK(rows[2].object == ((std::uint64_t{1} << 32) | 5));
    CHECK(rows[5].object == 12);
    CHECK(rows[5].value == 3);
    CHECK(rows[10].object == 41);
    CHECK(rows[10].location == LocationId(1));
    CHECK(experiment->definitions.locations[1].rank == 0);
    CHECK(experiment->definitions.locations[1].thread == 1);
    CHECK(experiment->definitions.locations[1].originalId == 77);
}

TEST_CASE("I/O operations of an OTF2 archive have handles, files, bytes and ends")
{
    Archive archive(1);
    const OTF2_StringRef name = archive.builder.text("/data/out.h5"), posix = archive.builder.text("POSIX");
    archive.builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteIoParadigm(out, 0, posix, posix, OTF2_IO_PARADIGM_CLASS_SERIAL,
                                             OTF2_IO_PARADIGM_FLAG_OS, 0, nullptr, nullptr, nullptr);
        OTF2_GlobalDefWriter_WriteIoRegularFile(out, 4, name, 0);
        OTF2_GlobalDefWriter_WriteIoHandle(out, 9, name, 4, 0, OTF2_IO_HANDLE_FLAG_NONE, OTF2_UNDEFINED_COMM,
                                           OTF2_UNDEFINED_IO_HANDLE);
    });
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_IoCreateHandle(out, nullptr, 1, 9, OTF2_IO_ACCESS_MODE_READ_WRITE,
                                      OTF2_IO_CREATION_FLAG_CREATE, OTF2_IO_STATUS_FLAG_NONE);
        OTF2_EvtWriter_IoOperationBegin(out, nullptr, 2, 9, OTF2_IO_OPERATION_MODE_WRITE,
                                        OTF2_IO_OPERATION_FLAG_NON_BLOCKING, 4096, 1);
        OTF2_EvtWriter_IoOperationBegin(out, nullptr, 3, 9, OTF2_IO_OPERATION_MODE_READ,
                                        OTF2_IO_OPERATION_FLAG_NONE, 100, 2);
        OTF2_EvtWriter_IoOperationIssued(out, nullptr, 4, 9, 1);
        OTF2_EvtWriter_IoOperationComplete(out, nullptr, 5, 9, 60, 2);
        OTF2_EvtWriter_IoOperationTest(out, nullptr, 6, 9, 1);
        OTF2_EvtWriter_IoOperationComplete(out, nullptr, 7, 9, 4096, 1);
        OTF2_EvtWriter_IoSeek(out, nullptr, 8, 9, 0, OTF2_IO_SEEK_FROM_START, 0);
        OTF2_EvtWriter_IoAcquireLock(out, nullptr, 9, 9, OTF2_LOCK_EXCLUSIVE);
        OTF2_EvtWriter_IoDestroyHandle(out, nullptr, 10, 9);
        OTF2_EvtWriter_IoDeleteFile(out, nullptr, 11, 0, 4);
    });
    const ExperimentPtr experiment = archive.open();
    const auto& rows = experiment->trace->ioOperations;
    REQUIRE(rows.size() == 7);
    CHECK(rows[0].kind == IoKind::Open);
    CHECK(rows[1].kind == IoKind::Write);
    CHECK(rows[1].bytesTransferred == 4096);
    CHECK(rows[1].end == 6);
    CHECK(rows[2].kind == IoKind::Read);
    CHECK(rows[2].bytesRequested == 100);
    CHECK(rows[2].bytesTransferred == 60);
    CHECK(rows[3].kind == IoKind::Seek);
    CHECK(rows[5].kind == IoKind::Close);
    CHECK(rows[6].kind == IoKind::Delete);
    CHECK(rows[6].file == IoFileId(0));
    CHECK(experiment->definitions.ioHandles[rows[1].handle.index()].paradigm == "POSIX");
    CHECK(experiment->definitions.ioFiles[rows[1].file.index()].name == "/data/out.h5");
    CHECK_FALSE(experiment->report.lostData());
}

TEST_CASE("Metrics of an OTF2 archive arrive by class and by instance, in every mode and type")
{
    Archive archive(1);
    const OTF2_MetricMode modes[] = {OTF2_METRIC_ACCUMULATED_START, OTF2_METRIC_ACCUMULATED_POINT,
                                     OTF2_METRIC_ACCUMULATED_LAST,  OTF2_METRIC_ACCUMULATED_NEXT,
                                     OTF2_METRIC_ABSOLUTE_POINT,    OTF2_METRIC_ABSOLUTE_LAST,
                                     OTF2_METRIC_ABSOLUTE_NEXT,     OTF2_METRIC_RELATIVE_POINT,
                                     OTF2_METRIC_RELATIVE_LAST,     OTF2_METRIC_RELATIVE_NEXT};
    archive.builder.definitions([&](OTF2_GlobalDefWriter* out) {
        const OTF2_Type types[] = {OTF2_TYPE_INT64, OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE};
        for (std::uint32_t member = 0; member < 10; ++member)
            OTF2_GlobalDefWriter_WriteMetricMember(out, member, 0, 0, OTF2_METRIC_TYPE_USER, modes[member],
                                                   types[member % 3], OTF2_BASE_DECIMAL, -3, 0);
        const OTF2_MetricMemberRef three[] = {0, 1, 2}, one[] = {5};
        OTF2_GlobalDefWriter_WriteMetricClass(out, 0, 3, three, OTF2_METRIC_ASYNCHRONOUS,
                                              OTF2_RECORDER_KIND_CPU);
        OTF2_GlobalDefWriter_WriteMetricClass(out, 1, 1, one, OTF2_METRIC_ASYNCHRONOUS,
                                              OTF2_RECORDER_KIND_ABSTRACT);
        OTF2_GlobalDefWriter_WriteMetricInstance(out, 2, 1, 0, OTF2_SCOPE_SYSTEM_TREE_NODE, 0);
    });
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        const OTF2_Type types[] = {OTF2_TYPE_INT64, OTF2_TYPE_UINT64, OTF2_TYPE_DOUBLE};
        OTF2_MetricValue values[3];
        values[0].signed_int = -7;
        values[1].unsigned_int = 8;
        values[2].floating_point = 0.5;
        OTF2_EvtWriter_Metric(out, nullptr, 1, 0, 3, types, values);
        OTF2_EvtWriter_Metric(out, nullptr, 2, 2, 1, types + 2, values + 2);
        OTF2_EvtWriter_Metric(out, nullptr, 3, 2, 1, types,
                              values);  // an integer where a double was declared
        OTF2_EvtWriter_Metric(out, nullptr, 4, 0, 1, types, values);   // too few values
        OTF2_EvtWriter_Metric(out, nullptr, 5, 99, 1, types, values);  // not defined
    });
    const ExperimentPtr experiment = archive.open();
    const auto& streams = experiment->trace->metricStreams;
    REQUIRE(streams.size() == 2);
    CHECK(streams[0].scopeLocation == LocationId(0));
    REQUIRE(streams[0].samples() == 1);
    CHECK(metricValue(streams[0].values[0], MetricValueType::Int64) == -7.0);
    CHECK(metricValue(streams[0].values[1], MetricValueType::Uint64) == 8.0);
    CHECK(metricValue(streams[0].values[2], MetricValueType::Double) == 0.5);
    CHECK(streams[1].scopeNode == SystemTreeNodeId(0));
    REQUIRE(streams[1].samples() == 2);
    CHECK(metricValue(streams[1].values[1], MetricValueType::Double) == -7.0);
    CHECK(experiment->report.count(IssueKind::CorruptRecord) == 2);
    for (std::size_t member = 0; member < 10; ++member)
        CHECK(static_cast<std::size_t>(experiment->definitions.metrics[member].mode) == member);
    CHECK(experiment->definitions.metrics[0].exponent == -3);
}

TEST_CASE("Parameters, markers, flushes and program runs of an OTF2 archive are kept")
{
    Archive archive(1);
    const OTF2_StringRef phase = archive.builder.text("phase"), solve = archive.builder.text("solve");
    archive.builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteParameter(out, 0, phase, OTF2_PARAMETER_TYPE_STRING);
        OTF2_GlobalDefWriter_WriteParameter(out, 1, phase, OTF2_PARAMETER_TYPE_INT64);
    });
    archive.builder.events(0, [=](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_ProgramBegin(out, nullptr, 100, phase, 0, nullptr);
        OTF2_EvtWriter_ParameterString(out, nullptr, 101, 0, solve);
        OTF2_EvtWriter_ParameterInt(out, nullptr, 102, 1, -5);
        OTF2_EvtWriter_BufferFlush(out, nullptr, 103, 108);
        OTF2_EvtWriter_MeasurementOnOff(out, nullptr, 109, OTF2_MEASUREMENT_OFF);
        OTF2_EvtWriter_ProgramEnd(out, nullptr, 110, 3);
    });
    archive.builder.marker(105, "phase change", "here");
    const ExperimentPtr experiment = archive.open();
    const Trace& trace = *experiment->trace;
    const auto& strings = experiment->definitions.strings;
    REQUIRE(trace.parameterEvents.size() == 2);
    CHECK(experiment->definitions.parameters[0].isString);
    CHECK(strings[trace.parameterEvents[0].value] == "solve");
    CHECK(static_cast<std::int64_t>(trace.parameterEvents[1].value) == -5);
    REQUIRE(trace.bufferFlushes.size() == 1);
    CHECK(trace.bufferFlushes[0].begin == 3);
    CHECK(trace.bufferFlushes[0].end == 8);
    REQUIRE(trace.programRuns.size() == 1);
    CHECK(trace.programRuns[0].exitStatus == 3);
    CHECK(strings[trace.programRuns[0].name] == "phase");
    REQUIRE(trace.markers.size() == 2);  // the other: recording switched off
    CHECK(trace.markers[0].time == 5);
    CHECK(trace.markers[0].durationNs == 5);
    CHECK(strings[trace.markers[0].text] == "here");
    CHECK(strings[trace.markers[0].category] == "test: phase change");
    CHECK(trace.markers[0].severity == MarkerSeverity::High);
    CHECK(strings[trace.markers[1].text] == "measurement off");
}

TEST_CASE("Calling contexts are entered, left and sampled as call paths")
{
    Archive archive(1);
    const auto main = archive.builder.region("main"), solve = archive.builder.region("solve"),
               kernel = archive.builder.region("kernel");
    archive.builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteSourceCodeLocation(out, 0, 0, 42);
        OTF2_GlobalDefWriter_WriteCallingContext(out, 0, main, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                                 OTF2_UNDEFINED_CALLING_CONTEXT);
        OTF2_GlobalDefWriter_WriteCallingContext(out, 1, solve, 0, 0);
        OTF2_GlobalDefWriter_WriteCallingContext(out, 2, kernel, OTF2_UNDEFINED_SOURCE_CODE_LOCATION, 1);
        OTF2_GlobalDefWriter_WriteInterruptGenerator(out, 0, 0, OTF2_INTERRUPT_GENERATOR_MODE_TIME,
                                                     OTF2_BASE_DECIMAL, -9, 1000);
    });
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_CallingContextEnter(out, nullptr, 10, 0, 1);
        OTF2_EvtWriter_CallingContextSample(out, nullptr, 15, 2, 2, 0);
        OTF2_EvtWriter_CallingContextEnter(out, nullptr, 20, 1, 1);
        OTF2_EvtWriter_CallingContextSample(out, nullptr, 25, 2, 2, 0);
        OTF2_EvtWriter_CallingContextSample(out, nullptr, 26, 99, 2, 0);
        OTF2_EvtWriter_CallingContextLeave(out, nullptr, 30, 1);
        OTF2_EvtWriter_CallingContextLeave(out, nullptr, 40, 0);
    });
    const ExperimentPtr experiment = archive.open();
    const Trace& trace = *experiment->trace;
    const CallTree& tree = *experiment->callTree;
    REQUIRE(trace.intervalCount() == 2);
    CHECK(trace.locations[0].intervals.end[0] == 30);
    CHECK(tree.callSite(CallPathId(trace.locations[0].intervals.callPath[1])).valid());
    REQUIRE(trace.samples.size() == 3);
    // Both samples stand at main => solve => kernel, the first before solve was entered by an event.
    for (const std::size_t row : {0u, 1u}) {
        const CallPathId path = trace.samples[row].callPath;
        CHECK(experiment->definitions.region(tree.region(path)).name == "kernel");
        CHECK(tree.depth(path) == 2);
    }
    CHECK(trace.samples[0].callPath == trace.samples[1].callPath);
    CHECK(experiment->report.count(IssueKind::UndefinedReference) == 1);
}

TEST_CASE("call sites of an OTF2 archive keep file, line and regions, and contexts find theirs behind them")
{
    Archive archive(1);
    const auto main = archive.builder.region("main"), solve = archive.builder.region("solve");
    const OTF2_StringRef siteFile = archive.builder.text("main.cpp"),
                         sourceFile = archive.builder.text("solve.cpp");
    archive.builder.definitions([=](OTF2_GlobalDefWriter* out) {
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
        OTF2_GlobalDefWriter_WriteCallsite(out, 0, siteFile, 17, solve, main);
#pragma GCC diagnostic pop
        OTF2_GlobalDefWriter_WriteSourceCodeLocation(out, 0, sourceFile, 42);
        OTF2_GlobalDefWriter_WriteCallingContext(out, 0, solve, 0, OTF2_UNDEFINED_CALLING_CONTEXT);
    });
    archive.builder.events(0, [](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_CallingContextEnter(out, nullptr, 10, 0, 1);
        OTF2_EvtWriter_CallingContextLeave(out, nullptr, 30, 0);
    });
    const ExperimentPtr experiment = archive.open();
    const Definitions& definitions = experiment->definitions;
    REQUIRE(definitions.callSites.size() == 2);
    const CallSite& site = definitions.callSites[0];
    CHECK(site.sourceFile == "main.cpp");
    CHECK(site.line == 17);
    CHECK(definitions.region(site.enteredRegion).name == "solve");
    CHECK(definitions.region(site.leftRegion).name == "main");
    const CallPathId path(experiment->trace->locations[0].intervals.callPath[0]);
    const CallSite& source = definitions.callSites.at(experiment->callTree->callSite(path).index());
    CHECK(source.sourceFile == "solve.cpp");
    CHECK(source.line == 42);
}

TEST_CASE("Cartesian topologies, clock offsets and the clock of an OTF2 archive are kept")
{
    Archive archive(2);
    archive.builder.setClock(2'000'000'000, 1000, 50);
    const auto main = archive.builder.region("main");
    const OTF2_StringRef x = archive.builder.text("x"), y = archive.builder.text("y");
    archive.builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteCartDimension(out, 0, x, 2, OTF2_CART_PERIODIC_TRUE);
        OTF2_GlobalDefWriter_WriteCartDimension(out, 1, y, 1, OTF2_CART_PERIODIC_FALSE);
        const OTF2_CartDimensionRef dimensions[] = {0, 1};
        OTF2_GlobalDefWriter_WriteCartTopology(out, 0, x, 0, 2, dimensions);
        for (std::uint32_t rank = 0; rank < 2; ++rank) {
            const std::uint32_t position[] = {1 - rank, 0};
            OTF2_GlobalDefWriter_WriteCartCoordinate(out, 0, rank, 2, position);
        }
    });
    archive.builder.clockOffset(1, 0, 500);
    archive.builder.clockOffset(1, 10'000, 500);
    for (std::uint64_t rank = 0; rank < 2; ++rank)
        archive.builder.events(rank, [=](OTF2_EvtWriter* out) {
            OTF2_EvtWriter_Enter(out, nullptr, 2000, main);
            OTF2_EvtWriter_Leave(out, nullptr, 2101, main);
        });
    const ExperimentPtr experiment = archive.open();
    const Definitions& definitions = experiment->definitions;
    REQUIRE(definitions.topologies.size() == 1);
    CHECK(definitions.topologies[0].dimensions[0].periodic);
    CHECK(definitions.topologies[0].dimensions[0].size == 2);
    CHECK(definitions.topologies[0].coordinates[1].position == std::vector<std::uint32_t>{0, 0});
    CHECK(definitions.clock.originTicks == 2000);
    REQUIRE(definitions.clockOffsets.size() == 2);
    CHECK(definitions.clockOffsets[0].offsetTicks == 500);
    // 101 ticks of half a nanosecond, rounded down; the second rank is 500 ticks late after its correction.
    CHECK(experiment->trace->locations[0].intervals.end[0] == 50);
    CHECK(experiment->trace->locations[1].intervals.begin[0] == 250);
    CHECK(experiment->report.count(IssueKind::ClockLength) == 1);
}

TEST_CASE("Regions without a paradigm get one and a role from their names, and no group that nobody recorded")
{
    Archive archive(1);
    for (const char* name : {"MPI_Allreduce()", "MPI_Isend()", "MPI Collective Sync", "pthread_create",
                             "OpenMP_Parallel_Region", "solve"})
        archive.builder.region(name, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_UNKNOWN);
    const ExperimentPtr experiment = archive.open();
    const auto& regions = experiment->definitions.regions;
    CHECK(regions[0].paradigm == Paradigm::Mpi);
    CHECK(regions[0].role == RegionRole::CollectiveAllToAll);
    CHECK(regions[1].role == RegionRole::PointToPoint);
    CHECK(regions[2].paradigm == Paradigm::Mpi);
    CHECK(regions[3].role == RegionRole::ThreadCreate);
    CHECK(regions[4].role == RegionRole::Parallel);
    CHECK(regions[5].paradigm == Paradigm::Unknown);
    CHECK(experiment->definitions.regionGroups.empty());
    CHECK(regions[0].groups.empty());
}

}  // namespace skein::events_test
