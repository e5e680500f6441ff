// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/dependences.h"

#include "algorithms/timeline/wait_states.h"
#include "core/clocks/inferred_collectives.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace skein {

/// Collects points and what they depend on.
class DependenceBuilder {
public:
    DependenceBuilder(const Experiment& experiment, const FunctionsOfCalls& functions, DependenceGraph& graph)
        : experiment_(experiment), trace_(*experiment.trace), functions_(functions), graph_(graph)
    {
    }

    Result<bool> run(const Task& task)
    {
        task.report(0.0, "Looking for what calls depend on");
        for (std::size_t location = 0; location < trace_.locations.size(); ++location) {
            if (task.stopRequested()) return cancelled();
            graph_.firstOfLocation_.push_back(graph_.points_.size());
            findPoints(LocationId(location));
        }
        graph_.firstOfLocation_.push_back(graph_.points_.size());
        lists_.resize(graph_.points_.size());
        for (std::size_t i = 0; i < trace_.messages.size(); ++i) {
            if (i % kRowsBetweenQuestions == 0 && task.stopRequested()) return cancelled();
            addMessage(trace_.messages[i]);
        }
        addCollectives(task);
        const auto waits = findWaitStates(experiment_, task);
        if (!waits) return tl::make_unexpected(waits.error());
        addLateReceivers(*waits);
        finishPoints();
        findWork();
        return true;
    }

private:
    static constexpr std::uint32_t kNoPoint = 0xFFFFFFFFu;

