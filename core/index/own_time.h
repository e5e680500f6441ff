// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/interval_skip.h"
#include "core/trace/trace.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace skein {

/// Tells who runs itself when on one location, from any time on and as far as wanted. What it looks at must
/// outlive it.
class OwnTimeWalker {
public:
    OwnTimeWalker() = default;
    OwnTimeWalker(const CallIntervals& calls, const IntervalSkip& skip) { lookAt(calls, skip); }

    /// Goes on with another location, from a time that must be sought.
    void lookAt(const CallIntervals& calls, const IntervalSkip& skip)
    {
        calls_ = &calls;
        skip_ = &skip;
        count_ = static_cast<std::uint32_t>(calls.size());
        now_ = kNoTime;
    }

    /// Goes to a time; `next` is the first call that begins at or after it. Forwards over few calls it walks;
    /// otherwise O(depth · log calls).
    void seek(TimeNs time, std::uint32_t next)
    {
        if (time == now_) return;
        const bool walks = now_ != kNoTime && now_ < time && next >= next_ && next - next_ <= kFewCalls;
        if (walks) return advance(time, [](std::uint32_t, TimeNs, TimeNs) {});
        now_ = time;
        next_ = next;
        open_.clear();
        outer_ = next == 0 ? kNoInterval : next - 1;
        outerDepth_ = next == 0 ? -1 : calls_->depth[outer_];
        while (outer_ != kNoInterval && outerDepth_ >= depthOf(next) && calls_->end[outer_] <= time)
            leaveOuter();
    }

    /// Calls visit(callPath, from, to) for the own time of every call up to `end`, in the order of time. A
    /// call without duration outside all others is told as well, with from = to. O(calls that begin or end on
    /// the way).
    template <typename Visit>
    void advance(TimeNs end, Visit visit)
    {
        const TimeNs* const begins = calls_->begin.data();
        const TimeNs* const ends = calls_->end.data();
        const std::uint32_t* const callPaths = calls_->callPath.data();
        TimeNs now = now_;
        const auto run = [&](std::uint32_t callPath, TimeNs until) {
            if (until <= now) return;
            visit(callPath, now, until);
            now = until;
        };
        for (;;) {
            const TimeNs entry = next_ < count_ ? begins[next_] : kNever;
            const TimeNs until = std::min(entry, end);
            for (; !open_.empty() && open_.back().end <= until; open_.pop_back())
                run(open_.back().callPath, open_.back().end);
            if (open_.empty()) runOuter(until, run);
            else run(open_.back().callPath, until);
            now = std::max(now, until);
            if (entry >= end) break;
            const Open call{ends[next_], callPaths[next_]};
            if (call.end == entry && calls_->depth[next_] == 0) visit(call.callPath, entry, entry);
            open_.push_back(call);
            ++next_;
        }
        now_ = end;
    }

private:
    static constexpr TimeNs kNever = std::numeric_limits<TimeNs>::max();
    static constexpr std::uint32_t kFewCalls = 8;

    struct Open {
        TimeNs end;
        std::uint32_t callPath;
    };

    /// −1 behind the last call.
    int depthOf(std::uint32_t call) const { return call < count_ ? calls_->depth[call] : -1; }

    /// Those from before the time sought, up to the entry of the next call or an earlier time.
    template <typename Run>
    void runOuter(TimeNs until, Run run)
    {
        const int entryDepth = depthOf(next_);
        for (; outer_ != kNoInterval; leaveOuter()) {
            // Callers of the next call are open until then; their ends may be far away in memory.
            const bool goesOn = outerDepth_ < entryDepth || calls_->end[outer_] > until;
            run(calls_->callPath[outer_], goesOn ? until : calls_->end[outer_]);
            if (goesOn) return;
        }
    }
    /// Calls that were open at the start are found one by one as those inside them end.
    void leaveOuter()
    {
        outer_ = skip_->parent(*calls_, outer_);
        --outerDepth_;
    }

    const CallIntervals* calls_ = nullptr;
    const IntervalSkip* skip_ = nullptr;
    std::uint32_t count_ = 0;
    std::uint32_t next_ = 0;
    std::uint32_t outer_ = kNoInterval;  ///< around all of open_, and from before the time sought
    int outerDepth_ = -1;
    TimeNs now_ = kNoTime;
    std::vector<Open> open_;
};

}  // namespace skein
