// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/mpi_names.h"

#include <algorithm>
#include <array>
#include <string>

namespace skein {
namespace {

struct CollectiveName {
    std::string_view name;
    CollectiveKind kind;
};

/// Names as mpiOperation() gives them.
constexpr std::array<CollectiveName, 17> kMpiCollectives{{
    {"allgather", CollectiveKind::AllGather},
    {"allgatherv", CollectiveKind::AllGatherV},
    {"allreduce", CollectiveKind::AllReduce},
    {"alltoall", CollectiveKind::AllToAll},
    {"alltoallv", CollectiveKind::AllToAllV},
    {"alltoallw", CollectiveKind::AllToAllW},
    {"barrier", CollectiveKind::Barrier},
    {"bcast", CollectiveKind::Broadcast},
    {"exscan", CollectiveKind::ExScan},
    {"gather", CollectiveKind::Gather},
    {"gatherv", CollectiveKind::GatherV},
    {"reduce", CollectiveKind::Reduce},
    {"reduce_scatter", CollectiveKind::ReduceScatter},
    {"reduce_scatter_block", CollectiveKind::ReduceScatterBlock},
    {"scan", CollectiveKind::Scan},
    {"scatter", CollectiveKind::Scatter},
    {"scatterv", CollectiveKind::ScatterV},
}};

struct RoleOfName {
    std::string_view prefix;
    RegionRole role;
};

/// Longer prefixes stand before those that they begin with. Names are those of MPI 4.0, as mpiOperation()
/// gives them, without the "i" of the non-blocking forms.
constexpr RoleOfName kMpiRoles[] = {
    {"allgather", RegionRole::CollectiveAllToAll},
    {"allreduce", RegionRole::CollectiveAllToAll},
    {"alltoall", RegionRole::CollectiveAllToAll},
    {"barrier", RegionRole::Barrier},
    {"bcast", RegionRole::CollectiveOneToAll},
    {"bsend", RegionRole::PointToPoint},
    {"exscan", RegionRole::CollectiveOther},
    {"file_", RegionRole::FileIo},
    {"gather", RegionRole::CollectiveAllToOne},
    {"get_accumulate", RegionRole::Rma},
    {"mrecv", RegionRole::PointToPoint},
    {"mprobe", RegionRole::PointToPoint},
    {"neighbor_", RegionRole::CollectiveOther},
    {"probe", RegionRole::PointToPoint},
    {"reduce_local", RegionRole::Unknown},
    {"reduce_scatter", RegionRole::CollectiveAllToAll},
    {"reduce", RegionRole::CollectiveAllToOne},
    {"recv", RegionRole::PointToPoint},
    {"rsend", RegionRole::PointToPoint},
    {"scan", RegionRole::CollectiveOther},
    {"scatter", RegionRole::CollectiveOneToAll},
    {"send", RegionRole::PointToPoint},
    {"ssend", RegionRole::PointToPoint},
    {"start", RegionRole::PointToPoint},
    {"test", RegionRole::PointToPoint},
    {"wait", RegionRole::PointToPoint},
    {"win_", RegionRole::Rma},
    {"put", RegionRole::Rma},
    {"rput", RegionRole::Rma},
    {"rget", RegionRole::Rma},
    {"accumulate", RegionRole::Rma},
    {"fetch_and_op", RegionRole::Rma},
    {"compare_and_swap", RegionRole::Rma},
};

/// "allreduce" of "MPI_Allreduce()", in lower case; empty where the name is none of MPI.
std::string mpiOperation(std::string_view region)
{
    std::string name(region.substr(0, region.find_first_of("( [")));
    std::ranges::transform(name, name.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    });
    if (name.starts_with('p')) name.erase(0, 1);
    constexpr std::string_view kMpi = "mpi_";
    if (!name.starts_with(kMpi)) return {};
    name.erase(0, kMpi.size());
    while (name.ends_with('_')) name.pop_back();
    constexpr std::string_view kLargeCounts = "_c";
    if (name.ends_with(kLargeCounts)) name.resize(name.size() - kLargeCounts.size());
    return name;
}

bool takeOff(std::string_view& name, std::string_view prefix)
{
    if (!name.starts_with(prefix)) return false;
    name.remove_prefix(prefix.size());
    return true;
}

}  // namespace

std::optional<MpiCollective> mpiCollective(std::string_view region)
{
    const std::string operation = mpiOperation(region);
    std::string_view name = operation;
    // None begins with an i of its own.
    const bool blocking = !takeOff(name, "i");
    const bool neighbours = takeOff(name, "neighbor_");
    const auto found = std::ranges::find(kMpiCollectives, name, &CollectiveName::name);
    if (found == kMpiCollectives.end()) return std::nullopt;
    return MpiCollective{found->kind, blocking, neighbours};
}

std::vector<std::optional<MpiCollective>> mpiCollectivesOf(const CallTree& callTree,
                                                           const Definitions& definitions)
{
    std::vector<std::optional<MpiCollective>> ofRegion;
    for (const Region& region : definitions.regions) ofRegion.push_back(mpiCollective(region.name));
    std::vector<std::optional<MpiCollective>> ofPath(callTree.size());
    for (std::uint32_t path = 0; path < ofPath.size(); ++path) {
        const RegionId region = callTree.region(CallPathId(path));
        if (region.index() < ofRegion.size()) ofPath[path] = ofRegion[region.index()];
    }
    return ofPath;
}

RegionRole mpiRole(std::string_view region)
{
    // TAU lets all processes of a collective operation meet in it.
    if (region.starts_with("MPI Collective Sync")) return RegionRole::Barrier;
    const std::string name = mpiOperation(region);
    if (name == "get") return RegionRole::Rma;
    const auto find = [](std::string_view operation) {
        for (const RoleOfName& entry : kMpiRoles)
            if (operation.starts_with(entry.prefix)) return entry.role;
        return RegionRole::Unknown;
    };
    const RegionRole role = find(name);
    if (role != RegionRole::Unknown || !name.starts_with('i')) return role;
    return find(std::string_view(name).substr(1));
}

}  // namespace skein