    void findPoints(LocationId location)
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        graph_.extents_.push_back(trace_.locations[location.index()].extent);
        for (std::uint32_t call = 0; call < calls.size();) {
            const std::uint32_t function = functions_.of(calls.callPath[call]);
            const std::uint32_t point = call++;
            if (!functions_.blocks(function)) continue;
            while (call < calls.size() && calls.depth[call] > calls.depth[point]) ++call;
            SyncPoint& found = graph_.points_.emplace_back();
            found.location = location;
            found.call = point;
            found.begin = calls.begin[point];
            found.end = calls.end[point];
            graph_.functionOfPoint_.push_back(function);
        }
    }

    /// The point that a call lies in, or is.
    std::uint32_t pointOf(LocationId location, std::uint32_t call) const
    {
        if (location.index() >= trace_.locations.size()) return kNoPoint;
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        if (call >= calls.size()) return kNoPoint;
        const auto first =
            graph_.points_.begin() + static_cast<std::ptrdiff_t>(graph_.firstOfLocation_[location.index()]);
        const auto last = graph_.points_.begin()
            + static_cast<std::ptrdiff_t>(graph_.firstOfLocation_[location.index() + 1]);
        const auto behind =
            std::upper_bound(first, last, call, [](std::uint32_t wanted, const SyncPoint& point) {
                return wanted < point.call;
            });
        if (behind == first) return kNoPoint;
        const SyncPoint& point = *(behind - 1);
        const bool inside = point.call == call
            || (point.end >= calls.end[call] && point.begin <= calls.begin[call]
                && calls.depth[call] > calls.depth[point.call]);
        return inside ? static_cast<std::uint32_t>(behind - 1 - graph_.points_.begin()) : kNoPoint;
    }

    void add(std::uint32_t point, const Dependence& on)
    {
        if (point == kNoPoint || graph_.points_[point].location == on.location) return;
        if (on.time > graph_.points_[point].end) ++graph_.contradictions_;
        else lists_[point].push_back(on);
    }

    /// When the call that sent it began: as wait states count it.
    TimeNs sendBegin(const Message& message) const
    {
        const CallIntervals& calls = trace_.locations[message.sender.index()].intervals;
        const bool inMpi = message.sendInterval < calls.size()
            && functions_.isMpi(functions_.of(calls.callPath[message.sendInterval]));
        return inMpi ? calls.begin[message.sendInterval] : message.sendTime;
    }

    void addMessage(const Message& message)
    {
        if (!message.matched()) return;
        add(pointOf(message.receiver, message.receiveInterval), {message.sender, sendBegin(message)});
    }

    struct Member {
        std::uint32_t point = kNoPoint;
        LocationId location;
        TimeNs begin = 0;
    };

    void addCollectives(const Task& task)
    {
        for (const CollectiveOperation& operation : trace_.collectives) {
            std::vector<Member> members;
            for (const CollectiveMember& each :
                 trace_.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount))
                if (each.begin != kNoTime && each.end != kNoTime)
                    members.push_back(memberOf(each.location, each.interval, each.begin));
            dependOn(operation.kind, operation.root, members);
        }
        for (const InferredCollective& operation : inferCollectives(experiment_, task)) {
            std::vector<Member> members;
            for (const InferredCall& each : operation.calls)
                members.push_back(memberOf(each.location, each.interval, 0));
            dependOn(operation.kind, {}, members);
        }
    }

    Member memberOf(LocationId location, std::uint32_t interval, TimeNs begin) const
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        return {pointOf(location, interval), location,
                interval < calls.size() ? calls.begin[interval] : begin};
    }

    void dependOn(CollectiveKind kind, LocationId root, const std::vector<Member>& members)
    {
        switch (kind) {
        case CollectiveKind::Broadcast:
        case CollectiveKind::Scatter:
        case CollectiveKind::ScatterV: return others(root, members);
        case CollectiveKind::Gather:
        case CollectiveKind::GatherV:
        case CollectiveKind::Reduce: return onlyRoot(root, members);
        case CollectiveKind::Scan:
        case CollectiveKind::ExScan:
        case CollectiveKind::CreateHandle:
        case CollectiveKind::DestroyHandle:
        case CollectiveKind::Other: return;
        default: return lastOfAll(members);
        }
    }

    /// Members share one list: that of all their begins.
    void lastOfAll(const std::vector<Member>& members)
    {
        const auto group = static_cast<std::uint32_t>(graph_.groups_.size());
        graph_.groups_.push_back({graph_.dependences_.size(), members.size()});
        TimeNs latest = 0;
        for (const Member& member : members) {
            graph_.dependences_.push_back({member.location, member.begin});
            latest = std::max(latest, member.begin);
        }
        for (const Member& member : members) {
            if (member.point == kNoPoint) continue;
            if (latest > graph_.points_[member.point].end) ++graph_.contradictions_;
            else graph_.points_[member.point].group = group;
        }
    }

    void others(LocationId root, const std::vector<Member>& members)
    {
        for (const Member& source : members)
            if (source.location == root)
                for (const Member& member : members) add(member.point, {source.location, source.begin});
    }

    void onlyRoot(LocationId root, const std::vector<Member>& members)
    {
        for (const Member& sink : members)
            if (sink.location == root)
                for (const Member& member : members) add(sink.point, {member.location, member.begin});
    }

    /// A send that was seen to wait for its receive does so in a replay.
    void addLateReceivers(const WaitStates& waits)
    {
        for (const WaitState& wait : waits.states)
            if (wait.kind == WaitKind::LateReceiver && wait.cause.valid())
                add(pointOf(wait.location, wait.interval), {wait.cause, wait.end});
    }

    void finishPoints()
    {
        for (std::size_t i = 0; i < graph_.points_.size(); ++i) {
            SyncPoint& point = graph_.points_[i];
            point.firstDependence = graph_.dependences_.size();
            point.dependences = static_cast<std::uint32_t>(lists_[i].size());
            graph_.dependences_.insert(graph_.dependences_.end(), lists_[i].begin(), lists_[i].end());
            TimeNs ready = point.begin;
            const auto await = [&](std::span<const Dependence> list) {
                for (const Dependence& on : list) {
                    if (on.time <= ready || on.location == point.location) continue;
                    ready = on.time;
                    point.awaited = on.location;
                }
            };
            await(graph_.dependencesOf(point));
            if (point.group != kNoPoint) {
                const auto& group = graph_.groups_[point.group];
                await(std::span(graph_.dependences_).subspan(group.first, group.count));
            }
            point.transferNs = point.end - ready;
        }
    }

    void findWork()
    {
        std::vector<std::vector<WorkOfFunction>> tails;
        for (std::size_t location = 0; location < trace_.locations.size(); ++location) {
            const std::size_t first = graph_.firstOfLocation_[location],
                              last = graph_.firstOfLocation_[location + 1];
            tails.push_back(workBetween(trace_.locations[location].intervals, first, last));
        }
        for (const auto& tail : tails) {
            graph_.stretchFirst_.push_back(graph_.stretchWork_.size());
            graph_.stretchWork_.insert(graph_.stretchWork_.end(), tail.begin(), tail.end());
        }
        graph_.stretchFirst_.push_back(graph_.stretchWork_.size());
    }

    /// Stores the work before each of the points [first, last); gives what is behind the last.
    std::vector<WorkOfFunction> workBetween(const CallIntervals& calls, std::size_t first, std::size_t last)
    {
        std::map<std::uint32_t, TimeNs> sums;
        std::vector<std::uint32_t> open;
        TimeNs now = 0;
        const auto until = [&](TimeNs time) {
            if (!open.empty() && time > now) sums[functions_.of(calls.callPath[open.back()])] += time - now;
            now = std::max(now, time);
        };
        const auto store = [&] {
            std::vector<WorkOfFunction> list;
            for (const auto& [function, ns] : sums) list.push_back({function, ns});
            sums.clear();
            return list;
        };
        std::size_t point = first;
        for (std::uint32_t call = 0; call < calls.size(); ++call) {
            while (!open.empty() && calls.depth[open.back()] >= calls.depth[call]) {
                until(calls.end[open.back()]);
                open.pop_back();
            }
            until(calls.begin[call]);
            if (point < last && graph_.points_[point].call == call) {
                graph_.stretchFirst_.push_back(graph_.stretchWork_.size());
                const auto list = store();
                graph_.stretchWork_.insert(graph_.stretchWork_.end(), list.begin(), list.end());
                now = std::max(now, calls.end[call]);
                while (call + 1 < calls.size()
                       && calls.depth[call + 1] > calls.depth[graph_.points_[point].call])
                    ++call;
                ++point;
                continue;
            }
            open.push_back(call);
        }
        while (!open.empty()) {
            until(calls.end[open.back()]);
            open.pop_back();
        }
        return store();
    }

    const Experiment& experiment_;
    const Trace& trace_;
    const FunctionsOfCalls& functions_;
    DependenceGraph& graph_;
    std::vector<std::vector<Dependence>> lists_;  ///< by point
};

