// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/region_traits.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <string_view>

namespace skein {
namespace {

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return result;
}

bool startsWithAny(std::string_view name, std::initializer_list<std::string_view> prefixes)
{
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](std::string_view prefix) { return name.starts_with(prefix); });
}

/// `name` is in lower case.
Paradigm paradigmByName(std::string_view name)
{
    if (startsWithAny(name, {"mpi_", "pmpi_", "mpi collective sync"})) return Paradigm::Mpi;
    if (startsWithAny(name, {"omp_", "!$omp", "openmp", "gomp_", "kmp_"})) return Paradigm::OpenMp;
    if (name.starts_with("pthread_")) return Paradigm::Pthread;
    if (startsWithAny(name, {"shmem_", "start_pes"})) return Paradigm::Shmem;
    if (startsWithAny(name, {"cuda", "culaunch", "cumem", "custream", "cuctx"})) return Paradigm::Cuda;
    if (startsWithAny(name, {"hip", "hsa_"}) && !name.starts_with("hippo")) return Paradigm::Hip;
    if (name.starts_with("kokkos::")) return Paradigm::Kokkos;
    return Paradigm::Unknown;
}

struct NamedRole {
    std::string_view prefix;
    RegionRole role;
};

/// Longer prefixes stand before those that they begin with. Names are those of MPI 4.0, without "mpi_" and
/// the "i" of the non-blocking forms.
constexpr NamedRole kMpiRoles[] = {
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
    {"probe", RegionRole::PointToPoint},
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

RegionRole mpiRole(std::string_view name)
{
    if (name.starts_with("mpi collective sync")) return RegionRole::CollectiveOther;
    name.remove_prefix(std::min(name.size(), name.find('_') + 1));
    if (name == "get" || name == "get()") return RegionRole::Rma;
    const auto find = [](std::string_view operation) {
        for (const NamedRole& entry : kMpiRoles)
            if (operation.starts_with(entry.prefix)) return entry.role;
        return RegionRole::Unknown;
    };
    const RegionRole role = find(name);
    if (role != RegionRole::Unknown || !name.starts_with('i')) return role;
    return find(name.substr(1));
}

RegionRole openMpRole(std::string_view name)
{
    const auto has = [&](std::string_view word) { return name.find(word) != std::string_view::npos; };
    if (has("implicit") && has("barrier")) return RegionRole::ImplicitBarrier;
    if (has("barrier")) return RegionRole::Barrier;
    if (has("taskwait")) return RegionRole::TaskWait;
    if (has("critical")) return RegionRole::Critical;
    if (has("single")) return RegionRole::Single;
    if (has("master")) return RegionRole::Master;
    if (has("atomic")) return RegionRole::Atomic;
    if (has("task")) return RegionRole::Task;
    if (has("parallel")) return RegionRole::Parallel;
    if (has("loop") || has("worksh")) return RegionRole::Workshare;
    return RegionRole::Unknown;
}

RegionRole pthreadRole(std::string_view name)
{
    if (name.starts_with("pthread_create")) return RegionRole::ThreadCreate;
    if (name.starts_with("pthread_join")) return RegionRole::ThreadWait;
    if (name.starts_with("pthread_barrier_wait")) return RegionRole::Barrier;
    return RegionRole::Unknown;
}

RegionRole roleByName(std::string_view name, Paradigm paradigm)
{
    switch (paradigm) {
    case Paradigm::Mpi: return mpiRole(name);
    case Paradigm::OpenMp: return openMpRole(name);
    case Paradigm::Pthread: return pthreadRole(name);
    default: return RegionRole::Unknown;
    }
}

/// TAU takes every name with "mpi" in it for MPI's, even where that stands in the path of a source file
/// ("o_mpi"). A position in the source shows that the compiler instrumented it: it is the user's.
bool isUsersCodeCalledMpi(const Region& region, std::string_view loweredName)
{
    return region.paradigm == Paradigm::Mpi && region.name.find(" [{") != std::string::npos
        && !loweredName.starts_with("mpi") && !loweredName.starts_with("pmpi");
}

}  // namespace

void deriveTraits(Region& region)
{
    const std::string name = lowered(region.name);
    if (isUsersCodeCalledMpi(region, name)) region.paradigm = Paradigm::Compiler;
    const bool vague = region.paradigm == Paradigm::Unknown || region.paradigm == Paradigm::User
        || region.paradigm == Paradigm::Compiler;
    if (vague)
        if (const Paradigm derived = paradigmByName(name); derived != Paradigm::Unknown)
            region.paradigm = derived;
    if (region.role != RegionRole::Unknown && region.role != RegionRole::Function) return;
    if (const RegionRole derived = roleByName(name, region.paradigm); derived != RegionRole::Unknown)
        region.role = derived;
}

}  // namespace skein
