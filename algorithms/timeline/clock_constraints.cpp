// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/clock_constraints.h"

#include <algorithm>
#include <unordered_map>

namespace skein::clocks {
namespace {

/// Who has to wait for whom in a collective operation.
enum class Waiting { None, AllForAll, AllForRoot, RootForAll };

Waiting waitingOf(CollectiveKind kind)
{
    switch (kind) {
    case CollectiveKind::Barrier:
    case CollectiveKind::AllGather:
    case CollectiveKind::AllToAll:
    case CollectiveKind::AllReduce:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::ReduceScatterBlock: return Waiting::AllForAll;
    case CollectiveKind::Broadcast:
    case CollectiveKind::Scatter: return Waiting::AllForRoot;
    case CollectiveKind::Gather:
    case CollectiveKind::Reduce: return Waiting::RootForAll;
    default: return Waiting::None;
    }
}

bool lower(TimeNs& bound, TimeNs value)
{
    if (value >= bound) return false;
    bound = value;
    return true;
}

}  // namespace

std::vector<std::uint32_t> clocksOfLocations(const Definitions& definitions)
{
    const auto& groups = definitions.locationGroups;
    std::vector<std::uint32_t> clocks;
    clocks.reserve(definitions.locations.size());
    for (const Location& location : definitions.locations) {
        LocationGroupId group = location.group;
        if (group.index() < groups.size() && groups[group.index()].creator.index() < groups.size())
            group = groups[group.index()].creator;
        clocks.push_back(group.index() < groups.size() ? group.value() : kNoClock);
    }
    return clocks;
}

Constraints::Constraints(const Experiment& experiment, const std::vector<std::uint32_t>& clocks,
                         const std::optional<TimeSpan>& span, const Correction& corrected)
    : clocks_(experiment.definitions.locationGroups.size())
{
    addMessages(*experiment.trace, clocks, span, corrected);
    addCollectives(*experiment.trace, clocks, span, corrected);
}

void Constraints::addMessages(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                              const std::optional<TimeSpan>& span, const Correction& corrected)
{
    std::unordered_map<std::uint64_t, std::size_t> known;
    for (const Message& message : trace.messages) {
        if (!message.matched() || (span && !span->contains(message.sendTime))) continue;
        if (message.sender.index() >= clocks.size() || message.receiver.index() >= clocks.size()) continue;
        const std::uint32_t from = clocks[message.sender.index()], to = clocks[message.receiver.index()];
        if (from == to || from == kNoClock || to == kNoClock) continue;
        const TimeNs delay = corrected(to, message.receiveTime) - corrected(from, message.sendTime);
        const auto [found, isNew] = known.try_emplace(std::uint64_t{from} << 32 | to, messages_.size());
        if (isNew) messages_.push_back({from, to, delay});
        else lower(messages_[found->second].bound, delay);
    }
}

void Constraints::addCollectives(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                                 const std::optional<TimeSpan>& span, const Correction& corrected)
{
    for (const CollectiveOperation& operation : trace.collectives) {
        const Waiting waiting = waitingOf(operation.kind);
        if (waiting == Waiting::None || (span && !span->contains(operation.begin))) continue;
        Rendezvous rendezvous{enters_.size(), 0, leaves_.size(), 0};
        for (const CollectiveMember& member :
             trace.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount)) {
            if (member.location.index() >= clocks.size() || clocks[member.location.index()] == kNoClock)
                continue;
            const std::uint32_t clock = clocks[member.location.index()];
            const bool isRoot = member.location == operation.root;
            if (waiting != Waiting::AllForRoot || isRoot)
                enters_.push_back({clock, corrected(clock, member.begin)});
            if (waiting != Waiting::RootForAll || isRoot)
                leaves_.push_back({clock, corrected(clock, member.end)});
        }
        rendezvous.enterCount = enters_.size() - rendezvous.firstEnter;
        rendezvous.leaveCount = leaves_.size() - rendezvous.firstLeave;
        if (rendezvous.enterCount > 0 && rendezvous.leaveCount > 0) rendezvous_.push_back(rendezvous);
    }
}

/// Bellman and Ford: a shortest path has fewer edges than there are clocks, so whoever still changes then
/// goes in circles.
template <typename Pass>
bool Constraints::settle(std::vector<TimeNs>& bounds, Pass pass) const
{
    const std::vector<TimeNs> known = bounds;
    for (std::size_t passes = 0; passes <= clocks_ + 1; ++passes) {
        if (!pass(bounds)) return true;
        for (std::size_t clock = 0; clock < known.size(); ++clock)
            if (known[clock] < kUnbounded && bounds[clock] < known[clock]) return false;
    }
    return false;
}