/// One replay: points in the order of their ends, which is one in which everything awaited comes first.
class DependenceReplay {
public:
    DependenceReplay(const DependenceGraph& graph, std::uint32_t function, double share)
        : graph_(graph),
          function_(function),
          share_(share),
          endOf_(graph.points_.size()),
          readyOf_(graph.groups_.size(), -1)
    {
    }

    TimeNs run()
    {
        std::vector<std::uint32_t> order(graph_.points_.size());
        std::iota(order.begin(), order.end(), 0U);
        std::stable_sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
            return graph_.points_[a].end < graph_.points_[b].end;
        });
        for (const std::uint32_t point : order) play(point);
        TimeNs end = 0;
        for (std::size_t location = 0; location < graph_.extents_.size(); ++location)
            if (graph_.counts(LocationId(location))) end = std::max(end, endOfLocation(location));
        return end;
    }

private:
    TimeNs saved(TimeNs ns) const { return ns - static_cast<TimeNs>(share_ * static_cast<double>(ns)); }

    TimeNs savedBefore(std::size_t stretch) const
    {
        TimeNs sum = 0;
        for (std::size_t i = graph_.stretchFirst_[stretch]; i < graph_.stretchFirst_[stretch + 1]; ++i)
            if (graph_.stretchWork_[i].function == function_) sum += saved(graph_.stretchWork_[i].ns);
        return sum;
    }

    bool isFirst(std::uint32_t point) const
    {
        return point == graph_.firstOfLocation_[graph_.points_[point].location.index()];
    }

    TimeNs beginOf(std::uint32_t point) const
    {
        const SyncPoint& each = graph_.points_[point];
        const TimeNs shift = isFirst(point) ? 0 : endOf_[point - 1] - graph_.points_[point - 1].end;
        return each.begin + shift - savedBefore(point);
    }

    /// A time on a location, replayed. In a stretch that is cut shorter, what lies in its middle comes
    /// earlier in proportion, but the times that are asked for are mostly begins of points.
    TimeNs timeOf(const Dependence& on) const
    {
        const std::size_t before = graph_.lastPointBefore(on.location, on.time);
        const std::size_t location = on.location.index();
        const bool any = before < graph_.points_.size();
        const TimeNs from = any ? graph_.points_[before].end : 0;
        const TimeNs shift = any ? endOf_[before] - from : 0;
        const std::size_t next = any ? before + 1 : graph_.firstOfLocation_[location];
        const bool last = next >= graph_.firstOfLocation_[location + 1];
        const TimeNs until = last ? graph_.extents_[location].end : graph_.points_[next].begin;
        if (!last && on.time > until) return beginOf(static_cast<std::uint32_t>(next)) + (on.time - until);
        const TimeNs cut = savedBefore(last ? graph_.points_.size() + location : next);
        const double part =
            until > from ? static_cast<double>(on.time - from) / static_cast<double>(until - from) : 1.0;
        return on.time + shift - (part >= 1.0 ? cut : static_cast<TimeNs>(part * static_cast<double>(cut)));
    }

    void play(std::uint32_t point)
    {
        const SyncPoint& each = graph_.points_[point];
        TimeNs ready = beginOf(point);
        for (const Dependence& on : graph_.dependencesOf(each)) ready = std::max(ready, timeOf(on));
        if (each.group != 0xFFFFFFFFu) ready = std::max(ready, readyOf(each.group));
        const TimeNs transfer = graph_.functionOfPoint_[point] == function_
            ? each.transferNs - saved(each.transferNs)
            : each.transferNs;
        endOf_[point] = ready + transfer;
    }

    /// When the last of a group has begun; the same for all of its members, of which the first asks.
    TimeNs readyOf(std::uint32_t group)
    {
        if (readyOf_[group] >= 0) return readyOf_[group];
        const auto& each = graph_.groups_[group];
        TimeNs ready = 0;
        for (const Dependence& on : std::span(graph_.dependences_).subspan(each.first, each.count))
            ready = std::max(ready, timeOf(on));
        return readyOf_[group] = ready;
    }

    TimeNs endOfLocation(std::size_t location) const
    {
        const std::size_t last = graph_.firstOfLocation_[location + 1];
        const bool any = last > graph_.firstOfLocation_[location];
        const TimeNs shift = any ? endOf_[last - 1] - graph_.points_[last - 1].end : 0;
        return graph_.extents_[location].end + shift - savedBefore(graph_.points_.size() + location);
    }

    const DependenceGraph& graph_;
    std::uint32_t function_;
    double share_;
    std::vector<TimeNs> endOf_;    ///< of points, replayed
    std::vector<TimeNs> readyOf_;  ///< of groups, replayed; -1: nobody asked
};

