// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/inferred_collectives.h"

#include "core/base/parallel_for.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace skein {
namespace {

struct KnownName {
    std::string_view name;
    CollectiveKind kind;
};

constexpr std::array<KnownName, 8> kSynchronizing{{
    {"MPI_Allgather", CollectiveKind::AllGather},
    {"MPI_Allgatherv", CollectiveKind::AllGatherV},
    {"MPI_Allreduce", CollectiveKind::AllReduce},
    {"MPI_Alltoall", CollectiveKind::AllToAll},
    {"MPI_Alltoallv", CollectiveKind::AllToAllV},
    {"MPI_Alltoallw", CollectiveKind::AllToAllW},
    {"MPI_Barrier", CollectiveKind::Barrier},
    {"MPI_Reduce_scatter", CollectiveKind::ReduceScatter},
}};
constexpr std::uint8_t kNotOne = kSynchronizing.size();

std::uint8_t knownName(const Region& region)
{
    std::string_view name = region.name;
    name = name.substr(0, name.find_first_of("( ["));
    const auto found = std::find_if(kSynchronizing.begin(), kSynchronizing.end(),
                                    [&](const KnownName& known) { return known.name == name; });
    return static_cast<std::uint8_t>(found - kSynchronizing.begin());
}

using CallsByName = std::array<std::vector<InferredCall>, kSynchronizing.size()>;

/// The outermost calls of each known name on one location, in the order of their entry.
CallsByName callsOf(const Experiment& experiment, LocationId location,
                    const std::vector<std::uint8_t>& nameOfRegion)
{
    CallsByName calls;
    const CallIntervals& intervals = experiment.trace->locations[location.index()].intervals;
    for (std::uint32_t i = 0; i < intervals.size(); ++i) {
        const RegionId region = experiment.callTree->region(CallPathId(intervals.callPath[i]));
        if (region.index() >= nameOfRegion.size() || nameOfRegion[region.index()] == kNotOne) continue;
        auto& known = calls[nameOfRegion[region.index()]];
        // A library that calls itself (PMPI below MPI) is one operation.
        if (!known.empty() && intervals.begin[i] < intervals.end[known.back().interval]) continue;
        known.push_back({location, i});
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

/// One process's calls of one name: those of its only location that has any; nullopt where several have.
std::optional<std::vector<InferredCall>> callsOfProcess(const std::vector<std::uint32_t>& locations,
                                                        const std::vector<CallsByName>& calls,
                                                        std::size_t known)
{
    const std::vector<InferredCall>* only = nullptr;
    for (const std::uint32_t location : locations) {
        if (calls[location][known].empty()) continue;
        if (only) return std::nullopt;
        only = &calls[location][known];
    }
    return only ? *only : std::vector<InferredCall>{};
}

/// The operations of one name; empty where the processes called it differently often.
CollectiveCandidates candidatesOf(const Trace& trace,
                                  const std::map<std::int64_t, std::vector<std::uint32_t>>& processes,
                                  const std::vector<CallsByName>& calls, std::size_t known)
{
    CollectiveCandidates candidates;
    std::vector<InferredCollective>& operations = candidates.operations;
    bool first = true;
    for (const auto& [rank, locations] : processes) {
        const auto own = callsOfProcess(locations, calls, known);
        if (!own || (!first && own->size() != operations.size())) return {};
        if (first) operations.resize(own->size(), {kSynchronizing[known].kind, {}});
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

std::vector<CollectiveCandidates> collectiveCandidates(const Experiment& experiment, const Task& task)
{
    const Trace& trace = *experiment.trace;
    if (!trace.collectives.empty()) return {};
    std::vector<std::uint8_t> nameOfRegion;
    for (const Region& region : experiment.definitions.regions) nameOfRegion.push_back(knownName(region));
    const auto known = [](std::uint8_t name) { return name != kNotOne; };
    if (std::none_of(nameOfRegion.begin(), nameOfRegion.end(), known)) return {};
    std::map<std::int64_t, std::vector<std::uint32_t>> processes;
    for (std::uint32_t location = 0; location < trace.locations.size(); ++location)
        if (const auto rank = experiment.definitions.locations[location].rank; rank >= 0)
            processes[rank].push_back(location);
    if (processes.size() < 2) return {};
    std::vector<CallsByName> calls(trace.locations.size());
    const auto collect = [&](std::size_t location) {
        calls[location] = callsOf(experiment, LocationId(location), nameOfRegion);
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
