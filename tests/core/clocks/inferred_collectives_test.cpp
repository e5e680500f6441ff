// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/inferred_collectives.h"

#include "tests/support/catch.h"
#include "tests/support/small_session.h"

namespace skein::inferred_collectives_test {

TEST_CASE("inferred collectives: an operation inside of another is part of it, whatever it is called")
{
    test::ExperimentBuilder builder("nested");
    for (const TimeNs late : {0, 3}) {
        builder.process("n",
                        {{0, 100, "main", 0},
                         {10 + late, 30, "MPI_Allreduce()", 1},
                         {12 + late, 28, "PMPI_Allreduce", 2},
                         {13 + late, 20, "MPI_Barrier()", 3},
                         {40 + late, 50, "PMPI_Barrier", 1},
                         {60 + late, 80, "MPI_Bcast()", 1},
                         {62 + late, 79, "MPI_Allreduce()", 2}});
    }
    const ExperimentPtr experiment = builder.finish();
    const auto found = inferCollectives(*experiment, Task());
    REQUIRE(found.size() == 2);
    CHECK(found[0].kind == CollectiveKind::AllReduce);
    CHECK(found[1].kind == CollectiveKind::Barrier);
    REQUIRE(found[0].calls.size() == 2);
    CHECK((found[0].calls[0].interval == 1 && found[0].calls[1].interval == 1));
    CHECK((found[1].calls[0].interval == 4 && found[1].calls[1].interval == 4));
}

TEST_CASE(
    "inferred collectives: calls that return before the others have come, or concern neighbours, are none")
{
    test::ExperimentBuilder builder("unfit");
    for (int rank = 0; rank < 2; ++rank)
        builder.process("n",
                        {{0, 100, "main", 0},
                         {10, 30, "MPI_Iallreduce()", 1},
                         {40, 50, "MPI_Neighbor_allgather()", 1},
                         {60, 80, "MPI_Reduce_scatter_block()", 1}});
    const auto found = inferCollectives(*builder.finish(), Task());
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == CollectiveKind::ReduceScatterBlock);
}

}  // namespace skein::inferred_collectives_test
