// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/events.h"

#include "core/base/enum_name.h"

#include <array>

namespace skein {

std::string_view name(AttributedEvent event)
{
    static constexpr std::array<std::string_view, 4> names{"enter", "enter and leave", "leave", "other"};
    return nameAt(names, event);
}

std::string_view name(CollectiveKind kind)
{
    static constexpr std::array<std::string_view, 20> names{
        "barrier",   "broadcast", "gather",        "gatherv",        "scatter",
        "scatterv",  "allgather", "allgatherv",    "alltoall",       "alltoallv",
        "alltoallw", "allreduce", "reduce",        "reduce_scatter", "reduce_scatter_block",
        "scan",      "exscan",    "create handle", "destroy handle", "other"};
    return nameAt(names, kind);
}

std::string_view name(IoKind kind)
{
    static constexpr std::array<std::string_view, 10> names{"open", "close",  "read", "write",     "seek",
                                                            "sync", "delete", "lock", "duplicate", "other"};
    return nameAt(names, kind);
}

std::string_view name(RmaKind kind)
{
    static constexpr std::array<std::string_view, 9> names{"put",  "get",    "atomic", "flush", "sync",
                                                           "lock", "unlock", "wait",   "other"};
    return nameAt(names, kind);
}

std::string_view name(ThreadEventKind kind)
{
    static constexpr std::array<std::string_view, 13> names{
        "fork",   "join",  "team begin", "team end", "task create",  "task switch", "task complete",
        "create", "begin", "wait",       "end",      "lock acquire", "lock release"};
    return nameAt(names, kind);
}

}  // namespace skein