bool Constraints::tightenUpper(std::vector<TimeNs>& upper, TimeNs slack) const
{
    return settle(upper, [&](std::vector<TimeNs>& bounds) {
        bool changed = false;
        for (const MessageBound& message : messages_)
            if (bounds[message.from] < kUnbounded)
                changed |= lower(bounds[message.to], bounds[message.from] + message.bound + slack);
        for (const Rendezvous& all : rendezvous_) {
            TimeNs latest = kUnbounded;  // of the negated true time at which the last one entered
            for (std::size_t i = all.firstEnter; i < all.firstEnter + all.enterCount; ++i)
                if (bounds[enters_[i].clock] < kUnbounded)
                    lower(latest, bounds[enters_[i].clock] - enters_[i].begin);
            if (latest == kUnbounded) continue;
            for (std::size_t i = all.firstLeave; i < all.firstLeave + all.leaveCount; ++i)
                changed |= lower(bounds[leaves_[i].clock], latest + leaves_[i].end + slack);
        }
        return changed;
    });
}

bool Constraints::tightenLower(std::vector<TimeNs>& negatedLower, TimeNs slack) const
{
    return settle(negatedLower, [&](std::vector<TimeNs>& bounds) {
        bool changed = false;
        for (const MessageBound& message : messages_)
            if (bounds[message.to] < kUnbounded)
                changed |= lower(bounds[message.from], bounds[message.to] + message.bound + slack);
        for (const Rendezvous& all : rendezvous_) {
            TimeNs earliest = kUnbounded;  // the true time at which the first one left
            for (std::size_t i = all.firstLeave; i < all.firstLeave + all.leaveCount; ++i)
                if (bounds[leaves_[i].clock] < kUnbounded)
                    lower(earliest, bounds[leaves_[i].clock] + leaves_[i].end);
            if (earliest == kUnbounded) continue;
            for (std::size_t i = all.firstEnter; i < all.firstEnter + all.enterCount; ++i)
                changed |= lower(bounds[enters_[i].clock], earliest - enters_[i].begin + slack);
        }
        return changed;
    });
}

namespace {

void note(Violations& violations, TimeNs byNs)
{
    if (byNs <= 0) return;
    ++violations.count;
    violations.worstNs = std::max(violations.worstNs, byNs);
}

void noteCollective(Violations& violations, std::span<const CollectiveMember> members,
                    const CollectiveOperation& operation, const std::vector<std::uint32_t>& clocks,
                    const Correction& corrected)
{
    const Waiting waiting = waitingOf(operation.kind);
    const auto clockOf = [&](const CollectiveMember& member) {
        return member.location.index() < clocks.size() ? clocks[member.location.index()] : kNoClock;
    };
    TimeNs lastEnter = std::numeric_limits<TimeNs>::min();
    for (const CollectiveMember& member : members)
        if (clockOf(member) != kNoClock
            && (waiting != Waiting::AllForRoot || member.location == operation.root))
            lastEnter = std::max(lastEnter, corrected(clockOf(member), member.begin));
    if (lastEnter == std::numeric_limits<TimeNs>::min()) return;
    for (const CollectiveMember& member : members)
        if (clockOf(member) != kNoClock
            && (waiting != Waiting::RootForAll || member.location == operation.root))
            note(violations, lastEnter - corrected(clockOf(member), member.end));
}

}  // namespace

Violations violationsOf(const Experiment& experiment, const std::vector<std::uint32_t>& clocks,
                        const Correction& corrected)
{
    Violations violations;
    const Trace& trace = *experiment.trace;
    for (const Message& message : trace.messages) {
        if (!message.matched() || message.sender.index() >= clocks.size()
            || message.receiver.index() >= clocks.size())
            continue;
        const std::uint32_t from = clocks[message.sender.index()], to = clocks[message.receiver.index()];
        if (from == to || from == kNoClock || to == kNoClock) continue;
        note(violations, corrected(from, message.sendTime) - corrected(to, message.receiveTime));
    }
    for (const CollectiveOperation& operation : trace.collectives)
        if (waitingOf(operation.kind) != Waiting::None)
            noteCollective(
                violations,
                trace.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount),
                operation, clocks, corrected);
    return violations;
}

}  // namespace skein::clocks
