// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/functions_of_calls.h"
#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <vector>

namespace skein {

inline constexpr std::size_t kMostLabelHeight = 8;

/// One call, measured when it ends.
struct MeasuredCall {
    std::uint32_t call = 0;      ///< its number among those of the location
    std::uint32_t function = 0;  ///< of FunctionsOfCalls
    TimeNs durationNs = 0;
    TimeNs ownNs = 0;    ///< without the calls in it
    TimeNs worksNs = 0;  ///< without the calls in it that block, at any depth; 0 for one that blocks itself
    std::uint32_t callees = 0;
    bool blocks = false;
    /// [h − 1]: which subtree of height h it is, see labelsOf in call_walk.h; 0 above the height of the walk.
    std::array<std::uint64_t, kMostLabelHeight> labels{};
};

/// Every bit of the result depends on every bit of the number (the finaliser of SplitMix64, Steele, Lea,
/// Flood, OOPSLA 2014).
constexpr std::uint64_t mixedLabel(std::uint64_t x)
{
    x += 0x9E3779B97F4A7C15ULL;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return x ^ (x >> 31);
}

/// Measures the calls of one location in the order of their ends; calls inside one that blocks are not
/// looked at. A label of height h is a hash of the function and of the multiset of the callees' labels of
/// height h − 1, as the features of subtree_labels.h: two different subtrees share one with a chance of
/// 2^-64. O(height) a call.
class CallWalk {
public:
    CallWalk(const CallIntervals& calls, const FunctionsOfCalls& functions, std::size_t labelHeight)
        : calls_(calls), functions_(functions), height_(labelHeight)
    {
    }

    /// Calls visit(MeasuredCall) for every call, and more() now and then, until that says no; false
    /// then.
    template <typename Visit, typename More>
    bool run(Visit visit, More more)
    {
        for (std::uint32_t call = 0; call < calls_.size(); ++call) {
            if (call % kCallsBetweenQuestions == 0 && !more()) return false;
            const std::uint16_t depth = calls_.depth[call];
            while (!open_.empty() && calls_.depth[open_.back().call] >= depth) leave(visit);
            if (!open_.empty() && open_.back().blocks) continue;
            enter(call);
        }
        while (!open_.empty()) leave(visit);
        return true;
    }

    /// The same for calls that end until then, going on from where it stopped; never mixed with run().
    template <typename Visit>
    void runUntil(TimeNs until, Visit visit)
    {
        while (true) {
            const bool any = next_ < calls_.size();
            const bool inner = any && !open_.empty() && calls_.depth[next_] > calls_.depth[open_.back().call];
            if (!open_.empty() && !inner) {
                if (calls_.end[open_.back().call] > until) return;
                leave(visit);
            } else if (!any || calls_.begin[next_] > until) {
                return;
            } else if (inner && open_.back().blocks) {
                ++next_;
            } else {
                enter(next_++);
            }
        }
    }

private:
    struct Frame {
        std::uint32_t call;
        std::uint32_t function;
        bool blocks;
        std::uint32_t callees;
        TimeNs inCallees;
        TimeNs blocked;
        std::array<std::uint64_t, kMostLabelHeight> sums;
    };

    void enter(std::uint32_t call)
    {
        Frame& frame = open_.emplace_back();
        frame.call = call;
        frame.function = functions_.of(calls_.callPath[call]);
        frame.blocks = functions_.blocks(frame.function);
        frame.callees = 0;
        frame.inCallees = frame.blocked = 0;
        for (std::size_t h = 0; h < height_; ++h) frame.sums[h] = 0;
    }

    template <typename Visit>
    void leave(Visit& visit)
    {
        const Frame& frame = open_.back();
        MeasuredCall measured;
        measured.call = frame.call;
        measured.function = frame.function;
        measured.durationNs = calls_.end[frame.call] - calls_.begin[frame.call];
        measured.ownNs = measured.durationNs - frame.inCallees;
        const TimeNs blocked = frame.blocks ? measured.durationNs : frame.blocked;
        measured.worksNs = measured.durationNs - blocked;
        measured.callees = frame.callees;
        measured.blocks = frame.blocks;
        const std::uint64_t own = mixedLabel(frame.function);
        for (std::size_t h = 0; h < height_; ++h) measured.labels[h] = mixedLabel(own ^ frame.sums[h]);
        open_.pop_back();
        if (!open_.empty()) tellCaller(open_.back(), measured, own, blocked);
        visit(measured);
    }

    void tellCaller(Frame& caller, const MeasuredCall& measured, std::uint64_t own, TimeNs blocked) const
    {
        ++caller.callees;
        caller.inCallees += measured.durationNs;
        caller.blocked += blocked;
        if (height_ > 0) caller.sums[0] += own;
        for (std::size_t h = 1; h < height_; ++h) caller.sums[h] += measured.labels[h - 1];
    }

    const CallIntervals& calls_;
    const FunctionsOfCalls& functions_;
    std::size_t height_;
    std::uint32_t next_ = 0;  ///< of runUntil()
    std::vector<Frame> open_;
};

}  // namespace skein
