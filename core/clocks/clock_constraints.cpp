// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/clock_constraints.h"

#include <algorithm>

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

bool lowerTo(TimeNs& bound, TimeNs value)
{
    if (value >= bound) return false;
    bound = value;
    return true;
}

}  // namespace

void Constraints::addCollectives(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                                 const Correction& corrected)
{
    addCollectives(trace, clocks, corrected, 0, trace.collectives.size(), trace.collectiveMembers.size());
}

void Constraints::addCollectives(const Trace& trace, const std::vector<std::uint32_t>& clocks,
                                 const Correction& corrected, std::size_t first, std::size_t last,
                                 std::size_t most)
{
    std::size_t members = 0;
    for (std::size_t row = first; row < last; ++row) members += trace.collectives[row].memberCount;
    const std::size_t step = std::max<std::size_t>(1, members / std::max<std::size_t>(1, most));
    for (std::size_t row = first; row < last; row = nextOfWalk(row, step)) {
        const CollectiveOperation& operation = trace.collectives[row];
        addCollective(operation,
                      trace.collectiveMembers.span().subspan(operation.firstMember, operation.memberCount),
                      clocks, corrected);
    }
}

void Constraints::addCollective(const CollectiveOperation& operation,
                                std::span<const CollectiveMember> members,
                                const std::vector<std::uint32_t>& clocks, const Correction& corrected)
{
    const Waiting waiting = waitingOf(operation.kind);
    if (waiting == Waiting::None) return;
    Rendezvous rendezvous{enters_.size(), 0, leaves_.size(), 0};
    for (const CollectiveMember& member : members) {
        if (member.location.index() >= clocks.size() || clocks[member.location.index()] == kNoClock) continue;
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

/// Tells every leave by how much it comes too early; above 0 where it does.
template <typename Early>
void Constraints::eachEarlyLeave(const std::vector<TimeNs>& shifts, Early early) const
{
    for (const Rendezvous& all : rendezvous_) {
        TimeNs lastEnter = std::numeric_limits<TimeNs>::min();
        for (std::size_t i = all.firstEnter; i < all.firstEnter + all.enterCount; ++i)
            lastEnter = std::max(lastEnter, enters_[i].begin - shifts[enters_[i].clock]);
        for (std::size_t i = all.firstLeave; i < all.firstLeave + all.leaveCount; ++i)
            early(lastEnter - (leaves_[i].end - shifts[leaves_[i].clock]));
    }
}

Violations Constraints::violations() const
{
    Violations found = messages_.violations;
    eachEarlyLeave(std::vector<TimeNs>(clocks_), [&](TimeNs byNs) { found.note(byNs); });
    return found;
}

TimeNs Constraints::worstAfter(const std::vector<TimeNs>& shifts) const
{
    TimeNs worst = 0;
    for (const MessageBound& message : messages_.shortest)
        worst = std::max(worst, shifts[message.to] - shifts[message.from] - message.bound);
    eachEarlyLeave(shifts, [&](TimeNs byNs) { worst = std::max(worst, byNs); });
    return worst;
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
        for (const MessageBound& message : messages_.shortest)
            if (bounds[message.from] < kUnbounded)
                changed |= lowerTo(bounds[message.to], bounds[message.from] + message.bound + slack);
        for (const Rendezvous& all : rendezvous_) {
            TimeNs latest = kUnbounded;  // of the negated true time at which the last one entered
            for (std::size_t i = all.firstEnter; i < all.firstEnter + all.enterCount; ++i)
                if (bounds[enters_[i].clock] < kUnbounded)
                    lowerTo(latest, bounds[enters_[i].clock] - enters_[i].begin);
            if (latest == kUnbounded) continue;
            for (std::size_t i = all.firstLeave; i < all.firstLeave + all.leaveCount; ++i)
                changed |= lowerTo(bounds[leaves_[i].clock], latest + leaves_[i].end + slack);
        }
        return changed;
    });
}

bool Constraints::tightenLower(std::vector<TimeNs>& negatedLower, TimeNs slack) const
{
    return settle(negatedLower, [&](std::vector<TimeNs>& bounds) {
        bool changed = false;
        for (const MessageBound& message : messages_.shortest)
            if (bounds[message.to] < kUnbounded)
                changed |= lowerTo(bounds[message.from], bounds[message.to] + message.bound + slack);
        for (const Rendezvous& all : rendezvous_) {
            TimeNs earliest = kUnbounded;  // the true time at which the first one left
            for (std::size_t i = all.firstLeave; i < all.firstLeave + all.leaveCount; ++i)
                if (bounds[leaves_[i].clock] < kUnbounded)
                    lowerTo(earliest, bounds[leaves_[i].clock] + leaves_[i].end);
            if (earliest == kUnbounded) continue;
            for (std::size_t i = all.firstEnter; i < all.firstEnter + all.enterCount; ++i)
                changed |= lowerTo(bounds[enters_[i].clock], earliest - enters_[i].begin + slack);
        }
        return changed;
    });
}

}  // namespace skein::clocks
