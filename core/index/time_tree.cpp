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
    TimeTreeBuilder(const CallIntervals& calls, std::span<const std::uint32_t> regionOfCallPath,
                    std::uint32_t regionCount, const Task& task)
        : calls_(calls), count_(static_cast<std::uint32_t>(calls.size())), tally_(regionOfCallPath, regionCount), task_(task)
    {
        const std::size_t expected = calls.size() / 2 + 16;
        callPath_.reserve(expected);
        child_.reserve(expected);
        share_.reserve(expected);
    }

    std::optional<TimeTree> build()
    {
        TimeTree tree;
        if (count_ == 0) return tree;
        const TimeNs last = *std::max_element(calls_.end.begin(), calls_.end.end());
        tree.rootBits_ = std::min(62, static_cast<int>(std::bit_width(static_cast<std::uint64_t>(std::max<TimeNs>(last, 1)))));
        append();
        visit(0, 0, TimeNs{1} << tree.rootBits_);
        if (stopped_) return std::nullopt;
        tree.callPath_ = callPath_.finish();
        tree.child_ = child_.finish();
        tree.share_ = share_.finish();
        tree.leaf_ = leaf_.finish();
        return tree;
    }

private:
    std::uint32_t append()
    {
        const auto index = static_cast<std::uint32_t>(callPath_.size());
        callPath_.push(kIdle);
        child_.push(0);
        share_.push(TimeTree::kUniform);
        if (index / 64 >= leaf_.size()) leaf_.push(0);
        return index;
    }

    /// Leaves the node's amounts at the end of amounts_.
    void visit(std::uint32_t node, TimeNs begin, TimeNs end)
    {
        if (stopped_ || (++visited_ % kNodesBetweenQuestions == 0 && task_.stopRequested())) {
            stopped_ = true;
            return;
        }
        const bool many = next_ + TimeTree::kLeafCalls < count_ && calls_.begin[next_ + TimeTree::kLeafCalls] < end;
        if (many && end - begin > 1) visitInner(node, begin, end);
        else visitLeaf(node, begin, end);
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
        child_[node] = next_;
        const std::size_t first = amounts_.size();
        const bool quiet = next_ == count_ || calls_.begin[next_] >= end;
        if (quiet && (open_.empty() || calls_.end[open_.back()] >= end)) {
            if (open_.empty()) return;
            callPath_[node] = calls_.callPath[open_.back()];
            amounts_.push_back({callPath_[node], end - begin});
            return;
        }
        const std::uint32_t firstCall = next_;
        collect(begin, end);
        // Calls without any duration where nothing else runs would leave no trace.
        if (amounts_.size() == first && next_ > firstCall) amounts_.push_back({calls_.callPath[firstCall], 1});
        setWinner(node, first, end - begin);
    }

    /// Appends the own time of every call within the span.
    void collect(TimeNs begin, TimeNs end)
    {
        TimeNs now = begin;
        for (;;) {
            const TimeNs entry = next_ < count_ ? calls_.begin[next_] : end;
            const TimeNs until = std::min(entry, end);
            while (!open_.empty() && calls_.end[open_.back()] <= until) {
                add(now, calls_.end[open_.back()]);
                now = std::max(now, calls_.end[open_.back()]);
                open_.pop_back();
            }
            add(now, until);
            now = std::max(now, until);
            if (entry >= end || next_ == count_) return;
            open_.push_back(next_++);
        }
    }

    void add(TimeNs from, TimeNs to)
    {
        if (!open_.empty() && to > from) amounts_.push_back({calls_.callPath[open_.back()], to - from});
    }

    void setWinner(std::uint32_t node, std::size_t first, TimeNs length)
    {
        tally_.merge(amounts_, first);
        const auto winner = tally_.winner(std::span(amounts_).subspan(first));
        if (winner.callPath == kIdle) return;
        callPath_[node] = winner.callPath;
        const double part = static_cast<double>(winner.regionTime) / static_cast<double>(length);
        share_[node] = static_cast<std::uint8_t>(std::clamp(static_cast<int>(part * 254), 1, 254));
    }

    const CallIntervals& calls_;
    std::uint32_t count_;
    Tally tally_;
    const Task& task_;
    ColumnBuilder<std::uint32_t> callPath_, child_;
    ColumnBuilder<std::uint8_t> share_;
    ColumnBuilder<std::uint64_t> leaf_;
    std::vector<Amount> amounts_;
    std::vector<std::uint32_t> open_;
    std::uint32_t next_ = 0;
    std::uint32_t visited_ = 0;
    bool stopped_ = false;
};

TimeTree::Node TimeTree::node(std::uint32_t index, TimeSpan span) const
{
    const bool leaf = (leaf_[index / 64] >> index % 64 & 1) != 0;
    return {span, index, callPath_[index], share_[index], leaf};
}

TimeTree::Node TimeTree::left(const Node& inner) const
{
    return node(child_[inner.index], {inner.span.begin, inner.span.begin + inner.span.lengthNs() / 2});
}

TimeTree::Node TimeTree::right(const Node& inner) const
{
    return node(child_[inner.index] + 1, {inner.span.begin + inner.span.lengthNs() / 2, inner.span.end});
}

std::optional<TimeTree> buildTimeTree(const CallIntervals& calls, std::span<const std::uint32_t> regionOfCallPath,
                                      std::uint32_t regionCount, const Task& task)
{
    return TimeTreeBuilder(calls, regionOfCallPath, regionCount, task).build();
}

}  // namespace skein
