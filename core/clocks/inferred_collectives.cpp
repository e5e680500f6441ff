// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/inferred_collectives.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>

namespace skein {
namespace {

/// Nobody leaves these before the last has entered.
constexpr std::array kSynchronizing{
    CollectiveKind::AllGather, CollectiveKind::AllGatherV,    CollectiveKind::AllReduce,
    CollectiveKind::AllToAll,  CollectiveKind::AllToAllV,     CollectiveKind::AllToAllW,
    CollectiveKind::Barrier,   CollectiveKind::ReduceScatter, CollectiveKind::ReduceScatterBlock,
};

bool synchronizes(const MpiCollective& collective)
{
    return collective.blocking && !collective.neighbours
        && std::ranges::find(kSynchronizing, collective.kind) != kSynchronizing.end();
}

using CallsByKind = std::array<std::vector<InferredCall>, kSynchronizing.size()>;

/// Of each kind, in the order of their entry.
CallsByKind callsOf(const Experiment& experiment, LocationId location,
                    std::span<const std::optional<MpiCollective>> ofPath)
{
    CallsByKind calls;
    const CallIntervals& intervals = experiment.trace->locations[location.index()].intervals;
    for (const std::uint32_t call : outermostCollectives(intervals, ofPath)) {
        const MpiCollective& collective = *ofPath[intervals.callPath[call]];
        if (!synchronizes(collective)) continue;
        const auto kind = std::ranges::find(kSynchronizing, collective.kind) - kSynchronizing.begin();
        calls[static_cast<std::size_t>(kind)].push_back({location, call});
    }
    return calls;
}

bool nobodyLeavesEarly(const Trace& trace, const std::vector<InferredCall>& calls)
{
    TimeNs lastEnter = std::numeric_limits<TimeNs>::min();
    TimeNs firstLeave = std::numeric_limits<TimeNs>::max();
    for (const InferredCall& call : calls) {
        const CallIntervals& intervals = trace.locations[call.location.index()].intervals;
        lastEnter = std::max(lastEnter, intervals.begin[call.interval]);
        firstLeave = std::min(firstLeave, intervals.end[call.interval]);
    }
    return lastEnter <= firstLeave;
}

/// One process's calls of one kind: those of its only location that has any; nullopt where several have.
std::optional<std::vector<InferredCall>> callsOfProcess(const std::vector<std::uint32_t>& locations,
                                                        const std::vector<CallsByKind>& calls,
                                                        std::size_t kind)
{
    const std::vector<InferredCall>* only = nullptr;
    for (const std::uint32_t location : locations) {
        if (calls[location][kind].empty()) continue;
        if (only) return std::nullopt;
        only = &calls[location][kind];
    }
    return only ? *only : std::vector<InferredCall>{};
}

/// The operations of one kind; empty where the processes called it differently often.
CollectiveCandidates candidatesOf(const Trace& trace,
                                  const std::map<std::int64_t, std::vector<std::uint32_t>>& processes,
                                  const std::vector<CallsByKind>& calls, std::size_t kind)
{
    CollectiveCandidates candidates;
    std::vector<InferredCollective>& operations = candidates.operations;
    bool first = true;
    for (const auto& [rank, locations] : processes) {
        const auto own = callsOfProcess(locations, calls, kind);
        if (!own || (!first && own->size() != operations.size())) return {};
        if (first) operations.resize(own->size(), {kSynchronizing[kind], {}});
        first = false;
        for (std::size_t k = 0; k < own->size(); ++k) operations[k].calls.push_back((*own)[k]);
    }
    candidates.overlap =
        std::all_of(operations.begin(), operations.end(), [&](const InferredCollective& operation) {
            return nobodyLeavesEarly(trace, operation.calls);
        });
    return candidates;
}

}  // namespace

std::vector<std::uint32_t> outermostCollectives(const CallIntervals& intervals,
                                                std::span<const std::optional<MpiCollective>> ofPath)
{
    std::vector<std::uint32_t> calls;
    for (std::uint32_t call = 0; call < intervals.size(); ++call) {
        const std::uint32_t path = intervals.callPath[call];
        if (path >= ofPath.size() || !ofPath[path]) continue;
        if (!calls.empty() && intervals.begin[call] < intervals.end[calls.back()]) continue;
        calls.push_back(call);
    }
    return calls;
}

std::vector<CollectiveCandidates> collectiveCandidates(const Experiment& experiment, const Task& task)
{
    const Trace& trace = *experiment.trace;
    if (!trace.collectives.empty()) return {};
    const auto ofPath = mpiCollectivesOf(*experiment.callTree, experiment.definitions);
    if (std::ranges::none_of(ofPath, [](const auto& of) { return of && synchronizes(*of); })) return {};
    std::map<std::int64_t, std::vector<std::uint32_t>> processes;
    for (std::uint32_t location = 0; location < trace.locations.size(); ++location)
        if (const auto rank = experiment.definitions.locations[location].rank; rank >= 0)
            processes[rank].push_back(location);
    if (processes.size() < 2) return {};
    std::vector<CallsByKind> calls(trace.locations.size());
    const auto collect = [&](std::size_t location) {
        calls[location] = callsOf(experiment, LocationId(location), ofPath);
    };
    if (!parallelFor(trace.locations.size(), task, collect)) return {};
    std::vector<CollectiveCandidates> all;
    for (std::size_t kind = 0; kind < kSynchronizing.size() && !task.stopRequested(); ++kind) {
        CollectiveCandidates candidates = candidatesOf(trace, processes, calls, kind);
        if (!candidates.operations.empty()) all.push_back(std::move(candidates));
    }
    return all;
}

std::vector<InferredCollective> inferCollectives(const Experiment& experiment, const Task& task)
{
    std::vector<InferredCollective> all;
    for (CollectiveCandidates& candidates : collectiveCandidates(experiment, task))
        if (candidates.overlap)
            all.insert(all.end(), std::make_move_iterator(candidates.operations.begin()),
                       std::make_move_iterator(candidates.operations.end()));
    return all;
}

}  // namespace skein
