// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/span_sums.h"

#include "core/index/first_call.h"
#include "core/trace/nested_calls.h"

#include <algorithm>
#include <iterator>

namespace skein {
namespace {

constexpr std::uint32_t kCallsBetweenStops = 1u << 16;

TimeNs partWithin(const CallIntervals& calls, std::uint32_t call, TimeSpan span)
{
    return std::min(calls.end[call], span.end) - std::max(calls.begin[call], span.begin);
}

}  // namespace

void SpanSums::add(const CallIntervals& calls, const TimelineIndex::Location& index, TimeSpan span)
{
    const std::uint32_t first = firstCallFrom(calls, span.begin);
    const std::uint32_t last = firstCallFrom(calls, span.end);
    for (std::uint32_t call = first == 0 ? kNoInterval : first - 1; call != kNoInterval;
         call = index.skip.parent(calls, call))
        if (calls.end[call] > span.begin) cut_.addCall(calls.callPath[call], partWithin(calls, call, span));
    // Calls that reach beyond the span are the last one that begins in it, and those around it.
    std::uint32_t whole = last;
    for (std::uint32_t call = last == first ? kNoInterval : last - 1; call != kNoInterval && call >= first;
         call = index.skip.parent(calls, call)) {
        if (calls.end[call] <= span.end) continue;
        index.sums.addTo(whole_, calls, call + 1, whole);
        cut_.addCall(calls.callPath[call], partWithin(calls, call, span));
        whole = call;
    }
    index.sums.addTo(whole_, calls, first, whole);
}

void SpanSums::add(const CallIntervals& calls, TimeSpan span, const Task& task)
{
    if (span.empty()) return;
    const std::uint32_t first = firstCallFrom(calls, span.begin);
    const std::uint32_t last = firstCallFrom(calls, span.end);
    forEachOpenBefore(calls, first, [&](std::uint32_t call) {
        if (calls.end[call] > span.begin) cut_.addCall(calls.callPath[call], partWithin(calls, call, span));
    });
    for (std::uint32_t call = first; call < last; ++call) {
        if (call % kCallsBetweenStops == 0 && task.stopRequested()) return;
        CallTally& tally = calls.end[call] > span.end ? cut_ : whole_;
        tally.addCall(calls.callPath[call], std::min(calls.end[call], span.end) - calls.begin[call]);
    }
}

std::vector<std::uint32_t> SpanSums::callPaths()
{
    const auto& whole = whole_.sorted();
    const auto& cut = cut_.sorted();
    std::vector<std::uint32_t> all;
    std::set_union(whole.begin(), whole.end(), cut.begin(), cut.end(), std::back_inserter(all));
    return all;
}

void SpanSums::clear()
{
    whole_.clear();
    cut_.clear();
}

}  // namespace skein
