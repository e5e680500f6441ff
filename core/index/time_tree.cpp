// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/time_tree.h"

#include "core/base/block_storage.h"
#include "core/base/read_ahead.h"

#include <algorithm>
#include <bit>

namespace skein {

namespace {

constexpr std::uint32_t kIdle = CallPathId::kNone;
constexpr std::uint32_t kNodesBetweenQuestions = 4096;

}  // namespace

/// Goes once through the calls in the order of time while it goes through the tree from left to right.
class TimeTreeBuilder {
public:
    /// `leads` of several locations; null for one.
    TimeTreeBuilder(std::span<const CallIntervals* const> locations, const Leads* leads,
                    std::span<const std::uint32_t> regionOfCallPath, std::uint32_t regionCount,
                    const Task& task)
        : leads_(leads), tally_(regionOfCallPath, regionCount), task_(task), regionCount_(regionCount)
    {
        for (const CallIntervals* location : locations)
            members_.push_back({location, static_cast<std::uint32_t>(location->size()), 0, {}});
        const std::size_t expected = 16
            + (leads ? 4 * leads->size() / BundleTree::kLeafLeads
                     : 4 * locations.front()->size() / TimeTree::kLeafCalls);
        callPath_.reserve(expected);
        child_.reserve(expected);
        share_.reserve(expected);
        others_.reserve(expected);
    }

    std::optional<TimeTree> build()
    {
        TimeTree tree;
        TimeNs last = -1;
        for (const Member& member : members_)
            if (member.count > 0)
                last = std::max(last, *std::max_element(member.calls->end.begin(), member.calls->end.end()));
        if (last < 0) return tree;
        tree.rootBits_ = std::min(
            62, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<TimeNs>(last, 1)))));
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
            return static_cast<std::uint32_t>(std::lower_bound(begins + from, begins + to, end) - begins)
                - next;
        }

        bool quietUntil(TimeNs end) const
        {
            return (next == count || calls->begin[next] >= end)
                && (open.empty() || calls->end[open.back()] >= end);
        }
    };

    std::uint32_t append()
    {
        const auto index = static_cast<std::uint32_t>(callPath_.size());
        callPath_.push(kIdle);
        child_.push(0);
        share_.push(TimeTree::kUniform);
        others_.push({});
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
        ColumnBuilder<OtherRegions> others;
        ColumnBuilder<std::uint32_t> othersBefore;
        order.reserve(count);
        callPath.reserve(count);
        child.reserve(count);
        share.reserve(count);
        leaf.reserve(count / 64 + 1);
        order.push(0);
        for (std::uint32_t node = 0; node < count; ++node) {
            const std::uint32_t old = order[node];
            if (node % 64 == 0) {
                leaf.push(0);
                othersBefore.push(static_cast<std::uint32_t>(others.size()));
            }
            if (share_[old] != TimeTree::kUniform) others.push(others_[old]);
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
        tree.others_ = others.finish();
        tree.othersBefore_ = othersBefore.finish();
    }

    /// Whether more calls begin, or more regions lead, before `end` than in a leaf may.
    bool crowded(TimeNs end) const
    {
        if (leads_)
            return lead_ + BundleTree::kLeafLeads < leads_->size()
                && leads_->begin(lead_ + BundleTree::kLeafLeads) < end;
        const Member& member = members_.front();
        const std::uint32_t most = member.next + TimeTree::kLeafCalls;
        return most < member.count && member.calls->begin[most] < end;
    }

    /// Leaves the node's amounts at the end of amounts_.
    void visit(std::uint32_t node, TimeNs begin, TimeNs end)
    {
        if (stopped_ || (++visited_ % kNodesBetweenQuestions == 0 && task_.stopRequested())) {
            stopped_ = true;
            return;
        }
        around_.push_back(leads_ ? leadsUntil(end) : members_.front().callsUntil(end));
        if (end - begin > 1 && (crowded(end) || busyAround(end))) visitInner(node, begin, end);
        else visitLeaf(node, begin, end);
        around_.pop_back();
    }

    /// How many lead first before `end`, of those not gone through. O(log of their number).
    std::uint32_t leadsUntil(TimeNs end) const
    {
        const auto begins = leads_->begins();
        std::size_t reach = 1;
        while (lead_ + reach < begins.size() && begins[lead_ + reach] < end) reach *= 2;
        const auto from = begins.begin() + static_cast<std::ptrdiff_t>(lead_ + reach / 2);
        const auto to = begins.begin() + static_cast<std::ptrdiff_t>(std::min(lead_ + reach, begins.size()));
        return static_cast<std::uint32_t>(std::lower_bound(from, to, end) - begins.begin()) - lead_;
    }

    /// Whether something begins or ends before `end` and many calls begin around it, or much leads.
    bool busyAround(TimeNs end) const
    {
        const std::uint32_t many =
            around_[around_.size() - 1 - std::min<std::size_t>(around_.size() - 1, TimeTree::kAroundLevels)];
        if (leads_) return many > BundleTree::kBusyLeads;
        return many > TimeTree::kBusyCalls && !members_.front().quietUntil(end);
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
        child_[node] = leads_ ? lead_ : members_.front().next;
        if (leads_) passLeads(end);
        else if (members_.front().quietUntil(end)) return visitUniform(node, members_.front(), end - begin);
        const std::size_t first = amounts_.size();
        std::uint32_t instant = kIdle;
        for (Member& member : members_) {
            const std::uint32_t firstCall = member.next;
            collect(member, begin, end);
            askAfter(member.next - firstCall);
            if (member.next > firstCall && instant == kIdle) instant = member.calls->callPath[firstCall];
        }
        // Calls without any duration where nothing else runs would leave no trace.
        if (amounts_.size() == first && instant != kIdle) amounts_.push_back({instant, 1});
        setWinner(node, first, end - begin);
    }

    /// Now and then whether to stop.
    void askAfter(std::size_t calls)
    {
        passed_ += calls;
        if (passed_ <= kCallsBetweenQuestions) return;
        passed_ = 0;
        stopped_ |= task_.stopRequested();
    }

    /// To the one that leads at `end`.
    void passLeads(TimeNs end)
    {
        while (lead_ + 1 < leads_->size() && leads_->begin(lead_ + 1) <= end) ++lead_;
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
        if (!member.open.empty() && to > from)
            amounts_.push_back({member.calls->callPath[member.open.back()], to - from});
    }

    void setWinner(std::uint32_t node, std::size_t first, TimeNs length)
    {
        tally_.merge(amounts_, first);
        if (amounts_.size() == first) return;
        const auto division = tally_.divide(std::span(amounts_).subspan(first), debtsOfLevel());
        callPath_[node] = division.first.callPath;
        const double whole = static_cast<double>(length) * static_cast<double>(members_.size());
        others_[node] = division.others(whole);
        const double part = static_cast<double>(division.first.time) / whole;
        share_[node] = static_cast<std::uint8_t>(std::clamp(static_cast<int>(part * 254), 1, 254));
    }

    /// What stands for the rest is fair within each level, of which a picture looks at one.
    RestDebts& debtsOfLevel()
    {
        if (debts_.size() < around_.size()) debts_.resize(around_.size(), RestDebts(regionCount_));
        return debts_[around_.size() - 1];
    }

    const Leads* leads_;
    std::uint32_t lead_ = 0;  ///< where the tree has been gone through to
    std::vector<Member> members_;
    RegionTally tally_;
    const Task& task_;
    ColumnBuilder<std::uint32_t> callPath_, child_;
    ColumnBuilder<std::uint8_t> share_;
    ColumnBuilder<OtherRegions> others_;
    ColumnBuilder<std::uint64_t> leaf_;
    std::vector<RestDebts> debts_;  ///< a level
    std::uint32_t regionCount_;
    std::vector<PathTime> amounts_;
    std::vector<std::uint32_t>
        around_;  ///< calls that begin, or leads, in the node and in those above it, from the root on
    std::uint32_t visited_ = 0;
    std::size_t passed_ = 0;  ///< calls, since whether to stop was asked
    bool stopped_ = false;
};

