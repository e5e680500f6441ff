// SPDX-License-Identifier: GPL-3.0-or-later
// Records that the model has no place for are counted by their names; nothing is lost without a word.
#include "tests/support/otf2_test_archive.h"

#include <algorithm>
#include <map>

namespace skein::unsupported_records_test {

namespace {

constexpr OTF2_RmaWinRef kWindow = 0;
constexpr OTF2_IoHandleRef kHandle = 0;

void defineEverything(test::Otf2ArchiveBuilder& archive)
{
    const auto name = archive.text("something");
    archive.definitions([name](OTF2_GlobalDefWriter* out) {
        OTF2_AttributeValue value{};
        OTF2_GlobalDefWriter_WriteAttribute(out, 0, name, name, OTF2_TYPE_UINT32);
        OTF2_GlobalDefWriter_WriteComm(out, 77, name, 0, OTF2_UNDEFINED_COMM,
                                       OTF2_COMM_FLAG_CREATE_DESTROY_EVENTS);
        OTF2_GlobalDefWriter_WriteInterruptGenerator(out, 0, name, OTF2_INTERRUPT_GENERATOR_MODE_TIME,
                                                     OTF2_BASE_DECIMAL, -6, 2000);
        OTF2_GlobalDefWriter_WriteRmaWin(out, kWindow, name, 0, OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS);
        OTF2_GlobalDefWriter_WriteIoRegularFile(out, 0, name, OTF2_UNDEFINED_SYSTEM_TREE_NODE);
        OTF2_GlobalDefWriter_WriteIoFileProperty(out, 0, name, OTF2_TYPE_UINT32, value);
        OTF2_GlobalDefWriter_WriteIoHandle(out, kHandle, name, 0, OTF2_UNDEFINED_IO_PARADIGM,
                                           OTF2_IO_HANDLE_FLAG_PRE_CREATED, OTF2_UNDEFINED_COMM, kHandle);
        OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(out, kHandle, OTF2_IO_ACCESS_MODE_READ_ONLY,
                                                          OTF2_IO_STATUS_FLAG_NONE);
        OTF2_GlobalDefWriter_WriteParadigmProperty(
            out, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_UINT32, value);
        OTF2_GlobalDefWriter_WriteCallpath(out, 0, OTF2_UNDEFINED_CALLPATH, 0);
        OTF2_GlobalDefWriter_WriteCallpathParameter(out, 0, 0, OTF2_TYPE_UINT32, value);
        OTF2_GlobalDefWriter_WriteCallingContext(out, 0, 0, OTF2_UNDEFINED_SOURCE_CODE_LOCATION,
                                                 OTF2_UNDEFINED_CALLING_CONTEXT);
        OTF2_GlobalDefWriter_WriteCallingContextProperty(out, 0, name, OTF2_TYPE_UINT32, value);
        OTF2_GlobalDefWriter_WriteMetricMember(out, 0, name, name, OTF2_METRIC_TYPE_OTHER,
                                               OTF2_METRIC_ABSOLUTE_POINT, OTF2_TYPE_UINT64,
                                               OTF2_BASE_DECIMAL, 0, name);
        const OTF2_MetricMemberRef member = 0;
        OTF2_GlobalDefWriter_WriteMetricClass(out, 0, 1, &member, OTF2_METRIC_ASYNCHRONOUS,
                                              OTF2_RECORDER_KIND_ABSTRACT);
        OTF2_GlobalDefWriter_WriteMetricInstance(out, 1, 0, 0, OTF2_SCOPE_LOCATION, 1);
        OTF2_GlobalDefWriter_WriteMetricClassRecorder(out, 0, 0);
    });
}

void recordEverything(OTF2_EvtWriter* out, OTF2_RegionRef region)
{
    OTF2_AttributeList* attributes = OTF2_AttributeList_New();
    OTF2_AttributeList_AddUint32(attributes, 0, 5);
    OTF2_EvtWriter_Enter(out, attributes, 10, region);
    OTF2_AttributeList_Delete(attributes);
    const OTF2_StringRef argument = 0;
    OTF2_EvtWriter_ProgramBegin(out, nullptr, 11, 0, 1, &argument);
    OTF2_EvtWriter_MeasurementOnOff(out, nullptr, 12, OTF2_MEASUREMENT_OFF);
    OTF2_EvtWriter_MeasurementOnOff(out, nullptr, 20, OTF2_MEASUREMENT_ON);
    OTF2_EvtWriter_CommCreate(out, nullptr, 21, 77);
    OTF2_EvtWriter_CommDestroy(out, nullptr, 22, 77);
    OTF2_EvtWriter_MpiRequestTest(out, nullptr, 23, 1);
    OTF2_EvtWriter_MpiIsendComplete(out, nullptr, 24, 1);
    OTF2_EvtWriter_MpiIsendComplete(out, nullptr, 25, 2);
    OTF2_EvtWriter_RmaOpTest(out, nullptr, 26, kWindow, 1);
    OTF2_EvtWriter_IoOperationTest(out, nullptr, 27, kHandle, 1);
    OTF2_EvtWriter_IoOperationIssued(out, nullptr, 28, kHandle, 1);
    OTF2_EvtWriter_Leave(out, nullptr, 30, region);
}

std::map<std::string, std::uint64_t> unsupportedIn(const ImportReport& report)
{
    std::map<std::string, std::uint64_t> counts;
    for (const Issue& issue : report.issues())
        if (issue.kind == IssueKind::UnsupportedRecord) counts[issue.detail] += issue.count;
    return counts;
}

}  // namespace

TEST_CASE("OTF2 records that the model has no place for are counted by name over all locations", "[otf2]")
{
    test::Otf2TestArchive archive(2);
    const auto region = archive.builder.region("main");
    defineEverything(archive.builder);
    for (const std::uint64_t location : {0u, 1u})
        archive.builder.events(location, [&](OTF2_EvtWriter* out) { recordEverything(out, region); });
    archive.builder.setSnapshots(3);
    archive.builder.addThumbnail("overview");
    const ExperimentPtr opened = archive.open();
    const std::map<std::string, std::uint64_t> expected{
        {"CommCreate", 2},
        {"CommDestroy", 2},
        {"IoOperationIssued", 2},
        {"IoOperationTest", 2},
        {"MpiRequestTest", 2},
        {"RmaOpTest", 2},
        {"arguments of ProgramBegin", 2},
        {"definitions CallingContextProperty", 1},
        {"definitions Callpath", 1},
        {"definitions CallpathParameter", 1},
        {"definitions IoFileProperty", 1},
        {"definitions IoPreCreatedHandleState", 1},
        {"definitions MetricClassRecorder", 1},
        {"definitions ParadigmProperty", 1},
        {"flags of I/O handles", 1},
        {"flags of RMA windows", 1},
        {"flags of communicators", 1},
        {"names of RMA windows", 1},
        {"parents of I/O handles", 1},
        {"snapshots: what was open at some moments, which the events tell as well", 3},
        {"thumbnails: pictures of the whole run, which the events give as well", 1}};
    CHECK(unsupportedIn(opened->report) == expected);
    // No MpiIsend began what these records say to be complete.
    std::uint64_t ends = 0;
    for (const Issue& issue : opened->report.issues())
        if (issue.detail.starts_with("MpiIsendComplete of request 1")) ends += issue.count;
    CHECK(ends == 4);
    CHECK_FALSE(opened->report.lostData());
}

TEST_CASE("OTF2 switches of the measurement are markers, interrupt generators properties of the archive",
          "[otf2]")
{
    test::Otf2TestArchive archive(2);
    const auto region = archive.builder.region("main");
    defineEverything(archive.builder);
    archive.builder.events(1, [&](OTF2_EvtWriter* out) { recordEverything(out, region); });
    const ExperimentPtr opened = archive.open();
    const Experiment& experiment = *opened;
    REQUIRE(experiment.trace->markers.size() == 2);
    const std::vector<std::string>& strings = experiment.definitions.strings;
    CHECK(strings[experiment.trace->markers[0].text] == "measurement off");
    CHECK(strings[experiment.trace->markers[1].text] == "measurement on");
    CHECK(strings[experiment.trace->markers[1].category] == "measurement");
    CHECK(experiment.trace->markers[0].location == LocationId(1));
    CHECK(experiment.trace->markers[0].time == 2);
    CHECK(experiment.trace->markers[1].time == 10);
    const Property generator{"interrupt generator something", "every 2000 × 10^-6 s"};
    CHECK(std::any_of(
        experiment.definitions.properties.begin(), experiment.definitions.properties.end(),
        [&](const Property& each) { return each.name == generator.name && each.value == generator.value; }));
}

TEST_CASE("OTF2 samples of a metric instance on another location than its recorder are told", "[otf2]")
{
    test::Otf2TestArchive archive(2);
    archive.builder.region("main");
    defineEverything(archive.builder);
    const auto sample = [](OTF2_EvtWriter* out) {
        const OTF2_Type type = OTF2_TYPE_UINT64;
        OTF2_MetricValue value{};
        OTF2_EvtWriter_Metric(out, nullptr, 10, 1, 1, &type, &value);
    };
    archive.builder.events(0, sample);
    archive.builder.events(1, sample);
    const ExperimentPtr opened = archive.open();
    CHECK(opened->trace->metricStreams.size() == 2);
    CHECK(opened->report.count(IssueKind::ContradictoryRecord) == 1);
}

TEST_CASE("kinds of unsupported records are told apart, up to a limit")
{
    ImportReport report;
    for (int kind = 0; kind < 1000; ++kind)
        report.add(IssueKind::UnsupportedRecord, {}, {}, std::to_string(kind));
    report.add(IssueKind::UnsupportedRecord, {}, {}, "3");
    CHECK(report.issues().size() == 64);
    CHECK(report.issues()[3].count == 2);
    CHECK(report.count(IssueKind::UnsupportedRecord) == 1001);
}

}  // namespace skein::unsupported_records_test
