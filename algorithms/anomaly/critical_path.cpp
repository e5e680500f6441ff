// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/critical_path.h"

#include "core/index/first_call.h"
#include "core/trace/message_matcher.h"
#include "core/trace/nested_calls.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace skein {
namespace {

class PathWalker {
public:
    PathWalker(const Trace& trace, const DependenceGraph& graph)
        : trace_(trace), graph_(graph), visited_(graph.points().size(), false)
    {
    }

    CriticalPath run(const Task& task)
    {
        CriticalPath path;
        LocationId location(0u);
        TimeNs time = 0;
        for (std::size_t each = 0; each < trace_.locations.size(); ++each)
            if (graph_.counts(LocationId(each)) && trace_.locations[each].extent.end > time) {
                location = LocationId(each);
                time = trace_.locations[each].extent.end;
            }
        std::size_t last = 0;
        bool stays = false;
        while (time > 0 && !task.stopRequested()) {
            // Points of no length end where they begin: on the same location the walk goes on before the
            // last.
            const std::size_t point =
                stays ? graph_.pointBefore(last) : graph_.lastPointBefore(location, time);
            if (point == graph_.points().size()) {
                work(location, {0, time});
                break;
            }
            const SyncPoint& sync = graph_.points()[point];
            if (visited_[point]) {
                path.contradiction = true;
                break;
            }
            visited_[point] = true;
            work(location, {sync.end, time});
            reversed_.push_back({location, sync.call, {sync.readyAt(), sync.end}});
            time = sync.readyAt();
            last = point;
            stays = !sync.awaited.valid();
            if (!stays) location = sync.awaited;
        }
        std::erase_if(reversed_, [](const PathPiece& piece) { return piece.span.lengthNs() <= 0; });
        path.pieces.assign(reversed_.rbegin(), reversed_.rend());
        for (const PathPiece& piece : path.pieces) path.lengthNs += piece.span.lengthNs();
        return path;
    }

private:
    /// Adds the own times of the calls in a span, latest first.
    void work(LocationId location, TimeSpan span)
    {
        if (span.lengthNs() <= 0) return;
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        const std::uint32_t next = firstCallFrom(calls, span.begin + 1);
        std::vector<std::uint32_t> open;
        forEachOpenBefore(calls, next, [&](std::uint32_t call) {
            if (calls.end[call] > span.begin) open.push_back(call);
        });
        std::reverse(open.begin(), open.end());
        std::vector<PathPiece> pieces;
        TimeNs now = span.begin;
        const auto until = [&](TimeNs time) {
            time = std::min(time, span.end);
            if (time > now)
                pieces.push_back({location, open.empty() ? kNoInterval : open.back(), {now, time}});
            now = std::max(now, time);
        };
        const auto leaveUntil = [&](TimeNs time) {
            while (!open.empty() && calls.end[open.back()] <= time) {
                until(calls.end[open.back()]);
                open.pop_back();
            }
            until(time);
        };
        for (std::uint32_t call = next; call < calls.size() && calls.begin[call] < span.end; ++call) {
            leaveUntil(calls.begin[call]);
            if (calls.end[call] > calls.begin[call]) open.push_back(call);
        }
        leaveUntil(span.end);
        reversed_.insert(reversed_.end(), pieces.rbegin(), pieces.rend());
    }

