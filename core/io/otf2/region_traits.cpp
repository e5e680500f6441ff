// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/otf2/region_traits.h"

#include "core/trace/mpi_names.h"

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

/// `name` is in lower case.
RegionRole roleByName(const Region& region, std::string_view name)
{
    switch (region.paradigm) {
    case Paradigm::Mpi: return mpiRole(region.name);
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
    if (const RegionRole derived = roleByName(region, name); derived != RegionRole::Unknown)
        region.role = derived;
}

}  // namespace skein
