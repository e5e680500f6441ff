// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/wait_states.h"

#include "core/clocks/inferred_collectives.h"

#include <algorithm>
#include <array>
#include <span>
#include <tuple>
#include <unordered_map>

namespace skein {
namespace {

/// What an operation makes its members wait for.
enum class CollectivePattern { AllWaitForLast, OthersWaitForRoot, RootWaitsForFirst, None };

CollectivePattern patternOf(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::Barrier:
    case CollectiveKind::AllGather:
    case CollectiveKind::AllGatherV:
    case CollectiveKind::AllReduce:
    case CollectiveKind::AllToAll:
    case CollectiveKind::AllToAllV:
    case CollectiveKind::AllToAllW:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::ReduceScatterBlock: return CollectivePattern::AllWaitForLast;
    case CollectiveKind::Broadcast:
    case CollectiveKind::Scatter:
    case CollectiveKind::ScatterV: return CollectivePattern::OthersWaitForRoot;
    case CollectiveKind::Gather:
    case CollectiveKind::GatherV:
    case CollectiveKind::Reduce: return CollectivePattern::RootWaitsForFirst;
    default: return CollectivePattern::None;
    }
}

/// A member's call: its interval where there is one, else the times of the event.
struct Member {
    TimeNs begin = 0;
    TimeNs end = 0;
    LocationId location;
    std::uint32_t interval = kNoInterval;
    bool sends = true;     ///< false: it gave nothing, though others did
    bool receives = true;  ///< false: it got nothing, though others did
};

bool entersBefore(const Member& a, const Member& b) { return a.begin < b.begin; }

class WaitFinder {
public:
    WaitFinder(const Experiment& experiment, const Task& task)
        : experiment_(experiment), trace_(*experiment.trace), task_(task)
    {
    }

    Result<WaitStates> run()
    {
        WaitStates result;
        task_.report(0.0, "Looking for wait states of messages");
        for (std::size_t i = 0; i < trace_.messages.size(); ++i) {
            if (i % kAskEvery == 0 && task_.stopRequested()) return cancelled();
            lateSender(trace_.messages[i]);
            lateReceiver(trace_.messages[i]);
        }
        task_.report(0.5, "Looking for wait states of collectives");
        for (const CollectiveOperation& operation : trace_.collectives) recorded(operation);
        const auto inferredOperations = inferCollectives(experiment_, task_);
        for (const InferredCollective& operation : inferredOperations) inferred(operation);
        result.inferredCollectives = inferredOperations.size();
        if (task_.stopRequested()) return cancelled();
        keepLongestOfEachCall();
        result.states = Column<WaitState>(std::move(states_));
        return result;
    }

private:
    static constexpr std::size_t kAskEvery = 1u << 14;

    bool hasCall(LocationId location, std::uint32_t interval) const
    {
        return location.index() < trace_.locations.size()
            && interval < trace_.locations[location.index()].intervals.size();
    }
    TimeSpan call(LocationId location, std::uint32_t interval) const
    {
        return trace_.locations[location.index()].intervals.span(interval);
    }

    void add(WaitKind kind, const Member& waiting, TimeNs until, LocationId cause,
             std::uint32_t causeInterval)
    {
        const TimeNs end = std::min(until, waiting.end);
        if (end <= waiting.begin || waiting.interval == kNoInterval) return;
        states_.push_back(
            {waiting.begin, end, waiting.location, cause, waiting.interval, causeInterval, kind});
    }

    void lateSender(const Message& message)
    {
        if (!message.matched() || !hasCall(message.receiver, message.receiveInterval)) return;
        if (!isWaitingCall(message.receiver, message.receiveInterval)) return;
        const TimeSpan waiting = call(message.receiver, message.receiveInterval);
        const bool sendCall =
            hasCall(message.sender, message.sendInterval) && isMpi(message.sender, message.sendInterval);
        const TimeNs sendBegin =
            sendCall ? call(message.sender, message.sendInterval).begin : message.sendTime;
        add(WaitKind::LateSender, {waiting.begin, waiting.end, message.receiver, message.receiveInterval},
            sendBegin, message.sender, message.sendInterval);
    }

    /// Only a receive that posts and completes in one call tells when it was posted.
    void lateReceiver(const Message& message)
    {
        if (!message.matched() || !hasCall(message.sender, message.sendInterval)
            || !hasCall(message.receiver, message.receiveInterval))
            return;
        if (!isBlocking(message.sender, message.sendInterval, kBlockingSends)) return;
        if (!isBlocking(message.receiver, message.receiveInterval, kBlockingReceives)) return;
        const TimeSpan sending = call(message.sender, message.sendInterval);
        const TimeSpan receiving = call(message.receiver, message.receiveInterval);
        if (sending.end <= receiving.begin) return;
        add(WaitKind::LateReceiver, {sending.begin, sending.end, message.sender, message.sendInterval},
            receiving.begin, message.receiver, message.receiveInterval);
    }

