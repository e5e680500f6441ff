// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/time_tree.h"

#include <algorithm>
#include <bit>

namespace skein {

namespace {

constexpr std::uint32_t kIdle = CallPathId::kNone;
constexpr std::uint32_t kNodesBetweenQuestions = 4096;

struct Amount {
    std::uint32_t callPath;
    TimeNs time;
};

/// Adds amounts by call path in time proportional to their number; empty again after each use.
class Tally {
public:
    Tally(std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount)
        : regionOf_(regionOfCallPath), byCallPath_(regionOfCallPath.size()), byRegion_(regionCount)
    {
    }

    /// Adds up the amounts from `first` on, so that each call path stands there once.
    void merge(std::vector<Amount>& amounts, std::size_t first)
    {
        std::size_t kept = first;
        for (std::size_t index = first; index < amounts.size(); ++index) {
            const Amount amount = amounts[index];
            if (byCallPath_[amount.callPath] == 0) amounts[kept++].callPath = amount.callPath;
            byCallPath_[amount.callPath] += amount.time;
        }
        amounts.resize(kept);
        for (std::size_t index = first; index < kept; ++index) {
            amounts[index].time = byCallPath_[amounts[index].callPath];
            byCallPath_[amounts[index].callPath] = 0;
        }
    }

    struct Winner {
        std::uint32_t callPath = kIdle;
        TimeNs regionTime = 0;
    };

    /// The call path that stands for merged amounts, and its region's time.
    Winner winner(std::span<const Amount> amounts)
    {
        for (const Amount& amount : amounts) byRegion_[regionOf_[amount.callPath]] += amount.time;
        Winner best;
        TimeNs pathTime = 0;
        for (const Amount& amount : amounts) {
            const TimeNs regionTime = byRegion_[regionOf_[amount.callPath]];
            if (regionTime < best.regionTime) continue;
            const bool first = best.callPath == kIdle || regionTime > best.regionTime;
            const std::uint32_t region = regionOf_[amount.callPath];
            const std::uint32_t bestRegion = first ? region : regionOf_[best.callPath];
            const bool better = first || region < bestRegion ||
                                (region == bestRegion && (amount.time > pathTime || (amount.time == pathTime &&
                                                                                     amount.callPath < best.callPath)));
            if (!better) continue;
            best = {amount.callPath, regionTime};
            pathTime = amount.time;
        }
        for (const Amount& amount : amounts) byRegion_[regionOf_[amount.callPath]] = 0;
        return best;
    }

private:
    std::span<const std::uint32_t> regionOf_;
    std::vector<TimeNs> byCallPath_;
    std::vector<TimeNs> byRegion_;
};

}  // namespace

/// Goes once through the calls in the order of time while it goes through the tree from left to right.
class TimeTreeBuilder {
public:
    TimeTreeBuilder(std::span<const CallIntervals* const> locations, std::span<const std::uint32_t> regionOfCallPath,
                    std::uint32_t regionCount, const Task& task)
        : tally_(regionOfCallPath, regionCount), task_(task)
    {
        std::size_t calls = 0;
        for (const CallIntervals* location : locations) {
            members_.push_back({location, static_cast<std::uint32_t>(location->size()), 0, {}});
            calls += location->size();
        }
        const std::size_t expected = (calls == 0 ? 0 : 4 * calls / TimeTree::kLeafCalls) + 16;
        callPath_.reserve(expected);
        child_.reserve(expected);
        share_.reserve(expected);
    }

    std::optional<TimeTree> build()
    {
        TimeTree tree;
        TimeNs last = -1;
        for (const Member& member : members_)
            if (member.count > 0) last = std::max(last, *std::max_element(member.calls->end.begin(), member.calls->end.end()));
        if (last < 0) return tree;
        tree.rootBits_ = std::min(62, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<TimeNs>(last, 1)))));
        append();
        visit(0, 0, TimeNs{1} << tree.rootBits_);
        if (stopped_) return std::nullopt;
        layOut(tree);
        return tree;
    }

