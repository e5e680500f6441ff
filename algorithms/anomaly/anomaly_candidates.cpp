// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/anomaly_candidates.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace skein {
namespace {

constexpr std::uint32_t kFewestThatAllDo = 3;  ///< locations that make a habit
constexpr double kStallTolerance = 0.1;        ///< of what was lost

/// The longest stretch of a call that none of its callees covers.
TimeSpan longestGap(const CallIntervals& calls, std::uint32_t call)
{
    TimeSpan longest{calls.begin[call], calls.begin[call]};
    TimeNs from = calls.begin[call];
    const auto offer = [&](TimeNs until) {
        if (until - from > longest.lengthNs()) longest = {from, until};
    };
    for (std::uint32_t below = call + 1; below < calls.size() && calls.depth[below] > calls.depth[call];
         ++below) {
        if (calls.depth[below] != calls.depth[call] + 1) continue;
        offer(calls.begin[below]);
        from = calls.end[below];
    }
    offer(calls.end[call]);
    return longest;
}

void countIndices(std::vector<AnomalyCandidate>& candidates, const CallIntervals& calls,
                  const FunctionsOfCalls& functions)
{
    if (candidates.empty()) return;
    std::vector<std::uint32_t> before(functions.count(), 0);
    std::size_t next = 0;
    for (std::uint32_t call = 0; next < candidates.size(); ++call) {
        const std::uint32_t number = before[functions.of(calls.callPath[call])]++;
        if (candidates[next].measured.call == call) candidates[next++].callIndex = number;
    }
}

TimeNs lostBy(const AnomalyCandidate& candidate, const CallModels& models)
{
    return candidate.measured.ownNs - static_cast<TimeNs>(models.own(candidate.measured.function).median);
}

}  // namespace

std::uint32_t endOfSubtree(const CallIntervals& calls, std::uint32_t call)
{
    const auto begins = calls.begin.span();
    const TimeNs end = calls.end[call];
    auto at = static_cast<std::uint32_t>(std::lower_bound(begins.begin() + call + 1, begins.end(), end)
                                         - begins.begin());
    while (at < calls.size() && calls.depth[at] > calls.depth[call]) ++at;
    while (at > call + 1 && calls.depth[at - 1] <= calls.depth[call]) --at;
    return at;
}

std::vector<AnomalyCandidate> candidatesOf(const Trace& trace, LocationId location,
                                           const FunctionsOfCalls& functions, const CallModels& models,
                                           const Task& task)
{
    const CallIntervals& calls = trace.locations[location.index()].intervals;
    const bool structure = models.params().features != AnomalyFeatures::Time;
    const auto& chosen = models.params().chosen;
    const bool time = models.params().features != AnomalyFeatures::Structure && chosen.empty();
    // Where features are judged together, so is the time in the call itself.
    const bool together = models.judgesTogether();
    const bool own = time
        || (!together && std::find(chosen.begin(), chosen.end(), CallFeature::Exclusive) != chosen.end());
    std::vector<AnomalyCandidate> found;
    CallWalk walk(calls, functions, structure ? models.params().labelHeight : 0);
    walk.run(
        [&](const MeasuredCall& call) {
            if (call.blocks) return;
            const bool mayOwn = own && models.mayBeAnomaly(call.function, call.ownNs);
            const bool works = time && models.hasLongWorks(call.function, call.worksNs);
            const std::size_t rare = structure ? models.rareHeight(call) : 0;
            if (!mayOwn && !works && rare == 0 && chosen.empty()) return;  // nearly all
            AnomalyCandidate candidate;
            candidate.measured = call;
            if (mayOwn) {
                candidate.own = models.judgeOwn(call.function, call.ownNs);
                candidate.longOwn = candidate.own.verdict == Verdict::Anomaly;
            }
            candidate.longWorks = works;
            candidate.rareHeight = rare;
            if (!chosen.empty()) {
                candidate.odd = models.oddFeatures(location, call);
                for (const OddFeature& each : candidate.odd)
                    if (together && each.feature == CallFeature::Exclusive && each.excess > 0) {
                        candidate.longOwn = true;
                        candidate.own = each.judgement;
                    }
                if (candidate.longOwn)  // said already
                    std::erase_if(candidate.odd, [](const OddFeature& each) {
                        return each.feature == CallFeature::Exclusive;
                    });
            }
            if (!candidate.any()) return;
            candidate.location = location;
            candidate.span = calls.span(call.call);
            candidate.gap = candidate.span;
            if (candidate.longOwn && call.callees > 0) candidate.gap = longestGap(calls, call.call);
            found.push_back(candidate);
        },
        [&] { return !task.stopRequested(); });
    std::sort(found.begin(), found.end(), [](const AnomalyCandidate& a, const AnomalyCandidate& b) {
        return a.measured.call < b.measured.call;
    });
    if (!task.stopRequested()) countIndices(found, calls, functions);
    return found;
}