    const Trace& trace_;
    const DependenceGraph& graph_;
    std::vector<bool> visited_;
    std::vector<PathPiece> reversed_;
};

/// The locations that call something, by process; those of accelerators do not count.
struct ProcessesOfRun {
    std::vector<std::uint32_t> processOf;  ///< by location
    std::vector<bool> counts;              ///< by location
    std::vector<LocationId> first;         ///< of each process the first location with calls
};

ProcessesOfRun processesOfRun(const Experiment& experiment)
{
    const Definitions& definitions = experiment.definitions;
    const auto& locations = experiment.trace->locations;
    ProcessesOfRun run;
    run.processOf = processesOf(definitions);
    run.processOf.resize(locations.size());
    std::set<std::uint32_t> seen;
    for (std::size_t i = 0; i < locations.size(); ++i) {
        const LocationGroupId group =
            i < definitions.locations.size() ? definitions.locations[i].group : LocationGroupId();
        const bool accelerator = group.index() < definitions.locationGroups.size()
            && definitions.locationGroups[group.index()].kind == LocationGroupKind::Accelerator;
        run.counts.push_back(!accelerator && locations[i].intervals.size() > 0);
        if (run.counts[i] && seen.insert(run.processOf[i]).second) run.first.emplace_back(i);
    }
    return run;
}

void countProcesses(const ProcessesOfRun& run, CriticalPath& path)
{
    path.processes = static_cast<std::uint32_t>(run.first.size());
    path.threads = static_cast<std::uint32_t>(std::count(run.counts.begin(), run.counts.end(), true));
    std::set<LocationId> locations;
    std::set<std::uint32_t> processes;
    for (const PathPiece& piece : path.pieces) {
        if (!run.counts[piece.location.index()]) continue;
        locations.insert(piece.location);
        processes.insert(run.processOf[piece.location.index()]);
    }
    path.threadsOnPath = static_cast<std::uint32_t>(locations.size());
    path.processesOnPath = static_cast<std::uint32_t>(processes.size());
}

void listCriticalFunctions(const Experiment& experiment, const FunctionsOfCalls& functions,
                           const DependenceGraph& graph, CriticalPath& path)
{
    std::map<std::uint32_t, CriticalFunction> list;
    for (const PathPiece& piece : path.pieces) {
        if (piece.call == kNoInterval) {
            const bool before = liesBeforeCalls(*experiment.trace, piece);
            (before ? path.beforeCallsNs : path.outsideCallsNs) += piece.span.lengthNs();
            continue;
        }
        const CallIntervals& calls = experiment.trace->locations[piece.location.index()].intervals;
        list[functions.of(calls.callPath[piece.call])].criticalNs += piece.span.lengthNs();
    }
    const ProcessesOfRun run = processesOfRun(experiment);
    countProcesses(run, path);
    for (const LocationId location : run.first) {
        for (const WorkOfFunction& work : graph.workOf(location)) {
            const auto found = list.find(work.function);
            if (found != list.end()) found->second.averageNs += static_cast<double>(work.ns);
        }
    }
    for (auto& [function, each] : list) {
        each.function = function;
        each.averageNs /= std::max(1.0, static_cast<double>(path.processes));
        each.imbalanceNs = std::max(0.0, static_cast<double>(each.criticalNs) - each.averageNs);
        each.costNs = each.imbalanceNs * static_cast<double>(path.processes);
        path.functions.push_back(each);
    }
    std::stable_sort(
        path.functions.begin(), path.functions.end(),
        [](const CriticalFunction& a, const CriticalFunction& b) { return a.criticalNs > b.criticalNs; });
}

}  // namespace

bool liesBeforeCalls(const Trace& trace, const PathPiece& piece)
{
    const CallIntervals& calls = trace.locations[piece.location.index()].intervals;
    return piece.call == kNoInterval && calls.size() > 0 && piece.span.end <= calls.begin[0];
}

Result<CriticalPath> criticalPath(const Experiment& experiment, const FunctionsOfCalls& functions,
                                  std::size_t mostGains, const Task& task)
{
    const auto graph = DependenceGraph::build(experiment, functions, task.part(0.0, 0.7));
    if (!graph) return tl::make_unexpected(graph.error());
    CriticalPath path = PathWalker(*experiment.trace, *graph).run(task);
    if (task.stopRequested()) return cancelled();
    path.contradictions = graph->contradictions();
    listCriticalFunctions(experiment, functions, *graph, path);
    path.gainsOf = std::min(mostGains, path.functions.size());
    const TimeNs whole = graph->replay(0, 1.0);
    for (std::size_t i = 0; i < path.gainsOf; ++i) {
        if (task.stopRequested()) return cancelled();
        path.functions[i].gainNs =
            std::max<TimeNs>(0, whole - graph->replay(path.functions[i].function, 0.5));
    }
    return path;
}

}  // namespace skein
