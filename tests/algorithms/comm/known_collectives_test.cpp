// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/known_collectives.h"

#include "algorithms/comm/collective_expansion.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"
#include "tests/support/small_session.h"

#include <algorithm>
#include <memory>

namespace skein::known_collectives_test {
namespace {

ExperimentPtr traceOf(const char* example)
{
    return openExperiment(test::sourcePath(example), Task()).value();
}

/// The experiment with one sample of the sizes of allreduces changed.
Experiment withSize(const Experiment& experiment, std::uint64_t bytes)
{
    Experiment changed = experiment;
    auto trace = std::make_shared<Trace>(*experiment.trace);
    for (MetricStream& stream : trace->metricStreams) {
        if (experiment.definitions.metric(stream.metrics[0]).name != "Message size for all-reduce") continue;
        std::vector<std::uint64_t> values(stream.values.begin(), stream.values.end());
        values[0] = bytes;
        stream.values = Column<std::uint64_t>(std::move(values));
        break;
    }
    changed.trace = std::move(trace);
    return changed;
}

}  // namespace

TEST_CASE("known collectives: what TAU has only as regions is expanded with the sizes that it sampled")
{
    const ExperimentPtr experiment = traceOf("examples/heatflow-16x2/trace-otf2");
    REQUIRE(experiment->trace->collectives.empty());
    CHECK(collectivesAreRegions(*experiment));
    const auto known = knownCollectives(*experiment, Task()).value();
    CHECK(known.fromRegions());
    CHECK(known.leftCalls() == 0);
    // 75 allreduces and 7 barriers, as FACTS.json counts them by the profile of the same run.
    const auto of = [&](CollectiveKind kind) {
        return std::ranges::count(known.operations(), kind, &CollectiveOperation::kind);
    };
    CHECK(of(CollectiveKind::AllReduce) == 75);
    CHECK(of(CollectiveKind::Barrier) == 7);
    CHECK(std::ranges::is_sorted(known.operations(), {}, &CollectiveOperation::begin));
    for (const CollectiveOperation& operation : known.operations()) {
        const std::uint64_t bytes = operation.kind == CollectiveKind::Barrier ? 0 : 8;
        REQUIRE(known.membersOf(operation).size() == 16);
        for (const CollectiveMember& member : known.membersOf(operation))
            CHECK((member.bytesSent == bytes && member.bytesReceived == bytes));
    }
    // Recursive doubling and dissemination among 16: four rounds, in each of which everybody sends once.
    const auto matrix = expandCollectives(*experiment, {}, CollectiveAlgorithm::Default, Task()).value();
    CHECK(matrix.totalMessages() == (75 + 7) * 4 * 16);
    CHECK(matrix.totalBytes() == 75 * 4 * 16 * 8);
    CHECK(tellExpansion(known, {}, "default")
          == "82 expanded: as MPICH chooses by default, taken from regions as over all ranks");
    const TimeSpan first{0, known.operations()[2].begin};
    CHECK(expandCollectives(*experiment, known, first, CollectiveAlgorithm::Default, Task())->totalMessages()
          == 2 * 4 * 16);
}

TEST_CASE("known collectives: calls of which nothing tells who, from where or how large are left and counted")
{
    const ExperimentPtr lulesh = traceOf("examples/lulesh-8/trace-otf2");
    const auto known = knownCollectives(*lulesh, Task()).value();
    // The reduce has a root that no record names.
    CHECK(std::ranges::count(known.operations(), CollectiveKind::Reduce, &CollectiveOperation::kind) == 0);
    CHECK(known.leftCalls() >= 8);
    CHECK(tellExpansion(known, {}, "ring").find("calls in all are left out") != std::string::npos);
}

TEST_CASE(
    "known collectives: non-blocking ones, those of neighbours and of blocks are counted, nested ones once")
{
    test::ExperimentBuilder builder("counted");
    for (int rank = 0; rank < 2; ++rank)
        builder.process("n",
                        {{0, 100, "main", 0},
                         {10, 20, "MPI_Iallreduce()", 1},
                         {12, 18, "PMPI_Iallreduce()", 2},
                         {30, 40, "MPI_Ineighbor_alltoall()", 1},
                         {50, 60, "MPI_Reduce_scatter_block()", 1},
                         {51, 59, "MPI_Reduce()", 2},
                         {65, 66, "MPI_Reduce_local()", 1},
                         {70, 80, "MPI_Barrier()", 1},
                         {71, 79, "PMPI_Barrier()", 2}});
    const ExperimentPtr experiment = builder.finish();
    CHECK(collectivesAreRegions(*experiment));
    const auto known = knownCollectives(*experiment, Task()).value();
    REQUIRE(known.operations().size() == 1);
    CHECK(known.operations()[0].kind == CollectiveKind::Barrier);
    CHECK(known.leftCalls() == 3 * 2);
    CHECK(tellExpansion(known, {}, "ring")
          == "1 expanded: ring, taken from regions as over all ranks; 6 calls in all are left out: nothing "
             "tells "
             "their members, root or size");
}

TEST_CASE("known collectives: members that tell different sizes were not in one operation")
{
    const ExperimentPtr experiment = traceOf("examples/heatflow-16x2/trace-otf2");
    const auto other = knownCollectives(withSize(*experiment, 4096), Task());
    REQUIRE(other);
    CHECK(other->operations().size() == 81);
    CHECK(other->leftCalls() == 16);
}

TEST_CASE("known collectives: those that a trace has recorded are these, and without a trace there are none")
{
    const ExperimentPtr experiment = traceOf("examples/eztrace-lulesh-8/trace-otf2");
    const auto known = knownCollectives(*experiment, Task()).value();
    CHECK_FALSE(known.fromRegions());
    REQUIRE(known.operations().size() == experiment->trace->collectives.size());
    CHECK(known.operations().data() == experiment->trace->collectives.data());
    CHECK(knownCollectives(Experiment(), Task()).error().code == ErrorCode::NotRecorded);
}

}  // namespace skein::known_collectives_test