void forgetWhatAllDo(std::vector<AnomalyCandidate>& candidates, const CallModels& models)
{
    // A function and number of call occur at most once a location.
    enum Kind { OwnTime, WorkTime, Structure, FirstFeature };
    std::map<std::tuple<std::uint32_t, std::uint32_t, int>, std::uint32_t> times;
    const auto count = [&](const AnomalyCandidate& each, int kind) -> std::uint32_t& {
        return times[{each.measured.function, each.callIndex, kind}];
    };
    for (const AnomalyCandidate& each : candidates) {
        if (each.longOwn) ++count(each, OwnTime);
        if (each.longWorks) ++count(each, WorkTime);
        if (each.rareHeight > 0) ++count(each, Structure);
        for (const OddFeature& odd : each.odd) ++count(each, FirstFeature + static_cast<int>(odd.feature));
    }
    for (AnomalyCandidate& each : candidates) {
        const std::uint32_t locations = models.model(each.measured.function)->locations;
        const auto habit = [&](int kind) {
            const std::uint32_t seen = count(each, kind);
            return seen >= kFewestThatAllDo && 2 * seen >= locations;
        };
        each.longOwn = each.longOwn && !habit(OwnTime);
        each.longWorks = each.longWorks && !habit(WorkTime);
        if (each.rareHeight > 0 && habit(Structure)) each.rareHeight = 0;
        std::erase_if(each.odd, [&](const OddFeature& odd) {
            return habit(FirstFeature + static_cast<int>(odd.feature));
        });
    }
    std::erase_if(candidates, [](const AnomalyCandidate& each) { return !each.any(); });
}

std::vector<bool> sharedStalls(const std::vector<AnomalyCandidate>& candidates, const CallModels& models,
                               const std::vector<PlaceOfLocation>& places)
{
    std::vector<bool> shared(candidates.size(), false);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < candidates.size(); ++i)
        if (candidates[i].longOwn && lostBy(candidates[i], models) > 0) order.push_back(i);
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tuple(candidates[a].gap.begin, a) < std::tuple(candidates[b].gap.begin, b);
    });
    const auto reach = [&](std::size_t i) {
        return static_cast<TimeNs>(kStallTolerance * static_cast<double>(lostBy(candidates[i], models)));
    };
    for (std::size_t a = 0; a < order.size(); ++a) {
        const AnomalyCandidate& one = candidates[order[a]];
        for (std::size_t b = a + 1; b < order.size(); ++b) {
            const AnomalyCandidate& other = candidates[order[b]];
            if (other.gap.begin - one.gap.begin > reach(order[a])) break;
            const TimeNs most = std::min(reach(order[a]), reach(order[b]));
            const bool same = other.gap.begin - one.gap.begin <= most
                && std::abs(other.gap.end - one.gap.end) <= most
                && places[one.location.index()].rank != places[other.location.index()].rank;
            if (same) shared[order[a]] = shared[order[b]] = true;
        }
    }
    return shared;
}

}  // namespace skein
