// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_phases.h"

#include <algorithm>
#include <limits>

namespace skein {
namespace {

/// Nobody leaves such an operation before everybody has come.
bool joinsAll(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::Barrier:
    case CollectiveKind::AllGather:
    case CollectiveKind::AllGatherV:
    case CollectiveKind::AllToAll:
    case CollectiveKind::AllToAllV:
    case CollectiveKind::AllToAllW:
    case CollectiveKind::AllReduce: return true;
    default: return false;
    }
}

TimeNs lastArrival(const Trace& trace, const CollectiveOperation& operation)
{
    TimeNs last = operation.begin;
    for (std::uint64_t i = 0; i < operation.memberCount; ++i)
        last = std::max(last, trace.collectiveMembers[operation.firstMember + i].begin);
    return last;
}

std::vector<TimeNs> cutsOf(const Trace& trace)
{
    std::uint32_t most = 0;
    for (const CollectiveOperation& operation : trace.collectives)
        if (joinsAll(operation.kind)) most = std::max(most, operation.memberCount);
    std::vector<TimeNs> cuts;
    for (const CollectiveOperation& operation : trace.collectives)
        if (joinsAll(operation.kind) && operation.memberCount == most && most > 1)
            cuts.push_back(lastArrival(trace, operation));
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    return cuts;
}

}  // namespace

std::vector<TimeSpan> commPhases(const Experiment& experiment, const std::optional<TimeSpan>& window)
{
    if (!experiment.trace) return {window.value_or(TimeSpan{0, 0})};
    // The last event of the run belongs to it.
    const TimeSpan all =
        window.value_or(TimeSpan{experiment.trace->extent.begin, experiment.trace->extent.end + 1});
    std::vector<TimeSpan> phases;
    TimeNs begin = all.begin;
    for (const TimeNs cut : cutsOf(*experiment.trace)) {
        if (cut <= begin || cut >= all.end) continue;
        phases.push_back({begin, cut});
        begin = cut;
    }
    phases.push_back({begin, all.end});
    return phases;
}

}  // namespace skein
