// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

/// How the calls of one location lie in each other: they stand in the order of their entry, so what a call
/// contains follows it directly, one deeper at least. IntervalSkip finds callers without a look at the calls
/// between; these need no index.
namespace skein {

/// Calls visit(call) for the last call before `call` and for those around it, from the inside out: all that
/// can be open when `call` is entered. O(calls that are passed over).
template <typename Visit>
void forEachOpenBefore(const CallIntervals& calls, std::size_t call, Visit visit)
{
    std::uint32_t depth = std::numeric_limits<std::uint32_t>::max();
    while (call-- > 0 && depth > 0) {
        if (calls.depth[call] >= depth) continue;
        depth = calls.depth[call];
        visit(static_cast<std::uint32_t>(call));
    }
}

/// The call around `call`; kNoInterval for an outermost one. O(calls between).
inline std::uint32_t callerOf(const CallIntervals& calls, std::uint32_t call)
{
    const std::uint16_t depth = calls.depth[call];
    if (depth == 0) return kNoInterval;
    while (call-- > 0)
        if (calls.depth[call] < depth) return call;
    return kNoInterval;
}

/// Time in the calls directly below; nullopt where more than `mostCalls` lie below it at any depth. O(those).
inline std::optional<TimeNs> timeInCallees(const CallIntervals& calls, std::uint32_t call,
                                           std::size_t mostCalls)
{
    TimeNs sum = 0;
    const std::uint32_t depth = calls.depth[call];
    for (std::size_t below = call + std::size_t{1}; below < calls.size() && calls.depth[below] > depth;
         ++below) {
        if (below - call > mostCalls) return std::nullopt;
        if (calls.depth[below] == depth + 1) sum += calls.end[below] - calls.begin[below];
    }
    return sum;
}

/// The calls that are open while a location's calls are entered one after the other. What it looks at must
/// outlive it.
class OpenCalls {
public:
    explicit OpenCalls(const CallIntervals& calls) : calls_(calls) {}

    bool empty() const { return open_.empty(); }
    std::uint32_t innermost() const { return open_.back(); }
    void leave() { open_.pop_back(); }

    /// Calls leave() of its own, or of whoever counts along, for every call that does not contain this one;
    /// it is entered then.
    template <typename Leave>
    void enter(std::uint32_t call, Leave leaveInnermost)
    {
        while (!open_.empty() && calls_.depth[open_.back()] >= calls_.depth[call]) leaveInnermost();
        open_.push_back(call);
    }
    void enter(std::uint32_t call)
    {
        enter(call, [this] { leave(); });
    }

private:
    const CallIntervals& calls_;
    std::vector<std::uint32_t> open_;
};

}  // namespace skein
