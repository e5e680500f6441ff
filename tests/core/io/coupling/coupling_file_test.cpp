// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/coupling/coupling_file.h"

#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <fstream>

namespace skein::coupling_file_test {

namespace {

Session workflow()
{
    Session session;
    for (const char* component : {"ana", "sim"})
        session.experiments.push_back(
            openExperiment(
                test::sourcePath(std::string("examples/workflow-12-4/") + component + "/trace-otf2"), Task())
                .value());
    return session;
}

/// The call of a region that holds the time, on a location.
bool insideCallOf(const Experiment& experiment, LocationId location, TimeNs time, const std::string& region)
{
    const CallIntervals& calls = experiment.trace->locations[location.index()].intervals;
    for (std::size_t call = 0; call < calls.size(); ++call) {
        const Region& found =
            experiment.definitions.region(experiment.callTree->region(CallPathId(calls.callPath[call])));
        // Clock ticks are microseconds, and the program took its times inside of the call.
        if (displayName(found).starts_with(region) && calls.begin[call] <= time + 50'000
            && time <= calls.end[call] + 50'000)
            return true;
    }
    return false;
}

const char* const kHeader =
    "side,output_index,sim_rank,analysis_rank,t_begin_us,t_available_us,t_end_us,bytes\n";

std::filesystem::path write(const test::TemporaryFolder& folder, const std::string& text)
{
    const auto path = folder.path() / "coupling.csv";
    std::ofstream(path) << text;
    return path;
}

}  // namespace

TEST_CASE("the hand-overs of a workflow lie in the calls that made them")
{
    const Session session = workflow();
    const auto file = findCouplingFile(session);
    REQUIRE(file);
    const CouplingTable table = readCoupling(*file, Task()).value();
    CHECK(table.puts.size() == 144);
    CHECK(table.gets.size() == 144);
    CHECK(table.report.empty());
    const PlacedHandOvers placed = placeCoupling(session, table).value();
    REQUIRE(placed.handOvers.size() == 144);
    CHECK(placed.unread + placed.unwritten + placed.misplaced == 0);
    for (const HandOver& handOver : placed.handOvers) {
        CHECK(handOver.producer == 1);
        CHECK(handOver.consumer == 0);
        const Experiment& sim = *session.experiments[1];
        const Experiment& ana = *session.experiments[0];
        CHECK(sim.definitions.location(handOver.from).rank == handOver.part);
        CHECK(ana.definitions.location(handOver.to).rank == handOver.part % 4);
        CHECK(insideCallOf(sim, handOver.from, handOver.written.begin, "stage_output"));
        CHECK(insideCallOf(ana, handOver.to, handOver.waited.begin, "wait_for_file"));
        CHECK(insideCallOf(ana, handOver.to, handOver.readEnd, "read_block"));
    }
}

TEST_CASE("lines that are no hand-overs are told with their numbers, the others are read")
{
    const test::TemporaryFolder folder;
    const auto path = write(folder,
                            std::string(kHeader)
                                + "put,0,3,,100,,200,64\nnonsense\nget,0,3,1,90,210,220,64\nput,1,3,,x,,200,"
                                  "64\nget,1,3,1,5,6,4,64\nput,2,");
    CHECK(isCouplingFile(path));
    const CouplingTable table = readCoupling(path, Task()).value();
    REQUIRE(table.puts.size() == 1);
    REQUIRE(table.gets.size() == 1);
    CHECK(table.gets[0].availableNs == 210'000);
    CHECK(table.gets[0].readerRank == 1);
    CHECK(table.report.count(IssueKind::CorruptRecord) == 3);
    CHECK(table.report.count(IssueKind::Truncated) == 1);
    CHECK_FALSE(isCouplingFile(test::sourcePath("README.md")));
    CHECK_FALSE(readCoupling(test::sourcePath("README.md"), Task()));
}

TEST_CASE("hand-overs of other runs are not believed")
{
    const test::TemporaryFolder folder;
    const auto path = write(folder, std::string(kHeader) + "put,0,3,,100,,200,64\nget,0,3,1,90,210,220,64\n");
    const CouplingTable table = readCoupling(path, Task()).value();
    CHECK_FALSE(placeCoupling(workflow(), table));
    Session one = workflow();
    one.experiments.pop_back();
    CHECK_FALSE(findCouplingFile(one));
    CHECK_FALSE(placeCoupling(one, table));
}

}  // namespace skein::coupling_file_test