std::optional<TimeTree> buildTimeTree(const CallIntervals& calls,
                                      std::span<const std::uint32_t> regionOfCallPath,
                                      std::uint32_t regionCount, const Task& task)
{
    const CallIntervals* const one = &calls;
    return TimeTreeBuilder(std::span(&one, 1), nullptr, regionOfCallPath, regionCount, task).build();
}

std::optional<BundleTree> buildBundleTree(std::span<const CallIntervals* const> locations,
                                          std::span<const std::uint32_t> regionOfCallPath,
                                          std::uint32_t regionCount, const Task& task)
{
    std::optional<Leads> leads = findLeads(locations, regionOfCallPath, regionCount, task);
    if (!leads) return std::nullopt;
    std::optional<TimeTree> tree =
        TimeTreeBuilder(locations, &*leads, regionOfCallPath, regionCount, task).build();
    if (!tree) return std::nullopt;
    return BundleTree{std::move(*tree), std::move(*leads)};
}

void TimeTree::expect(std::size_t nodes) const
{
    readAhead(callPath_, 0, nodes);
    readAhead(child_, 0, nodes);
    readAhead(share_, 0, nodes);
    readAhead(leaf_, 0, nodes / 64 + 1);
    readAhead(others_, 0, nodes);
    readAhead(othersBefore_, 0, nodes / 64 + 1);
}

void TimeTree::moveTo(BlockStorage& storage)
{
    storage.move(callPath_, child_, share_, leaf_, others_, othersBefore_);
}

void BundleTree::moveTo(BlockStorage& storage)
{
    tree.moveTo(storage);
    leads.moveTo(storage);
}

}  // namespace skein
