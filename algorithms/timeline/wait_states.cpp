// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/wait_states.h"

#include "algorithms/timeline/waits_at_end.h"
#include "core/base/units.h"
#include "core/clocks/inferred_collectives.h"

#include <algorithm>
#include <array>
#include <numeric>
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

/// How much of the run is known.
enum class WaitKnowledge : std::uint8_t { WholeRun, EndOfCall };

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
    WaitFinder(const Experiment& experiment, const Task& task, WaitKnowledge knowledge)
        : experiment_(experiment), trace_(*experiment.trace), task_(task), knowledge_(knowledge)
    {
    }

    Result<WaitStates> run()
    {
        WaitStates result;
        for (const LocationTrace& location : trace_.locations)
            analysed_.emplace_back(location.intervals.size(), false);
        task_.report(0.0, "Looking for wait states of messages");
        for (std::size_t i = 0; i < trace_.messages.size(); ++i) {
            if (i % kAskEvery == 0 && task_.stopRequested()) return cancelled();
            message_ = static_cast<std::uint32_t>(i);
            lateSender(trace_.messages[i]);
            if (knowledge_ == WaitKnowledge::WholeRun) lateReceiver(trace_.messages[i]);
        }
        const bool whole = knowledge_ == WaitKnowledge::WholeRun;
        if (whole && !findPolls()) return cancelled();
        message_ = kNoMessage;
        task_.report(0.5, "Looking for wait states of collectives");
        for (const CollectiveOperation& operation : trace_.collectives) recorded(operation);
        if (whole && !findUnrecorded(result)) return cancelled();
        keepLongestOfEachCall();
        result.analysed = std::move(analysed_);
        result.states = Column<WaitState>(std::move(states_));
        return result;
    }

private:
    static constexpr std::size_t kAskEvery = 1u << 14;

    bool findPolls()
    {
        for (std::size_t i = 0; i < trace_.messages.size(); ++i) {
            if (i % kAskEvery == 0 && task_.stopRequested()) return false;
            message_ = static_cast<std::uint32_t>(i);
            polledFor(trace_.messages[i]);
        }
        return true;
    }

    bool findUnrecorded(WaitStates& result)
    {
        const auto inferredOperations = inferCollectives(experiment_, task_);
        for (const InferredCollective& operation : inferredOperations) inferred(operation);
        result.inferredCollectives = inferredOperations.size();
        for (std::uint32_t location = 0; location < trace_.locations.size(); ++location) {
            if (task_.stopRequested()) return false;
            synchronisedBefore(LocationId(location));
        }
        return true;
    }

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
            {waiting.begin, end, waiting.location, cause, waiting.interval, causeInterval, kind, message_});
    }

    void markAnalysed(LocationId location, std::uint32_t interval)
    {
        if (hasCall(location, interval)) analysed_[location.index()][interval] = true;
    }

    void lateSender(const Message& message)
    {
        markAnalysed(message.sender, message.sendInterval);
        markAnalysed(message.receiver, message.receiveInterval);
        if (!message.matched() || !hasCall(message.receiver, message.receiveInterval)) return;
        if (!isWaitingCall(message.receiver, message.receiveInterval)) return;
        const TimeSpan waiting = call(message.receiver, message.receiveInterval);
        add(WaitKind::LateSender, {waiting.begin, waiting.end, message.receiver, message.receiveInterval},
            sendBegin(message), message.sender, message.sendInterval);
    }

    TimeNs sendBegin(const Message& message) const
    {
        const bool sendCall =
            hasCall(message.sender, message.sendInterval) && isMpi(message.sender, message.sendInterval);
        return sendCall ? call(message.sender, message.sendInterval).begin : message.sendTime;
    }

    bool isTest(LocationId location, std::uint32_t interval) const
    {
        return nameOf(location, interval).starts_with("MPI_Test");
    }

    /// Who asks again and again whether a message has come waits for it in all of these calls: those before
    /// the one that told it, back to the last one that told another or to any other call in MPI.
    void polledFor(const Message& message)
    {
        if (!message.matched() || !hasCall(message.receiver, message.receiveInterval)) return;
        if (!isTest(message.receiver, message.receiveInterval)) return;
        const TimeNs until = sendBegin(message);
        for (std::uint32_t before = message.receiveInterval; before-- > 0;) {
            if (!isMpi(message.receiver, before)) continue;
            if (!isTest(message.receiver, before)) break;
            if (analysed_[message.receiver.index()][before]) break;
            analysed_[message.receiver.index()][before] = true;
            const TimeSpan asking = call(message.receiver, before);
            add(WaitKind::LateSender, {asking.begin, asking.end, message.receiver, before}, until,
                message.sender, message.sendInterval);
        }
    }

    /// TAU lets all processes of a collective meet before it begins, in a call of its own; of what it does
    /// not record, that is what was waited.
    void synchronisedBefore(LocationId location)
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        std::vector<std::uint32_t> open;  // calls in MPI around the next one
        for (std::uint32_t next = 0; next < calls.size(); ++next) {
            while (!open.empty() && calls.depth[open.back()] >= calls.depth[next]) open.pop_back();
            if (!isMpi(location, next)) continue;
            if (!open.empty() && regionOf(location, next)->name == kSynchronisation
                && !analysed_[location.index()][open.back()]) {
                const TimeSpan meeting = calls.span(next);
                add(WaitKind::WaitAtCollective, {meeting.begin, meeting.end, location, open.back()},
                    meeting.end, {}, kNoInterval);
                markAnalysed(location, open.back());
            }
            open.push_back(next);
        }
    }

    static constexpr std::string_view kSynchronisation = "MPI Collective Sync";

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
        return isMpi(location, interval) && !isTest(location, interval);
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
            if (inCall) markAnalysed(member.location, member.interval);
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
            markAnalysed(each.location, each.interval);
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
                              -static_cast<int>(state.kind), state.cause, state.causeInterval, state.message);
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
    WaitKnowledge knowledge_;
    std::uint32_t message_ = kNoMessage;  ///< the one that is looked at
    std::vector<WaitState> states_;
    std::vector<std::vector<bool>> analysed_;  ///< [location][call]
};

