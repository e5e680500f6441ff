// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/communication_time.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

namespace skein {
namespace {

/// Of every process the thread with the smallest number that recorded calls.
std::vector<LocationId> callersOfMpi(const Experiment& experiment, const std::vector<char>& locations)
{
    std::map<std::uint32_t, LocationId> ofGroup;
    const Definitions& definitions = experiment.definitions;
    for (std::size_t i = 0; i < experiment.trace->locations.size(); ++i) {
        const LocationId id(i);
        if (!locations.empty() && (i >= locations.size() || !locations[i])) continue;
        const Location& location = definitions.location(id);
        const bool computes =
            location.kind == LocationKind::CpuThread || location.kind == LocationKind::Unknown;
        if (!computes || experiment.trace->locations[i].intervals.size() == 0) continue;
        const auto [known, isNew] = ofGroup.try_emplace(location.group.value(), id);
        if (!isNew && location.thread < definitions.location(known->second).thread) known->second = id;
    }
    std::vector<LocationId> threads;
    for (const auto& [group, id] : ofGroup) threads.push_back(id);
    return threads;
}

/// By call path: whether it is a call into MPI.
std::vector<char> mpiPaths(const Experiment& experiment)
{
    std::vector<char> inMpi(experiment.callTree->size(), 0);
    for (std::size_t path = 0; path < inMpi.size(); ++path)
        inMpi[path] =
            isMpi(experiment.definitions.region(experiment.callTree->region(CallPathId(path)))) ? 1 : 0;
    return inMpi;
}

void addOverlaps(TimeSpan call, std::span<const TimeSpan> spans, std::vector<double>& sums)
{
    auto span = std::ranges::upper_bound(spans, call.begin, {}, &TimeSpan::end);
    for (; span != spans.end() && span->begin < call.end; ++span)
        sums[static_cast<std::size_t>(span - spans.begin())] +=
            static_cast<double>(std::min(call.end, span->end) - std::max(call.begin, span->begin));
}

}  // namespace

Result<std::vector<double>> communicationTimes(const Experiment& experiment, std::span<const TimeSpan> spans,
                                               const std::vector<char>& locations, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, fmt::format("{} holds no trace.", experiment.name));
    const std::vector<char> inMpi = mpiPaths(experiment);
    const std::vector<LocationId> threads = callersOfMpi(experiment, locations);
    std::vector<double> sums(spans.size(), 0);
    for (const LocationId id : threads) {
        const CallIntervals& calls = experiment.trace->locations[id.index()].intervals;
        TimeNs inside = std::numeric_limits<TimeNs>::min();  // the end of the outermost MPI call so far
        for (std::size_t i = 0; i < calls.size(); ++i) {
            if (i % kCallsBetweenQuestions == 0 && task.stopRequested()) return cancelled();
            if (!inMpi[calls.callPath[i]] || calls.begin[i] < inside) continue;
            inside = calls.end[i];
            addOverlaps(calls.span(i), spans, sums);
        }
    }
    for (double& sum : sums) sum /= static_cast<double>(std::max<std::size_t>(1, threads.size()));
    return sums;
}

}  // namespace skein
