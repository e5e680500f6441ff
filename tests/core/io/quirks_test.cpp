// SPDX-License-Identifier: GPL-3.0-or-later
// What real archives have that their formats' descriptions do not lead one to expect. Each is survived, told
// in the report where something is odd, and tested; here what the archives of the examples have, elsewhere
// what is named behind it.
//
// TAU's OTF2
//  1 location ids with gaps, partners that are ranks OTF2 archives written by TAU give the numbers …
//  (otf2/facts_test) 2 wrong numbers of events here
//  3  a clock span shorter than the trace                    here
//  4  events of an undefined region                          here
//  5  receives with the posted length                        here
//  6  collectives that are only regions                      here; known offsets of TAU traces …
//  (clock_offsets_test) 7  metrics that must not be taken for counters            here 8  .TAU application
//  around everything                     here
// TAU's own traces
//  9  exits without entries, ids that differ, blanks         here
// 10  packed messages                                        message parameters of TAU unpack …
// (tau_trace/bad_trace_test) TAU's profiles 11  names with blanks, commas and arrows                   names
// of a TAU profile may hold … (tau_profile/bad_profile_test) 12  functions missing on some ranks, in another
// order      here 13  a communication matrix and its breakdown               receives of a TAU profile make …
// (tau_profile/bad_profile_test) 14 thread numbers that differ from the program's a location is named by
// TAU's number (tau_profile/profile_facts_test) EZTrace's OTF2 15  no clock, huge ids, a copy of each region
// per rank     here 16  a group that is defined twice                          here 17  receives that never
// complete, crossing regions         here 17b clocks that differ by 25 ms                            here 18
// collective events                                      here
#include "core/clocks/clock_offsets.h"
#include "core/clocks/inferred_collectives.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace skein::quirks_test {

namespace {

Experiment example(const std::string& path)
{
    const auto opened = openExperiment(test::sourcePath("examples/" + path), Task());
    REQUIRE(opened);
    CHECK_FALSE((*opened)->report.lostData());
    return **opened;
}

std::uint64_t found(const Experiment& experiment, IssueKind kind) { return experiment.report.count(kind); }

std::set<std::string> regionNames(const Experiment& experiment)
{
    std::set<std::string> names;
    for (const Region& region : experiment.definitions.regions) names.insert(region.name);
    return names;
}

}  // namespace

TEST_CASE("quirks 1 to 3, 6 to 8: an OTF2 archive of TAU")
{
    const Experiment experiment = example("lulesh-8/trace-otf2");
    const Definitions& definitions = experiment.definitions;
    CHECK(definitions.locations[1].originalId == 2);
    CHECK(definitions.locations[7].rank == 7);
    CHECK(found(experiment, IssueKind::EventCount) == 8);
    CHECK(found(experiment, IssueKind::ClockLength) == 1);
    CHECK(experiment.trace->collectives.empty());
    CHECK_FALSE(inferCollectives(experiment, Task()).empty());
    for (const MetricStream& stream : experiment.trace->metricStreams)
        for (const MetricId metric : stream.metrics)
            CHECK(definitions.metric(metric).mode == MetricMode::AbsolutePoint);
    for (const LocationTrace& location : experiment.trace->locations) {
        const RegionId outermost = experiment.callTree->region(CallPathId(location.intervals.callPath[0]));
        CHECK(definitions.region(outermost).name == ".TAU application");
        CHECK(std::count(location.intervals.depth.begin(), location.intervals.depth.end(), 0) == 1);
    }
}

TEST_CASE("quirk 4: events of a region that is not defined")
{
    const Experiment experiment = example("workflow-12-4/sim/trace-otf2");
    CHECK(found(experiment, IssueKind::UndefinedReference) == 12);
    const std::set<std::string> names = regionNames(experiment);
    CHECK(std::any_of(names.begin(), names.end(),
                      [](const std::string& name) { return name.starts_with("undefined region "); }));
}

TEST_CASE("quirk 5: bytes of messages are those sent, not the posted length of receives")
{
    const Experiment experiment = example("heatflow-16x2/trace-otf2");
    std::uint64_t bytes = 0;
    for (const Message& message : experiment.trace->messages) bytes += message.bytes;
    CHECK(bytes == 22'118'400);
    CHECK(experiment.trace->unmatchedSendCount() == 0);
}

TEST_CASE("quirk 9: a TAU trace leaves its outermost region without having entered it")
{
    const Experiment experiment = example("lulesh-8/trace-tau");
    CHECK(found(experiment, IssueKind::UnrecordedEnter) == 8);
    const std::set<std::string> names = regionNames(experiment);
    CHECK(std::none_of(names.begin(), names.end(),
                       [](const std::string& name) { return name.ends_with(' '); }));
    CHECK(names.size() == experiment.definitions.regions.size());
}

TEST_CASE("quirk 12: functions that some ranks of a TAU profile never called")
{
    const Experiment experiment = example("lulesh-8/profile-callpath");
    const MetricCube& cube = experiment.profile->regions;
    std::set<std::uint64_t> rows;
    for (std::size_t location = 0; location < cube.locations(); ++location)
        rows.insert(cube.locationOffsets[location + 1] - cube.locationOffsets[location]);
    CHECK(rows.size() > 1);
    CHECK(*rows.rbegin() <= experiment.definitions.regions.size());
}

TEST_CASE("quirks 15 to 18: an OTF2 archive of EZTrace")
{
    const Experiment experiment = example("eztrace-lulesh-8/trace-otf2");
    const Definitions& definitions = experiment.definitions;
    const auto largest =
        std::max_element(definitions.locations.begin(), definitions.locations.end(),
                         [](const Location& a, const Location& b) { return a.originalId < b.originalId; });
    CHECK(largest->originalId > 268'435'455);
    CHECK(regionNames(experiment).size() < definitions.regions.size());
    CHECK(found(experiment, IssueKind::DuplicateDefinition) == 1);
    CHECK(found(experiment, IssueKind::EventCount) == 8);
    CHECK(found(experiment, IssueKind::LeaveOutOfOrder) == 7);
    CHECK(found(experiment, IssueKind::LeaveWithoutEnter) == 0);
    CHECK(found(experiment, IssueKind::UnmatchedReceive) == 1136);
    CHECK(experiment.trace->collectiveMembers.size() == 88);
    const ClockOffsets clocks = estimateClockOffsets(experiment, ClockModel::Constant, Task()).value();
    const std::vector<double> ahead{0.0,    23.9e6, 25.0e6, 20.9e6,
                                    24.0e6, 24.0e6, 21.5e6, 17.9e6};  // by the barrier's leaves
    REQUIRE(clocks.groups.size() == ahead.size());
    for (std::size_t rank = 1; rank < ahead.size(); ++rank)
        CHECK(std::fabs(clocks.groups[rank].offsetNs - ahead[rank]) < 1.1e6);
}

}  // namespace skein::quirks_test