/// Splits the outermost calls in MPI of one location after the other.
class MpiTimeSums {
public:
    MpiTimeSums(const Experiment& experiment, const WaitStates& waits, const std::optional<TimeSpan>& window)
        : experiment_(experiment),
          waits_(waits),
          window_(window),
          firstOfName_(firstOfName(experiment.definitions)),
          sums_(experiment.definitions.regions.size())
    {
    }

    /// Locations come in increasing order.
    void add(LocationId location)
    {
        const CallIntervals& calls = experiment_.trace->locations[location.index()].intervals;
        for (std::uint32_t call = 0; call < calls.size();) {
            if (!isMpi(regionOf(calls, call))) {
                ++call;
                continue;
            }
            const std::uint32_t first = call++;
            while (call < calls.size() && calls.depth[call] > calls.depth[first]) ++call;
            addCall(location, calls, first, call);
        }
    }

    std::vector<MpiTime> finish() &&
    {
        std::erase_if(sums_, [](const MpiTime& sum) { return sum.calls == 0; });
        std::stable_sort(sums_.begin(), sums_.end(),
                         [](const MpiTime& a, const MpiTime& b) { return a.mpiNs > b.mpiNs; });
        return std::move(sums_);
    }

private:
    const Region& regionOf(const CallIntervals& calls, std::uint32_t call) const
    {
        return experiment_.definitions.region(experiment_.callTree->region(CallPathId(calls.callPath[call])));
    }
    TimeNs partOf(TimeSpan span) const
    {
        if (span.begin > span.end) return 0;
        return window_ ? std::max<TimeNs>(0, span.intersected(*window_).lengthNs()) : span.lengthNs();
    }

    void addCall(LocationId location, const CallIntervals& calls, std::uint32_t first, std::uint32_t end)
    {
        bool known = false;
        TimeNs waited[kWaitKinds] = {};
        TimeNs covered = calls.begin[first];  // a call in MPI that another one makes may wait in both
        for (; next_ < waits_.states.size()
             && std::pair(waits_.states[next_].location, waits_.states[next_].begin)
                 < std::pair(location, calls.end[first]);
             ++next_) {
            const WaitState& state = waits_.states[next_];
            if (state.location != location || state.interval < first || state.interval >= end) continue;
            waited[static_cast<std::size_t>(state.kind)] +=
                partOf({std::max(state.begin, covered), state.end});
            covered = std::max(covered, state.end);
        }
        for (std::uint32_t call = first; call < end; ++call)
            known = known || waits_.analysed[location.index()][call];
        const TimeSpan span = calls.span(first);
        if (window_ && !(span.empty() ? window_->contains(span.begin) : span.overlaps(*window_))) return;
        const RegionId region = experiment_.callTree->region(CallPathId(calls.callPath[first]));
        MpiTime& sum = sums_[firstOfName_[region.index()]];
        sum.region = RegionId(firstOfName_[region.index()]);
        ++sum.calls;
        TimeNs rest = partOf(span);
        sum.mpiNs += rest;
        for (std::size_t kind = 0; kind < kWaitKinds; ++kind) {
            sum.waitedNs[kind] += waited[kind];
            rest -= waited[kind];
        }
        (known || neverWaits(regionOf(calls, first).name) ? sum.workNs : sum.unexplainedNs) += rest;
    }