    static constexpr std::array<std::string_view, 5> kBlockingSends{"MPI_Rsend", "MPI_Send", "MPI_Sendrecv",
                                                                    "MPI_Sendrecv_replace", "MPI_Ssend"};
    static constexpr std::array<std::string_view, 4> kBlockingReceives{
        "MPI_Mrecv", "MPI_Recv", "MPI_Sendrecv", "MPI_Sendrecv_replace"};

    bool isBlocking(LocationId location, std::uint32_t interval,
                    std::span<const std::string_view> names) const
    {
        return std::find(names.begin(), names.end(), nameOf(location, interval)) != names.end();
    }

    /// One that asks whether a message has come returns at once, and code outside MPI did other things than
    /// wait.
    bool isWaitingCall(LocationId location, std::uint32_t interval) const
    {
        return isMpi(location, interval) && !nameOf(location, interval).starts_with("MPI_Test");
    }

    bool isMpi(LocationId location, std::uint32_t interval) const
    {
        const Region* region = regionOf(location, interval);
        return region && skein::isMpi(*region);
    }

    /// Of a call's region, without arguments; empty where it is not defined.
    std::string_view nameOf(LocationId location, std::uint32_t interval) const
    {
        const Region* region = regionOf(location, interval);
        const std::string_view name = region ? std::string_view(region->name) : std::string_view();
        return name.substr(0, name.find_first_of("( ["));
    }

    /// Null where it is not defined.
    const Region* regionOf(LocationId location, std::uint32_t interval) const
    {
        const std::uint32_t path = trace_.locations[location.index()].intervals.callPath[interval];
        const RegionId region = experiment_.callTree->region(CallPathId(path));
        return region.index() < experiment_.definitions.regions.size()
            ? &experiment_.definitions.region(region)
            : nullptr;
    }

    void recorded(const CollectiveOperation& operation)
    {
        const auto all =
            trace_.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount);
        const bool sizesSent =
            std::any_of(all.begin(), all.end(), [](const auto& member) { return member.bytesSent > 0; });
        const bool sizesReceived =
            std::any_of(all.begin(), all.end(), [](const auto& member) { return member.bytesReceived > 0; });
        std::vector<Member> members;
        for (const CollectiveMember& member : all) {
            if (member.begin == kNoTime || member.end == kNoTime) continue;
            const bool inCall = hasCall(member.location, member.interval);
            const TimeSpan span =
                inCall ? call(member.location, member.interval) : TimeSpan{member.begin, member.end};
            // It goes on behind the call that began it, so nobody waits in that one.
            if (member.end > span.end) return;
            members.push_back({span.begin, span.end, member.location, inCall ? member.interval : kNoInterval,
                               !sizesSent || member.bytesSent > 0,
                               !sizesReceived || member.bytesReceived > 0});
        }
        waitIn(operation.kind, operation.root, members);
    }

    void inferred(const InferredCollective& operation)
    {
        std::vector<Member> members;
        for (const InferredCall& each : operation.calls) {
            const TimeSpan span = call(each.location, each.interval);
            members.push_back({span.begin, span.end, each.location, each.interval});
        }
        waitIn(operation.kind, {}, members);
    }

    void waitIn(CollectiveKind kind, LocationId root, const std::vector<Member>& members)
    {
        if (members.size() < 2) return;
        switch (patternOf(kind)) {
        case CollectivePattern::AllWaitForLast:
            return waitForLast(
                kind == CollectiveKind::Barrier ? WaitKind::WaitAtBarrier : WaitKind::WaitAtNxN, members);
        case CollectivePattern::OthersWaitForRoot: return waitForRoot(root, members);
        case CollectivePattern::RootWaitsForFirst: return rootWaits(root, members);
        case CollectivePattern::None: break;
        }
    }

    void waitForLast(WaitKind wait, const std::vector<Member>& members)
    {
        const auto last =
            std::max_element(members.begin(), members.end(), [](const Member& a, const Member& b) {
                return a.sends != b.sends ? b.sends : entersBefore(a, b);
            });
        for (const Member& member : members)
            if (member.receives) add(wait, member, last->begin, last->location, last->interval);
    }