Result<DependenceGraph> DependenceGraph::build(const Experiment& experiment,
                                               const FunctionsOfCalls& functions, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "What calls depend on needs a trace; this archive has none.");
    DependenceGraph graph;
    const auto built = DependenceBuilder(experiment, functions, graph).run(task);
    if (!built) return tl::make_unexpected(built.error());
    return graph;
}

std::size_t DependenceGraph::lastPointBefore(LocationId location, TimeNs time) const
{
    const auto first = points_.begin() + static_cast<std::ptrdiff_t>(firstOfLocation_[location.index()]);
    const auto last = points_.begin() + static_cast<std::ptrdiff_t>(firstOfLocation_[location.index() + 1]);
    const auto behind = std::upper_bound(
        first, last, time, [](TimeNs wanted, const SyncPoint& point) { return wanted < point.end; });
    return behind == first ? points_.size() : static_cast<std::size_t>(behind - 1 - points_.begin());
}

TimeNs DependenceGraph::replay(std::uint32_t function, double share) const
{
    return DependenceReplay(*this, function, share).run();
}

std::vector<WorkOfFunction> DependenceGraph::workOf(LocationId location) const
{
    std::map<std::uint32_t, TimeNs> sums;
    const auto addStretch = [&](std::size_t stretch) {
        for (std::size_t i = stretchFirst_[stretch]; i < stretchFirst_[stretch + 1]; ++i)
            sums[stretchWork_[i].function] += stretchWork_[i].ns;
    };
    for (std::size_t point = firstOfLocation_[location.index()];
         point < firstOfLocation_[location.index() + 1]; ++point) {
        addStretch(point);
        sums[functionOfPoint_[point]] += points_[point].transferNs;
    }
    addStretch(points_.size() + location.index());
    std::vector<WorkOfFunction> list;
    for (const auto& [function, ns] : sums) list.push_back({function, ns});
    return list;
}

}  // namespace skein
