// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/critical_path.h"

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
        const auto begins = calls.begin.span();
        const auto next = static_cast<std::uint32_t>(
            std::upper_bound(begins.begin(), begins.end(), span.begin) - begins.begin());
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

/// The first location of each rank; all of them where none has a rank.
std::vector<LocationId> firstThreads(const Definitions& definitions)
{
    std::vector<LocationId> first, all;
    std::set<std::int64_t> seen;
    for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
        all.emplace_back(i);
        const std::int64_t rank = definitions.locations[i].rank;
        if (rank >= 0 && seen.insert(rank).second) first.emplace_back(i);
    }
    return first.empty() ? all : first;
}

void listCriticalFunctions(const Experiment& experiment, const FunctionsOfCalls& functions,
                           const DependenceGraph& graph, CriticalPath& path)
{
    std::map<std::uint32_t, CriticalFunction> list;
    for (const PathPiece& piece : path.pieces) {
        if (piece.call == kNoInterval) continue;
        const CallIntervals& calls = experiment.trace->locations[piece.location.index()].intervals;
        list[functions.of(calls.callPath[piece.call])].criticalNs += piece.span.lengthNs();
    }
    const std::vector<LocationId> processes = firstThreads(experiment.definitions);
    path.processes = static_cast<std::uint32_t>(processes.size());
    for (const LocationId location : processes) {
        if (location.index() >= experiment.trace->locations.size()) continue;
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