    void waitForRoot(LocationId root, const std::vector<Member>& members)
    {
        const auto found = std::find_if(members.begin(), members.end(),
                                        [&](const Member& member) { return isRoot(member, root); });
        if (found == members.end()) return;
        for (const Member& member : members)
            if (member.receives)
                add(WaitKind::LateBroadcast, member, found->begin, found->location, found->interval);
    }

    /// Until there is something to receive; from then on the root works.
    void rootWaits(LocationId root, const std::vector<Member>& members)
    {
        const Member* waiting = nullptr;
        const Member* first = nullptr;
        for (const Member& member : members) {
            if (isRoot(member, root)) waiting = &member;
            else if (member.sends && (!first || entersBefore(member, *first))) first = &member;
        }
        if (waiting && first && waiting->receives)
            add(WaitKind::EarlyReduce, *waiting, first->begin, first->location, first->interval);
    }

    /// The root is named as a location of its process, which need not be the one that called.
    bool isRoot(const Member& member, LocationId root) const
    {
        if (!root.valid()) return false;
        if (member.location == root) return true;
        const auto& locations = experiment_.definitions.locations;
        return root.index() < locations.size() && locations[root.index()].rank >= 0
            && locations[root.index()].rank == locations[member.location.index()].rank;
    }

    /// All waits of a call begin with it: the others lie in the longest. Of a late sender and a late receiver
    /// of one length the sender counts, as in MPI_Sendrecv: a small message does not wait for its receive.
    void keepLongestOfEachCall()
    {
        const auto key = [](const WaitState& state) {
            return std::tuple(state.location, state.begin, state.interval, -state.end,
                              -static_cast<int>(state.kind), state.cause, state.causeInterval);
        };
        std::sort(states_.begin(), states_.end(),
                  [&](const WaitState& a, const WaitState& b) { return key(a) < key(b); });
        const auto sameCall = [](const WaitState& a, const WaitState& b) {
            return a.location == b.location && a.interval == b.interval;
        };
        states_.erase(std::unique(states_.begin(), states_.end(), sameCall), states_.end());
    }

    const Experiment& experiment_;
    const Trace& trace_;
    const Task& task_;
    std::vector<WaitState> states_;
};

}  // namespace

std::string_view name(WaitKind kind)
{
    static constexpr std::array<std::string_view, kWaitKinds> names{
        "early reduce", "late broadcast", "late receiver", "late sender", "wait at barrier", "wait at NxN"};
    const auto index = static_cast<std::size_t>(kind);
    return index < names.size() ? names[index] : std::string_view("invalid");
}

Result<WaitStates> findWaitStates(const Experiment& experiment, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "Wait states need a trace; this archive has none.");
    return WaitFinder(experiment, task).run();
}

RegionId waitRegion(const Experiment& experiment, const WaitState& state)
{
    const std::uint32_t path =
        experiment.trace->locations[state.location.index()].intervals.callPath[state.interval];
    return experiment.callTree->region(CallPathId(path));
}

WaitItems::WaitItems(const Experiment& experiment, WaitGrouping grouping)
    : experiment_(experiment),
      grouping_(grouping),
      firstOfName_(grouping == WaitGrouping::Region ? firstOfName(experiment.definitions)
                                                    : std::vector<std::uint32_t>())
{
}

std::uint32_t WaitItems::of(const WaitState& state) const
{
    switch (grouping_) {
    case WaitGrouping::Cause: return state.cause.value();
    case WaitGrouping::Kind: return static_cast<std::uint32_t>(state.kind);
    case WaitGrouping::Location: return state.location.value();
    case WaitGrouping::Region: break;
    }
    const RegionId region = waitRegion(experiment_, state);
    return region.index() < firstOfName_.size() ? firstOfName_[region.index()] : region.value();
}

std::vector<WaitSum> sumWaitStates(const Experiment& experiment, const WaitStates& waits,
                                   WaitGrouping grouping)
{
    const WaitItems items(experiment, grouping);
    std::unordered_map<std::uint32_t, WaitSum> sums;
    for (const WaitState& state : waits.states) {
        const std::uint32_t item = items.of(state);
        WaitSum& sum = sums[item];
        sum.item = item;
        ++sum.count;
        sum.totalNs += state.lengthNs();
        sum.longestNs = std::max(sum.longestNs, state.lengthNs());
        sum.byKindNs[static_cast<std::size_t>(state.kind)] += state.lengthNs();
    }
    std::vector<WaitSum> sorted;
    for (const auto& [item, sum] : sums) sorted.push_back(sum);
    std::sort(sorted.begin(), sorted.end(), [](const WaitSum& a, const WaitSum& b) {
        return std::tuple(-a.totalNs, a.item) < std::tuple(-b.totalNs, b.item);
    });
    return sorted;
}

}  // namespace skein