    const Experiment& experiment_;
    const WaitStates& waits_;
    const std::optional<TimeSpan>& window_;
    const std::vector<std::uint32_t> firstOfName_;
    std::vector<MpiTime> sums_;  ///< by region
    std::size_t next_ = 0;       ///< state
};

Result<WaitStates> waitsOf(const Experiment& experiment, const Task& task, WaitKnowledge knowledge)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "Wait states need a trace; this archive has none.");
    return WaitFinder(experiment, task, knowledge).run();
}

}  // namespace

bool neverWaits(std::string_view name)
{
    static constexpr std::array<std::string_view, 21> kLocal{
        "MPI_Address",    "MPI_Cart_coords", "MPI_Cart_get",  "MPI_Cart_rank", "MPI_Cart_shift",
        "MPI_Comm_group", "MPI_Comm_rank",   "MPI_Comm_size", "MPI_Get_count", "MPI_Group_",
        "MPI_Iprobe",     "MPI_Irecv",       "MPI_Op_create", "MPI_Request_",  "MPI_Start",
        "MPI_Type_",      "MPI_Recv_init",   "MPI_Wtime",     "MPI_Isend",     "MPI_Send_init",
        "MPI_Test"};
    return std::any_of(kLocal.begin(), kLocal.end(),
                       [&](std::string_view local) { return name.starts_with(local); });
}

std::string_view name(WaitKind kind)
{
    static constexpr std::array<std::string_view, kWaitKinds> names{
        "early reduce",    "late broadcast",     "late receiver", "late sender",
        "wait at barrier", "wait at collective", "wait at NxN"};
    const auto index = static_cast<std::size_t>(kind);
    return index < names.size() ? names[index] : std::string_view("invalid");
}

Result<WaitStates> findWaitStates(const Experiment& experiment, const Task& task)
{
    return waitsOf(experiment, task, WaitKnowledge::WholeRun);
}

Result<WaitStates> findWaitsKnownAtEnd(const Experiment& experiment, const Task& task)
{
    return waitsOf(experiment, task, WaitKnowledge::EndOfCall);
}

TimeNs MpiTime::allWaitedNs() const { return std::accumulate(waitedNs, waitedNs + kWaitKinds, TimeNs{0}); }

void MpiTotals::add(const MpiTime& time)
{
    mpiNs += time.mpiNs;
    waitedNs += time.allWaitedNs();
    workNs += time.workNs;
    unexplainedNs += time.unexplainedNs;
}

std::string mpiText(const MpiTotals& totals)
{
    const auto text = [](TimeNs ns) { return formatDuration(static_cast<double>(ns)); };
    return text(totals.mpiNs) + " in MPI = " + text(totals.waitedNs) + " waiting + " + text(totals.workNs)
        + " transfer and work + " + text(totals.unexplainedNs) + " not explained";
}

Result<std::vector<MpiTime>> mpiTimes(const Experiment& experiment, const WaitStates& waits,
                                      const std::optional<TimeSpan>& window,
                                      std::span<const LocationId> locations, const Task& task)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "Times of calls need a trace; this archive has none.");
    MpiTimeSums sums(experiment, waits, window);
    for (std::size_t location = 0; location < experiment.trace->locations.size(); ++location) {
        if (task.stopRequested()) return cancelled();
        const LocationId id(location);
        if (locations.empty() || std::binary_search(locations.begin(), locations.end(), id)) sums.add(id);
    }
    return std::move(sums).finish();
}

std::string causeName(const Experiment& experiment, LocationId cause)
{
    return cause.valid() ? displayName(experiment.definitions, cause) : "not recorded";
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
