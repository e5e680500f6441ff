// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/definitions/enums.h"

#include "core/base/enum_name.h"

#include <array>

namespace skein {

std::string_view name(LocationGroupKind kind)
{
    static constexpr std::array<std::string_view, 3> names{"unknown", "process", "accelerator"};
    return nameAt(names, kind);
}

std::string_view name(LocationKind kind)
{
    static constexpr std::array<std::string_view, 4> names{"unknown", "CPU thread", "accelerator stream",
                                                           "metric"};
    return nameAt(names, kind);
}

std::string_view name(MetricAggregation aggregation)
{
    static constexpr std::array<std::string_view, 3> names{"sum", "minimum", "maximum"};
    return nameAt(names, aggregation);
}

std::string_view name(MetricKind kind)
{
    static constexpr std::array<std::string_view, 4> names{"other", "PAPI", "resource usage", "user"};
    return nameAt(names, kind);
}

std::string_view name(MetricValueType type)
{
    static constexpr std::array<std::string_view, 3> names{"int64", "uint64", "double"};
    return nameAt(names, type);
}

std::string_view name(MetricMode mode)
{
    static constexpr std::array<std::string_view, 10> names{
        "accumulated start", "accumulated point", "accumulated last", "accumulated next", "absolute point",
        "absolute last",     "absolute next",     "relative point",   "relative last",    "relative next"};
    return nameAt(names, mode);
}

std::string_view name(MetricOccurrence occurrence)
{
    static constexpr std::array<std::string_view, 3> names{"at every enter and leave", "at some events",
                                                           "at any time"};
    return nameAt(names, occurrence);
}

std::string_view name(Paradigm paradigm)
{
    static constexpr std::array<std::string_view, 17> names{
        "unknown", "user",    "compiler", "MPI", "OpenMP", "Pthread",  "SHMEM",       "CUDA", "HIP",
        "OpenCL",  "OpenACC", "Kokkos",   "I/O", "memory", "sampling", "measurement", "other"};
    return nameAt(names, paradigm);
}

std::string_view name(RegionRole role)
{
    static constexpr std::array<std::string_view, 35> names{"unknown",
                                                            "function",
                                                            "wrapper",
                                                            "loop",
                                                            "code",
                                                            "parallel",
                                                            "sections",
                                                            "section",
                                                            "workshare",
                                                            "single",
                                                            "master",
                                                            "critical",
                                                            "atomic",
                                                            "barrier",
                                                            "implicit barrier",
                                                            "flush",
                                                            "ordered",
                                                            "task",
                                                            "task create",
                                                            "task wait",
                                                            "collective one to all",
                                                            "collective all to one",
                                                            "collective all to all",
                                                            "collective other",
                                                            "file I/O",
                                                            "point to point",
                                                            "RMA",
                                                            "data transfer",
                                                            "artificial",
                                                            "thread create",
                                                            "thread wait",
                                                            "allocate",
                                                            "deallocate",
                                                            "reallocate",
                                                            "other"};
    return nameAt(names, role);
}

}  // namespace skein
