// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/explain_call.h"

#include "algorithms/anomaly/anomaly_candidates.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace skein {
namespace {

struct CollectedPart {
    TimeNs lostNs = 0;
    TimeNs longestNs = 0;
    std::uint32_t wait = kNoWait;  ///< the longest
    std::uint32_t delay = 0;       ///< by which it came
};

}  // namespace

CallExplanation explainCall(const Experiment& experiment, const FoundAnomalies& found, LocationId location,
                            std::uint32_t call)
{
    const CallIntervals& calls = experiment.trace->locations[location.index()].intervals;
    const std::uint32_t end = endOfSubtree(calls, call);
    const TailBreak& usual = found.models->duration(found.functionsOfCalls->of(calls.callPath[call]));
    CallExplanation result;
    result.lostNs = calls.end[call] - calls.begin[call] - static_cast<TimeNs>(usual.median);
    std::map<std::uint32_t, CollectedPart> parts;
    for (std::uint32_t i = 0; i < found.anomalies; ++i)
        if (found.calls[i].location == location && found.calls[i].call >= call && found.calls[i].call < end)
            parts[i].lostNs += found.calls[i].severityNs;
    const auto& states = found.waits->states;
    const auto first = std::lower_bound(
        states.begin(), states.end(), std::pair(location, calls.begin[call]),
        [](const WaitState& each, const auto& from) { return std::pair(each.location, each.begin) < from; });
    for (const WaitState* wait = first;
         wait != states.end() && wait->location == location && wait->begin <= calls.end[call]; ++wait) {
        if (wait->interval < call || wait->interval >= end) continue;
        const auto number = static_cast<std::uint32_t>(wait - states.begin());
        for (const DelayShare& share : found.delays.sharesOf(number)) {
            CollectedPart& part = parts[found.delayOf[share.delay]];
            part.lostNs += share.lengthNs;
            if (share.lengthNs <= part.longestNs) continue;
            part.longestNs = share.lengthNs;
            part.wait = number;
            part.delay = share.delay;
        }
    }
    result.restNs = result.lostNs;
    for (const auto& [anomaly, part] : parts) {
        CausePart cause{anomaly, part.lostNs, {}};
        if (part.wait != kNoWait) cause.chain = found.delays.chain(*found.waits, part.wait, part.delay);
        result.contradiction = result.contradiction || cause.chain.end == ChainEnd::Contradiction;
        result.restNs -= part.lostNs;
        result.parts.push_back(std::move(cause));
    }
    std::stable_sort(result.parts.begin(), result.parts.end(),
                     [](const CausePart& a, const CausePart& b) { return a.lostNs > b.lostNs; });
    return result;
}

std::vector<BlamedWait> waitsFor(const FoundAnomalies& found, std::uint32_t anomaly)
{
    std::vector<BlamedWait> waits;
    for (std::uint32_t wait = 0; wait < found.waits->states.size(); ++wait) {
        TimeNs lost = 0;
        for (const DelayShare& share : found.delays.sharesOf(wait))
            if (found.delayOf[share.delay] == anomaly) lost += share.lengthNs;
        if (lost > 0) waits.push_back({wait, lost});
    }
    std::stable_sort(waits.begin(), waits.end(),
                     [](const BlamedWait& a, const BlamedWait& b) { return a.lostNs > b.lostNs; });
    return waits;
}

}  // namespace skein
