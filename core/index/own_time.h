// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/interval_skip.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace skein {

/// Tells who runs itself when on one location, from any time on and as far as wanted. What it looks at must outlive it.
class OwnTimeWalker {
public:
    OwnTimeWalker(const CallIntervals& calls, const IntervalSkip& skip)
        : calls_(calls), skip_(skip), count_(static_cast<std::uint32_t>(calls.size()))
    {
    }

    TimeNs now() const { return now_; }

    /// Goes to a time; `next` is the first call that begins at or after it. O(depth · log calls).
    void seek(TimeNs time, std::uint32_t next)
    {
        now_ = time;
        next_ = next;
        open_.clear();
        outer_ = next == 0 ? kNoInterval : next - 1;
        while (outer_ != kNoInterval && calls_.end[outer_] <= time) outer_ = skip_.parent(calls_, outer_);
    }

    /// Calls visit(callPath, from, to) for the own time of every call up to `end`, in the order of time. A call without
    /// duration outside all others is told as well, with from = to. O(calls that begin or end on the way).
    template <typename Visit>
    void advance(TimeNs end, Visit visit)
    {
        for (;;) {
            const TimeNs entry = next_ < count_ ? calls_.begin[next_] : end;
            const TimeNs until = std::min(entry, end);
            // Calls that were open at the start are found one by one as those inside them end.
            std::uint32_t top = innermost();
            for (; top != kNoInterval && calls_.end[top] <= until; top = innermost()) {
                tell(top, calls_.end[top], visit);
                if (open_.empty()) outer_ = skip_.parent(calls_, outer_);
                else open_.pop_back();
            }
            if (top != kNoInterval) tell(top, until, visit);
            now_ = std::max(now_, until);
            if (entry >= end || next_ == count_) break;
            if (top == kNoInterval && calls_.end[next_] == entry) visit(calls_.callPath[next_], entry, entry);
            open_.push_back(next_++);
        }
        now_ = end;
    }

private:
    std::uint32_t innermost() const { return open_.empty() ? outer_ : open_.back(); }

    template <typename Visit>
    void tell(std::uint32_t call, TimeNs to, Visit& visit)
    {
        if (to > now_) visit(calls_.callPath[call], now_, to);
        now_ = std::max(now_, to);
    }

    const CallIntervals& calls_;
    const IntervalSkip& skip_;
    std::uint32_t count_;
    std::uint32_t next_ = 0;
    std::uint32_t outer_ = kNoInterval;  ///< around all of open_, and from before the time sought
    TimeNs now_ = kNoTime;
    std::vector<std::uint32_t> open_;
};

}  // namespace skein
