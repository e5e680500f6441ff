// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/mpi_names.h"

#include "tests/support/catch.h"

namespace skein::mpi_names_test {

TEST_CASE("names of MPI: a collective is known by whoever's name it has")
{
    const MpiCollective allreduce{CollectiveKind::AllReduce, true, false};
    for (const char* name : {"MPI_Allreduce", "MPI_Allreduce()", "PMPI_Allreduce", "mpi_allreduce_",
                             "MPI_ALLREDUCE__", "MPI_Allreduce_c", "MPI_Allreduce [{/a.c} {3,1}]"}) {
        INFO(name);
        CHECK(mpiCollective(name) == allreduce);
    }
    CHECK(mpiCollective("MPI_Iallreduce()") == MpiCollective{CollectiveKind::AllReduce, false, false});
    CHECK(mpiCollective("MPI_Ibarrier") == MpiCollective{CollectiveKind::Barrier, false, false});
    CHECK(mpiCollective("MPI_Neighbor_alltoallw()") == MpiCollective{CollectiveKind::AllToAllW, true, true});
    CHECK(mpiCollective("MPI_Ineighbor_allgather") == MpiCollective{CollectiveKind::AllGather, false, true});
    CHECK(mpiCollective("MPI_Reduce_scatter_block()")->kind == CollectiveKind::ReduceScatterBlock);
    CHECK(mpiCollective("MPI_Reduce_scatter")->kind == CollectiveKind::ReduceScatter);
    CHECK(mpiCollective("MPI_Igatherv")->kind == CollectiveKind::GatherV);
}

TEST_CASE("names of MPI: what only begins like a collective is none")
{
    for (const char* name :
         {"MPI_Reduce_local", "MPI_Allreduce_init", "MPI_Barrier_init()", "MPI_Scatterer", "MPI_Isend",
          "MPI_", "Allreduce", "my_mpi_allreduce", "", "MPI Collective Sync", "MPI_Ireduce_scatter_blocks"}) {
        INFO(name);
        CHECK_FALSE(mpiCollective(name).has_value());
    }
}

TEST_CASE("names of MPI: roles are the same for the names of all measurements")
{
    const std::pair<const char*, RegionRole> roles[] = {
        {"MPI_Iallreduce()", RegionRole::CollectiveAllToAll},
        {"MPI_Ibarrier", RegionRole::Barrier},
        {"MPI Collective Sync", RegionRole::Barrier},
        {"PMPI_Reduce", RegionRole::CollectiveAllToOne},
        {"MPI_Reduce_local", RegionRole::Unknown},
        {"MPI_Neighbor_alltoall", RegionRole::CollectiveOther},
        {"MPI_Ineighbor_alltoall", RegionRole::CollectiveOther},
        {"mpi_isend_", RegionRole::PointToPoint},
        {"MPI_Get()", RegionRole::Rma},
        {"MPI_Get_count", RegionRole::Unknown},
        {"MPI_Init()", RegionRole::Unknown},
        {"MPI_Irecv", RegionRole::PointToPoint},
        {"MPI_File_iwrite", RegionRole::FileIo},
        {"foo_send", RegionRole::Unknown},
    };
    for (const auto& [name, role] : roles) {
        INFO(name);
        CHECK(mpiRole(name) == role);
    }
}

}  // namespace skein::mpi_names_test
