// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/definitions/definitions.h"
#include "core/profile/call_tree.h"
#include "core/trace/events.h"

#include <optional>
#include <string_view>
#include <vector>

/// What names of regions tell of MPI, whoever gives them: "MPI_Iallreduce()" of TAU, "PMPI_Allreduce",
/// "mpi_allreduce_" of Fortran, "MPI_Allreduce_c" for large counts, with or without a position in the source.
namespace skein {

/// A collective operation of which only the name is known.
struct MpiCollective {
    CollectiveKind kind = CollectiveKind::Other;
    bool blocking = true;     ///< false: it goes on behind the call, as MPI_Iallreduce does
    bool neighbours = false;  ///< only of processes that are neighbours, as MPI_Neighbor_allgather
    bool operator==(const MpiCollective&) const = default;
};

/// nullopt for all that is no operation: also for MPI_Allreduce_init, which starts none, and for
/// MPI_Reduce_local. O(name).
std::optional<MpiCollective> mpiCollective(std::string_view region);

/// The same of the region of each call path. O(call paths + regions · names).
std::vector<std::optional<MpiCollective>> mpiCollectivesOf(const CallTree& callTree,
                                                           const Definitions& definitions);

/// What a function of MPI is for; Unknown for the names of others and for what has no role of its own.
RegionRole mpiRole(std::string_view region);

}  // namespace skein