private:
    /// How far a location's calls were gone through.
    struct Member {
        const CallIntervals* calls;
        std::uint32_t count;
        std::uint32_t next;
        std::vector<std::uint32_t> open;

        /// How many calls begin before a time, of those not gone through. O(log of their number).
        std::uint32_t callsUntil(TimeNs end) const
        {
            const TimeNs* const begins = calls->begin.data();
            std::uint32_t from = next, to = next;
            for (std::uint32_t step = 1; to < count && begins[to] < end; step *= 2) {
                from = to + 1;
                to = step < count - to ? to + step : count;
            }
            return static_cast<std::uint32_t>(std::lower_bound(begins + from, begins + to, end) - begins) - next;
        }

        bool quietUntil(TimeNs end) const
        {
            return (next == count || calls->begin[next] >= end) && (open.empty() || calls->end[open.back()] >= end);
        }
    };

    std::uint32_t append()
    {
        const auto index = static_cast<std::uint32_t>(callPath_.size());
        callPath_.push(kIdle);
        child_.push(0);
        share_.push(TimeTree::kUniform);
        if (index / 64 >= leaf_.size()) leaf_.push(0);
        return index;
    }

    bool isLeaf(std::uint32_t node) const { return (leaf_[node / 64] >> node % 64 & 1) != 0; }

    /// Puts the nodes into the order of their levels, within a level into that of time.
    void layOut(TimeTree& tree)
    {
        const auto count = static_cast<std::uint32_t>(callPath_.size());
        ColumnBuilder<std::uint32_t> order, callPath, child;
        ColumnBuilder<std::uint8_t> share;
        ColumnBuilder<std::uint64_t> leaf;
        order.reserve(count);
        callPath.reserve(count);
        child.reserve(count);
        share.reserve(count);
        leaf.reserve(count / 64 + 1);
        order.push(0);
        for (std::uint32_t node = 0; node < count; ++node) {
            const std::uint32_t old = order[node];
            if (node % 64 == 0) leaf.push(0);
            leaf.back() |= std::uint64_t{isLeaf(old)} << node % 64;
            callPath.push(callPath_[old]);
            share.push(share_[old]);
            child.push(isLeaf(old) ? child_[old] : static_cast<std::uint32_t>(order.size()));
            if (isLeaf(old)) continue;
            order.push(child_[old]);
            order.push(child_[old] + 1);
        }
        tree.callPath_ = callPath.finish();
        tree.child_ = child.finish();
        tree.share_ = share.finish();
        tree.leaf_ = leaf.finish();
    }

    /// Whether more calls begin before `end` than a leaf may hold.
    bool crowded(TimeNs end) const
    {
        std::uint32_t found = 0;
        for (const Member& member : members_)
            for (std::uint32_t call = member.next; call < member.count && member.calls->begin[call] < end; ++call)
                if (++found > TimeTree::kLeafCalls) return true;
        return false;
    }

    /// Leaves the node's amounts at the end of amounts_.
    void visit(std::uint32_t node, TimeNs begin, TimeNs end)
    {
        if (stopped_ || (++visited_ % kNodesBetweenQuestions == 0 && task_.stopRequested())) {
            stopped_ = true;
            return;
        }
        const bool one = members_.size() == 1;
        if (one) callsAround_.push_back(members_.front().callsUntil(end));
        if (end - begin > 1 && (crowded(end) || busyAround(end))) visitInner(node, begin, end);
        else visitLeaf(node, begin, end);
        if (one) callsAround_.pop_back();
    }

    /// Whether something begins or ends before `end` and many calls begin around it.
    bool busyAround(TimeNs end) const
    {
        if (callsAround_.empty()) return false;
        const std::size_t ancestor = callsAround_.size() - 1 - std::min<std::size_t>(callsAround_.size() - 1, TimeTree::kAroundLevels);
        return callsAround_[ancestor] > TimeTree::kBusyCalls && !members_.front().quietUntil(end);
    }

    void visitInner(std::uint32_t node, TimeNs begin, TimeNs end)
    {
        const std::size_t first = amounts_.size();
        const std::uint32_t leftChild = append();
        append();
        child_[node] = leftChild;
        const TimeNs middle = begin + (end - begin) / 2;
        visit(leftChild, begin, middle);
        visit(leftChild + 1, middle, end);
        setWinner(node, first, end - begin);
    }

    void visitLeaf(std::uint32_t node, TimeNs begin, TimeNs end)
    {
        leaf_[node / 64] |= std::uint64_t{1} << node % 64;
        const bool one = members_.size() == 1;
        const bool quiet = std::all_of(members_.begin(), members_.end(), [&](const Member& member) { return member.quietUntil(end); });
        child_[node] = one ? members_.front().next : quiet ? TimeTree::kSteady : 0;
        if (one && quiet) return visitUniform(node, members_.front(), end - begin);
        const std::size_t first = amounts_.size();
        std::uint32_t instant = kIdle;
        for (Member& member : members_) {
            const std::uint32_t firstCall = member.next;
            collect(member, begin, end);
            if (member.next > firstCall && instant == kIdle) instant = member.calls->callPath[firstCall];
        }
        // Calls without any duration where nothing else runs would leave no trace.
        if (amounts_.size() == first && instant != kIdle) amounts_.push_back({instant, 1});
        setWinner(node, first, end - begin);
    }

    void visitUniform(std::uint32_t node, const Member& member, TimeNs length)
    {
        if (member.open.empty()) return;
        callPath_[node] = member.calls->callPath[member.open.back()];
        amounts_.push_back({callPath_[node], length});
    }

    /// Appends the own time of every call of a location within the span.
    void collect(Member& member, TimeNs begin, TimeNs end)
    {
        const CallIntervals& calls = *member.calls;
        TimeNs now = begin;
        for (;;) {
            const TimeNs entry = member.next < member.count ? calls.begin[member.next] : end;
            const TimeNs until = std::min(entry, end);
            while (!member.open.empty() && calls.end[member.open.back()] <= until) {
                add(member, now, calls.end[member.open.back()]);
                now = std::max(now, calls.end[member.open.back()]);
                member.open.pop_back();
            }
            add(member, now, until);
            now = std::max(now, until);
            if (entry >= end || member.next == member.count) return;
            member.open.push_back(member.next++);
        }
    }

    void add(const Member& member, TimeNs from, TimeNs to)
    {
        if (!member.open.empty() && to > from) amounts_.push_back({member.calls->callPath[member.open.back()], to - from});
    }

    void setWinner(std::uint32_t node, std::size_t first, TimeNs length)
    {
        tally_.merge(amounts_, first);
        const auto winner = tally_.winner(std::span(amounts_).subspan(first));
        if (winner.callPath == kIdle) return;
        callPath_[node] = winner.callPath;
        const double whole = static_cast<double>(length) * static_cast<double>(members_.size());
        const double part = static_cast<double>(winner.regionTime) / whole;
        share_[node] = static_cast<std::uint8_t>(std::clamp(static_cast<int>(part * 254), 1, 254));
    }

    std::vector<Member> members_;
    Tally tally_;
    const Task& task_;
    ColumnBuilder<std::uint32_t> callPath_, child_;
    ColumnBuilder<std::uint8_t> share_;
    ColumnBuilder<std::uint64_t> leaf_;
    std::vector<Amount> amounts_;
    std::vector<std::uint32_t> callsAround_;  ///< that begin in the node and in those above it, from the root on; of one location
    std::uint32_t visited_ = 0;
    bool stopped_ = false;
};

std::optional<TimeTree> buildTimeTree(const CallIntervals& calls, std::span<const std::uint32_t> regionOfCallPath,
                                      std::uint32_t regionCount, const Task& task)
{
    const CallIntervals* const one = &calls;
    return TimeTreeBuilder(std::span(&one, 1), regionOfCallPath, regionCount, task).build();
}

std::optional<TimeTree> buildBundleTree(std::span<const CallIntervals* const> locations,
                                        std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount,
                                        const Task& task)
{
    return TimeTreeBuilder(locations, regionOfCallPath, regionCount, task).build();
}

}  // namespace skein
