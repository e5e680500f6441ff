// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/comm_phases.h"

#include "core/clocks/inferred_collectives.h"

#include <algorithm>
#include <limits>

namespace skein {
namespace {

constexpr std::uint64_t kMostCallsOfPhases = 50'000'000;

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

TimeNs lastArrival(const Trace& trace, const InferredCollective& operation)
{
    TimeNs last = std::numeric_limits<TimeNs>::min();
    for (const InferredCall& call : operation.calls)
        last = std::max(last, trace.locations[call.location.index()].intervals.span(call.interval).begin);
    return last;
}

std::vector<TimeNs> inferredCuts(const Experiment& experiment, const Task& task)
{
    std::vector<TimeNs> cuts;
    if (experiment.trace->intervalCount() > kMostCallsOfPhases) return cuts;
    for (const InferredCollective& operation : inferCollectives(experiment, task))
        if (operation.calls.size() > 1) cuts.push_back(lastArrival(*experiment.trace, operation));
    return cuts;
}

std::vector<TimeNs> recordedCuts(const Trace& trace)
{
    std::uint32_t most = 0;
    for (const CollectiveOperation& operation : trace.collectives)
        if (joinsAll(operation.kind)) most = std::max(most, operation.memberCount);
    std::vector<TimeNs> cuts;
    for (const CollectiveOperation& operation : trace.collectives)
        if (joinsAll(operation.kind) && operation.memberCount == most && most > 1)
            cuts.push_back(lastArrival(trace, operation));
    return cuts;
}

}  // namespace

Result<std::vector<TimeSpan>> commPhases(const Experiment& experiment, const std::optional<TimeSpan>& window,
                                         const Task& task)
{
    if (!experiment.trace) return std::vector<TimeSpan>{window.value_or(TimeSpan{0, 0})};
    const Trace& trace = *experiment.trace;
    // The last event of the run belongs to it.
    const TimeSpan all = window.value_or(TimeSpan{trace.extent.begin, trace.extent.end + 1});
    std::vector<TimeNs> cuts =
        trace.collectives.empty() ? inferredCuts(experiment, task) : recordedCuts(trace);
    if (task.stopRequested()) return cancelled();
    std::ranges::sort(cuts);
    std::vector<TimeSpan> phases;
    TimeNs begin = all.begin;
    for (const TimeNs cut : cuts) {
        if (cut <= begin || cut >= all.end) continue;
        phases.push_back({begin, cut});
        begin = cut;
    }
    phases.push_back({begin, all.end});
    return phases;
}

}  // namespace skein
