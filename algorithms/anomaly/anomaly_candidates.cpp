// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/anomaly_candidates.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace skein {
namespace {

constexpr std::uint32_t kFewestThatAllDo = 3;   ///< locations that make a habit; of two, calls of both
constexpr std::uint64_t kFewestRepeats = 4;     ///< through the whole run, of a location alone
constexpr std::size_t kMostAskedForSteps = 64;  ///< candidates, for the step of a habit
constexpr double kStallTolerance = 0.1;         ///< of what was lost

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

/// At which calls of a function what is strange is how the program runs: most locations show it there. A
/// function of one location has no others to compare with; what it does at every so manieth call, from the
/// first such call to the last of the run, is its habit.
class Habits {
public:
    /// A number of call occurs at most once a location.
    void add(std::uint32_t callIndex) { ++seen_[callIndex]; }

    void learn(const FunctionModel& model)
    {
        locations_ = model.locations;
        if (locations_ == 1) findSteps(model.durations.count());
        together_ = static_cast<std::size_t>(
            std::count_if(seen_.begin(), seen_.end(), [](const auto& each) { return each.second > 1; }));
    }

    bool has(std::uint32_t callIndex) const
    {
        const auto found = seen_.find(callIndex);
        if (found == seen_.end()) return false;
        if (locations_ == 1)
            return std::any_of(steps_.begin(), steps_.end(), [callIndex](const auto& step) {
                return callIndex % step.second == step.first;
            });
        // Two may do the same once by chance.
        const bool both =
            locations_ == 2 && found->second == 2 && (callIndex == 0 || together_ >= kFewestThatAllDo);
        return both || (found->second >= kFewestThatAllDo && 2 * found->second >= locations_);
    }

private:
    void findSteps(std::uint64_t calls)
    {
        std::vector<std::uint32_t> first;
        for (const auto& [callIndex, count] : seen_) {
            if (first.size() >= kMostAskedForSteps || callIndex >= calls / kFewestRepeats) break;
            first.push_back(callIndex);
        }
        for (const std::uint32_t from : first)
            for (auto to = seen_.upper_bound(from); to != seen_.end(); ++to) {
                const std::uint32_t step = to->first - from;
                if (calls <= from + (kFewestRepeats - 1) * std::uint64_t{step}) break;
                if (step > from && !isKnown(from, step) && isAtEach(from, step, calls))
                    steps_.emplace_back(from, step);
            }
    }

    /// Whether all calls of a step are those of one that was found: multiples of a step are steps as well.
    bool isKnown(std::uint32_t from, std::uint32_t step) const
    {
        return std::any_of(steps_.begin(), steps_.end(), [from, step](const auto& known) {
            return from % known.second == known.first && step % known.second == 0;
        });
    }

    bool isAtEach(std::uint32_t from, std::uint32_t step, std::uint64_t calls) const
    {
        for (std::uint64_t at = from; at < calls; at += step)
            if (!seen_.contains(static_cast<std::uint32_t>(at))) return false;
        return true;
    }

    std::map<std::uint32_t, std::uint32_t> seen_;  ///< by number of call: on how many locations
    std::uint32_t locations_ = 0;
    std::size_t together_ = 0;                                    ///< calls that show it on several locations
    std::vector<std::pair<std::uint32_t, std::uint32_t>> steps_;  ///< first call and distance
};

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

void forgetWhatAllDo(std::vector<AnomalyCandidate>& candidates, const CallModels& models, const Task& task)
{
    enum Kind { OwnTime, WorkTime, Structure, FirstFeature };
    std::map<std::pair<std::uint32_t, int>, Habits> habits;
    const auto add = [&](const AnomalyCandidate& each, int kind) {
        habits[{each.measured.function, kind}].add(each.callIndex);
    };
    for (const AnomalyCandidate& each : candidates) {
        if (each.longOwn) add(each, OwnTime);
        if (each.longWorks) add(each, WorkTime);
        if (each.rareHeight > 0) add(each, Structure);
        for (const OddFeature& odd : each.odd) add(each, FirstFeature + static_cast<int>(odd.feature));
    }
    for (auto& [key, each] : habits) {
        if (task.stopRequested()) return;
        each.learn(*models.model(key.first));
    }
    for (AnomalyCandidate& each : candidates) {
        const auto habit = [&](int kind) {
            return habits.at({each.measured.function, kind}).has(each.callIndex);
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
