// SPDX-License-Identifier: GPL-3.0-or-later
// Attributes of OTF2 events, and calls that are renamed while they run.
#include "algorithms/timeline/parent_call.h"
#include "core/trace/event_attributes.h"
#include "tests/support/otf2_test_archive.h"

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

namespace skein::otf2_attributes_test {
namespace {

using Archive = test::Otf2TestArchive;

/// A list that is given back.
struct List {
    OTF2_AttributeList* list = OTF2_AttributeList_New();
    List() = default;
    List(std::uint64_t guid, std::uint64_t parent)
    {
        OTF2_AttributeList_AddUint64(list, 3, guid);
        OTF2_AttributeList_AddUint64(list, 9, parent);
    }
    ~List() { OTF2_AttributeList_Delete(list); }
    List(const List&) = delete;
    List& operator=(const List&) = delete;
};

/// GUID is attribute 3 of the archive, Parent GUID 9.
void defineTasks(test::Otf2ArchiveBuilder& builder)
{
    const auto own = builder.text("GUID"), parent = builder.text("Parent GUID");
    builder.definitions([=](OTF2_GlobalDefWriter* out) {
        OTF2_GlobalDefWriter_WriteAttribute(out, 9, parent, parent, OTF2_TYPE_UINT64);
        OTF2_GlobalDefWriter_WriteAttribute(out, 3, own, own, OTF2_TYPE_UINT64);
    });
}

std::string callsOf(const Experiment& experiment, std::size_t location)
{
    const CallIntervals& calls = experiment.trace->locations[location].intervals;
    std::string text;
    for (std::size_t index = 0; index < calls.size(); ++index)
        text +=
            experiment.definitions.region(experiment.callTree->region(CallPathId(calls.callPath[index]))).name
            + " " + std::to_string(calls.begin[index]) + "-" + std::to_string(calls.end[index]) + "; ";
    return text;
}

std::uint64_t unsupported(const ImportReport& report, const std::string& what)
{
    std::uint64_t count = 0;
    for (const Issue& issue : report.issues())
        if (issue.kind == IssueKind::UnsupportedRecord && issue.detail == what) count += issue.count;
    return count;
}

}  // namespace

TEST_CASE("Tasks that are renamed while they run are calls of their first names, from the first on")
{
    Archive archive(2);
    defineTasks(archive.builder);
    const auto main = archive.builder.region("main"), work = archive.builder.region("work"),
               other = archive.builder.region("other");
    archive.builder.events(0, [=](OTF2_EvtWriter* out) {
        // One value each so far: by the attributes alone nothing is known of the first call.
        OTF2_EvtWriter_Enter(out, List(1, 0).list, 0, main);
        OTF2_EvtWriter_MpiRequestTest(out, nullptr, 5, 1);
        OTF2_EvtWriter_Leave(out, List(1, 0).list, 10, other);
        OTF2_EvtWriter_Enter(out, List(2, 1).list, 20, work);
        OTF2_EvtWriter_Leave(out, List(2, 1).list, 30, other);
        OTF2_EvtWriter_Enter(out, List(3, 1).list, 40, work);
        OTF2_EvtWriter_Leave(out, List(3, 1).list, 50, work);
    });
    archive.builder.events(1, [=](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_Enter(out, List(4, 2).list, 25, work);
        OTF2_EvtWriter_Leave(out, List(4, 2).list, 60, work);
    });
    const ExperimentPtr experiment = archive.open();
    CHECK(callsOf(*experiment, 0) == "main 0-10; work 20-30; work 40-50; ");
    CHECK(experiment->report.count(IssueKind::RenamedCall) == 2);
    CHECK(experiment->report.count(IssueKind::EnterWithoutLeave) == 0);
    CHECK_FALSE(experiment->report.lostData());
    // The location was read twice; nothing counts twice.
    CHECK(unsupported(experiment->report, "MpiRequestTest") == 1);
    CHECK(experiment->trace->locations[0].events == 7);
    CHECK(experiment->definitions.attributes[0].name == "Parent GUID");
    CHECK(experiment->trace->locations[0].attributes.size() == 6);
    CHECK(experiment->trace->locations[1].attributes.size() == 2);
}

TEST_CASE("The parent of a task is its last call before, on any location")
{
    Archive archive(3);
    defineTasks(archive.builder);
    const auto work = archive.builder.region("work");
    const auto call = [=](OTF2_EvtWriter* out, std::uint64_t begin, std::uint64_t guid,
                          std::uint64_t parent) {
        OTF2_EvtWriter_Enter(out, List(guid, parent).list, begin, work);
        OTF2_EvtWriter_Leave(out, List(guid, parent).list, begin + 5, work);
    };
    archive.builder.events(0, [=](OTF2_EvtWriter* out) {
        call(out, 0, 1, 0);
        call(out, 20, 1, 0);
        call(out, 60, 1, 0);
    });
    archive.builder.events(1, [=](OTF2_EvtWriter* out) {
        call(out, 10, 2, 7);
        call(out, 30, 2, 1);
    });
    archive.builder.events(2, [=](OTF2_EvtWriter* out) {
        call(out, 30, 5, 1);
        call(out, 40, 7, 99);
        call(out, 50, 7, 2);
    });
    const ExperimentPtr experiment = archive.open();
    const auto parentOf = [&](std::size_t location, std::uint32_t interval, int threads) {
        return parentCall(*experiment, {LocationId(location), interval}, Task().withThreads(threads)).value();
    };
    for (const int threads : {1, 3}) {
        CHECK(parentOf(2, 0, threads) == CallOfTask{LocationId(0), 1});  // last before
        CHECK(parentOf(2, 2, threads) == CallOfTask{LocationId(1), 1});
        CHECK(parentOf(1, 0, threads) == CallOfTask{LocationId(2), 1});  // begins later: the first of all
        CHECK(!parentOf(2, 1, threads));                                 // nobody is number 99
        CHECK(!parentOf(0, 9, threads));
    }
    CHECK(namesParent(*experiment, {LocationId(2), 1}));
    CHECK_FALSE(namesParent(*experiment, {LocationId(7), 1}));
}

TEST_CASE("Leaves that name no open call are dropped where enters and leaves do not balance")
{
    Archive archive(1);
    const auto main = archive.builder.region("main"), other = archive.builder.region("other");
    archive.builder.events(0, [=](OTF2_EvtWriter* out) {
        OTF2_EvtWriter_Enter(out, nullptr, 0, main);
        OTF2_EvtWriter_Leave(out, nullptr, 10, other);
        OTF2_EvtWriter_Leave(out, nullptr, 20, main);
    });
    const ExperimentPtr experiment = archive.open();
    CHECK(callsOf(*experiment, 0) == "main 0-20; ");
    CHECK(experiment->report.count(IssueKind::LeaveWithoutEnter) == 1);
    CHECK(experiment->report.count(IssueKind::RenamedCall) == 0);
}

TEST_CASE("Leaves of other names end the innermost call where every enter has its leave, on any thread count")
{
    Archive archive(4);
    const auto main = archive.builder.region("main"), work = archive.builder.region("work"),
               other = archive.builder.region("other");
    for (std::uint32_t rank = 0; rank < 4; ++rank)
        archive.builder.events(rank, [=](OTF2_EvtWriter* out) {
            OTF2_EvtWriter_Enter(out, nullptr, 0, main);
            for (std::uint64_t call = 0; call < 300; ++call) {
                OTF2_EvtWriter_Enter(out, nullptr, 10 + call * 10, work);
                OTF2_EvtWriter_Leave(out, nullptr, 15 + call * 10, call % 3 == rank ? other : work);
            }
            OTF2_EvtWriter_Leave(out, nullptr, 9000, 4711);  // not even defined
        });
    const auto anchor = archive.builder.finish();
    for (const int threads : {1, 4}) {
        const auto opened = openExperiment(anchor, Task().withThreads(threads));
        REQUIRE(opened);
        const Trace& trace = *(*opened)->trace;
        CHECK(trace.maximumDepth() == 2);
        for (const LocationTrace& location : trace.locations) {
            CHECK(location.intervals.end[0] == 9000);
            CHECK(location.intervals.end[300] == 3005);
        }
        CHECK((*opened)->report.count(IssueKind::RenamedCall) == 300 + 4);
        CHECK((*opened)->report.count(IssueKind::UndefinedReference) == 4);
    }
}

TEST_CASE("Attributes of every type are shown as what they mean")
{
    Archive archive(1);
    const auto name = archive.builder.text("name"), word = archive.builder.text("a word");
    const auto main = archive.builder.region("main");
    const std::vector<OTF2_Type> types{
        OTF2_TYPE_UINT8,  OTF2_TYPE_INT8,   OTF2_TYPE_INT64,    OTF2_TYPE_FLOAT, OTF2_TYPE_DOUBLE,
        OTF2_TYPE_STRING, OTF2_TYPE_REGION, OTF2_TYPE_LOCATION, OTF2_TYPE_COMM,  OTF2_TYPE_GROUP};
    archive.builder.definitions([=](OTF2_GlobalDefWriter* out) {
        for (std::uint32_t at = 0; at < types.size(); ++at)
            OTF2_GlobalDefWriter_WriteAttribute(out, at, name, name, types[at]);
    });
    archive.builder.events(0, [=](OTF2_EvtWriter* out) {
        const List all, strange;
        OTF2_AttributeList_AddUint8(all.list, 0, 200);
        OTF2_AttributeList_AddInt8(all.list, 1, -3);
        OTF2_AttributeList_AddInt64(all.list, 2, -4'000'000'000);
        OTF2_AttributeList_AddFloat(all.list, 3, 0.5F);
        OTF2_AttributeList_AddDouble(all.list, 4, 1e300);
        OTF2_AttributeList_AddStringRef(all.list, 5, word);
        OTF2_AttributeList_AddRegionRef(all.list, 6, main);
        OTF2_AttributeList_AddLocationRef(all.list, 7, 0);
        OTF2_AttributeList_AddCommRef(all.list, 8, 0);
        OTF2_AttributeList_AddGroupRef(all.list, 9, 1);
        OTF2_EvtWriter_Enter(out, all.list, 0, main);
        OTF2_AttributeList_AddUint64(strange.list, 77, 1);       // not defined
        OTF2_AttributeList_AddDouble(strange.list, 0, 1.0);      // another type than defined
        OTF2_AttributeList_AddRegionRef(strange.list, 6, 4711);  // no such region
        OTF2_EvtWriter_Leave(out, strange.list, 10, main);
    });
    const ExperimentPtr experiment = archive.open();
    std::vector<std::string> values;
    for (const EventAttribute& row : experiment->trace->locations[0].attributes)
        values.push_back(valueText(experiment->definitions, row));
    CHECK(values
          == std::vector<std::string>{"200", "-3", "-4000000000", "0.5", "1e+300", "a word", "main", "Rank 0",
                                      "MPI_COMM_WORLD", "1", "undefined"});
    CHECK(experiment->report.count(IssueKind::UndefinedReference) == 2);
    CHECK(experiment->report.count(IssueKind::ContradictoryRecord) == 1);
}

TEST_CASE("HPX tasks recorded by APEX have the depth, the calls and the times that they had")
{
    SKEIN_SHARED_OR_SKIP(folder, "data/unlicensed-upstream/apex-hpx");
    std::ifstream stream(folder / "FACTS.json");
    const nlohmann::json facts = nlohmann::json::parse(stream);
    const auto opened = openExperiment(folder / "APEX.otf2", Task());
    REQUIRE(opened);
    const Experiment& experiment = **opened;
    CHECK(experiment.trace->maximumDepth() == facts["maximum_depth"].get<std::uint32_t>());
    std::map<std::string, std::uint64_t> calls, exclusive;
    std::uint64_t told = 0;
    for (const LocationTrace& location : experiment.trace->locations) {
        for (std::size_t call = 0; call < location.intervals.size(); ++call) {
            const CallPathId path(location.intervals.callPath[call]);
            const std::string& name = experiment.definitions.region(experiment.callTree->region(path)).name;
            ++calls[name];
            exclusive[name] += static_cast<std::uint64_t>(location.intervals.span(call).lengthNs());
        }
        for (const EventAttribute& row : location.attributes)
            told += row.event == AttributedEvent::EnterAndLeave ? 2 : 1;
    }
    CHECK(nlohmann::json(calls) == facts["calls"]);
    CHECK(nlohmann::json(exclusive) == facts["exclusive"]);
    CHECK(told == 32'248);
    CHECK(unsupported(experiment.report, "attributes of events") == 0);
    CHECK(experiment.report.count(IssueKind::RenamedCall) == 2399);
    CHECK(experiment.report.count(IssueKind::LeaveWithoutEnter) == 0);
    CHECK(experiment.report.count(IssueKind::EnterWithoutLeave) == 0);
}

}  // namespace skein::otf2_attributes_test
