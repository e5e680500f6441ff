// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/collective_table.h"

#include "core/clocks/inferred_collectives.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::uint64_t kMostCalls = 50'000'000;

/// Begin and end of the operation, from those of its members.
CollectiveOperation spanOf(const std::vector<CollectiveMember>& members, CollectiveKind kind)
{
    CollectiveOperation operation;
    operation.kind = kind;
    operation.memberCount = static_cast<std::uint32_t>(members.size());
    operation.begin = members.front().begin;
    operation.end = members.front().end;
    for (const CollectiveMember& member : members) {
        operation.begin = std::min(operation.begin, member.begin);
        operation.end = std::max(operation.end, member.end);
    }
    return operation;
}

std::vector<CollectiveMember> membersOfCalls(const Trace& trace, const InferredCollective& inferred)
{
    std::vector<CollectiveMember> members;
    for (const InferredCall& call : inferred.calls) {
        const TimeSpan span = trace.locations[call.location.index()].intervals.span(call.interval);
        members.push_back({span.begin, span.end, 0, 0, call.location, call.interval});
    }
    return members;
}

}  // namespace

Result<CollectiveTablePtr> inferredCollectiveTable(const Experiment& experiment, const Task& task)
{
    if (!experiment.trace || !experiment.trace->collectives.empty()
        || experiment.trace->intervalCount() > kMostCalls)
        return CollectiveTablePtr();
    const Trace& trace = *experiment.trace;
    std::vector<InferredCollective> found = inferCollectives(experiment, task);
    if (task.stopRequested()) return cancelled();
    std::erase_if(found, [](const InferredCollective& inferred) { return inferred.calls.empty(); });
    if (found.empty()) return CollectiveTablePtr();
    std::vector<std::pair<CollectiveOperation, std::vector<CollectiveMember>>> sorted;
    for (const InferredCollective& inferred : found) {
        auto members = membersOfCalls(trace, inferred);
        const CollectiveOperation operation = spanOf(members, inferred.kind);
        sorted.emplace_back(operation, std::move(members));
    }
    std::stable_sort(sorted.begin(), sorted.end(),
                     [](const auto& a, const auto& b) { return a.first.begin < b.first.begin; });
    std::vector<CollectiveOperation> operations;
    std::vector<CollectiveMember> members;
    for (auto& [operation, own] : sorted) {
        operation.firstMember = members.size();
        operations.push_back(operation);
        members.insert(members.end(), own.begin(), own.end());
    }
    return std::make_shared<const CollectiveTable>(CollectiveTable{
        Column<CollectiveOperation>(std::move(operations)), Column<CollectiveMember>(std::move(members))});
}

}  // namespace skein
