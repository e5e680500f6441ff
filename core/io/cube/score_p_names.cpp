// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/cube/score_p_names.h"

#include <algorithm>
#include <array>
#include <utility>

namespace skein::cube {
namespace {

template <typename Value, std::size_t Size>
std::optional<Value> lookUpWord(const std::array<std::pair<std::string_view, Value>, Size>& words,
                                std::string_view word)
{
    const auto found =
        std::find_if(words.begin(), words.end(), [&](const auto& entry) { return entry.first == word; });
    return found == words.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

LocationGroupKind groupKindOf(std::string_view type)
{
    if (type == "accelerator" || type == "accelerator context") return LocationGroupKind::Accelerator;
    return type.empty() || type == "process" ? LocationGroupKind::Process : LocationGroupKind::Unknown;
}

LocationKind locationKindOf(std::string_view type)
{
    if (type == "metric") return LocationKind::Metric;
    if (type.empty() || type == "thread" || type == "cpu thread") return LocationKind::CpuThread;
    const bool stream =
        type.find("stream") != std::string_view::npos || type == "gpu" || type == "accelerator";
    return stream ? LocationKind::AcceleratorStream : LocationKind::Unknown;
}

RegionRole roleOf(std::string_view role)
{
    using enum RegionRole;
    static constexpr std::array<std::pair<std::string_view, RegionRole>, 40> words{{
        {"function", Function},
        {"wrapper", Wrapper},
        {"loop", Loop},
        {"code", Code},
        {"parallel", Parallel},
        {"sections", Sections},
        {"section", Section},
        {"workshare", Workshare},
        {"single", Single},
        {"single sblock", Single},
        {"master", Master},
        {"masked", Master},
        {"critical", Critical},
        {"critical sblock", Critical},
        {"atomic", Atomic},
        {"barrier", Barrier},
        {"implicit barrier", ImplicitBarrier},
        {"flush", Flush},
        {"ordered", Ordered},
        {"ordered sblock", Ordered},
        {"task", Task},
        {"task untied", Task},
        {"task create", TaskCreate},
        {"taskwait", TaskWait},
        {"task wait", TaskWait},
        {"one2all", CollectiveOneToAll},
        {"all2one", CollectiveAllToOne},
        {"all2all", CollectiveAllToAll},
        {"other collective", CollectiveOther},
        {"file io", FileIo},
        {"file io metadata", FileIo},
        {"point2point", PointToPoint},
        {"rma", Rma},
        {"data transfer", DataTransfer},
        {"artificial", Artificial},
        {"thread create", ThreadCreate},
        {"thread wait", ThreadWait},
        {"allocate", Allocate},
        {"deallocate", Deallocate},
        {"reallocate", Reallocate},
    }};
    return lookUpWord(words, role).value_or(role.empty() || role == "unknown" ? Unknown : Other);
}

Paradigm paradigmOf(std::string_view paradigm)
{
    using enum Paradigm;
    static constexpr std::array<std::pair<std::string_view, Paradigm>, 24> words{{
        {"user", User},       {"compiler", Compiler}, {"mpi", Mpi},
        {"openmp", OpenMp},   {"omp", OpenMp},        {"openmp target", OpenMp},
        {"pthread", Pthread}, {"pthreads", Pthread},  {"shmem", Shmem},
        {"cuda", Cuda},       {"hip", Hip},           {"opencl", OpenCl},
        {"openacc", OpenAcc}, {"kokkos", Kokkos},     {"io", Io},
        {"posix io", Io},     {"posix", Io},          {"isoc", Io},
        {"iso c io", Io},     {"mpi-io", Io},         {"mpi io", Io},
        {"memory", Memory},   {"sampling", Sampling}, {"measurement", Measurement},
    }};
    return lookUpWord(words, paradigm).value_or(paradigm.empty() || paradigm == "unknown" ? Unknown : Other);
}

MetricKind metricKindOf(std::string_view name)
{
    if (name.starts_with("PAPI_")) return MetricKind::Papi;
    return name.starts_with("ru_") ? MetricKind::ResourceUsage : MetricKind::Other;
}

std::optional<double> nanosecondsIn(std::string_view unit)
{
    static constexpr std::array<std::pair<std::string_view, double>, 11> words{{
        {"sec", 1e9},
        {"s", 1e9},
        {"seconds", 1e9},
        {"msec", 1e6},
        {"ms", 1e6},
        {"usec", 1e3},
        {"us", 1e3},
        {"µs", 1e3},
        {"nsec", 1.0},
        {"ns", 1.0},
        {"nanoseconds", 1.0},
    }};
    return lookUpWord(words, unit);
}

}  // namespace skein::cube
