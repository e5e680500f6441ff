// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/repeating_regions.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <list>
#include <tuple>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kLeastRepeats = 5, kMostRepeats = 5000, kRegionsShown = 20;
/// That are looked at closely: the outermost and those of most time, and as many that are called more often.
constexpr std::size_t kMostLookedAt = 64;
/// Of the greatest share held: what repeats as well.
constexpr double kAsPeriodic = 0.9;
/// How much more it counts that a share is greater than that there are more calls.
constexpr double kSurety = 4;
/// Of the longest time of what repeats: what is over sooner was before, or after, the iterations.
constexpr double kAsLong = 0.5;
constexpr std::size_t kCallsBetweenQuestions = 65'536;

/// What is known of a region on one location.
struct RepeatedRegion {
    std::size_t region = 0;
    std::size_t calls = 0;
    TimeNs timeNs = 0;
    std::uint16_t depth = std::numeric_limits<std::uint16_t>::max();  ///< of its outermost call
    double held = 0;       ///< how much of what is called as often comes between two calls, 0…1
    TimeNs coveredNs = 0;  ///< from the first call to the last one

    bool isCandidate() const { return calls >= kLeastRepeats && calls <= kMostRepeats; }
};

/// Which others are called from each call of a region to its next one. All regions at
/// once: of those that began after a region was called last it is the first call.
class PeriodFinder {
public:
    /// `looked`: regions of which others may be made.
    PeriodFinder(std::vector<RepeatedRegion>& looked, std::size_t regions)
        : looked_(looked),
          placeOf_(regions, kNone),
          last_(looked.size(), kNever),
          begins_(looked.size()),
          holding_(looked.size() * looked.size(), 0),
          places_(looked.size(), newest_.end())
    {
        for (std::size_t i = 0; i < looked.size(); ++i) placeOf_[looked[i].region] = i;
    }

    void call(std::size_t region, std::int64_t number, TimeNs begin)
    {
        const std::size_t place = placeOf_[region];
        if (place == kNone) return;
        const std::int64_t before = std::exchange(last_[place], number);
        for (const std::size_t other : newest_) {
            if (last_[other] <= before) break;
            ++holding_[other * looked_.size() + place];
        }
        if (looked_[place].isCandidate()) beginAgain(place, begin);
    }

    void finish()
    {
        for (std::size_t i = 0; i < looked_.size(); ++i)
            if (looked_[i].isCandidate()) looked_[i].held = heldShare(i);
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
    static constexpr std::int64_t kNever = -1;

    void beginAgain(std::size_t place, TimeNs begin)
    {
        if (places_[place] != newest_.end()) newest_.erase(places_[place]);
        else begins_[place] = begin;
        looked_[place].coveredNs = begin - begins_[place];
        newest_.push_front(place);
        places_[place] = newest_.begin();
    }

    /// Of the regions that are called as often or more: in how much of the parts they are called.
    double heldShare(std::size_t place) const
    {
        double held = 0;
        std::size_t others = 0;
        for (std::size_t other = 0; other < looked_.size(); ++other) {
            if (other == place || looked_[other].calls < looked_[place].calls) continue;
            held += static_cast<double>(holding_[place * looked_.size() + other]);
            ++others;
        }
        // Of few others it is little evidence: two calls of an inner loop take turns as well.
        return held / (static_cast<double>(looked_[place].calls) * (static_cast<double>(others) + 0.5));
    }

    std::vector<RepeatedRegion>& looked_;
    std::vector<std::size_t> placeOf_;
    std::vector<std::int64_t> last_;  ///< number of the newest call of each
    std::vector<TimeNs> begins_;      ///< of the first call of candidates
    std::vector<std::size_t>
        holding_;                    ///< [region × other]: parts of the region in which the other is called
    std::list<std::size_t> newest_;  ///< candidates, that which was called last first
    std::vector<std::list<std::size_t>::iterator> places_;
};

const CallIntervals* callsOfFirst(const Experiment& experiment)
{
    if (!experiment.trace) return nullptr;
    for (const LocationTrace& location : experiment.trace->locations)
        if (location.intervals.size() > 0) return &location.intervals;
    return nullptr;
}

/// Calls use(region, number, call) for every call; false when stopped.
template <typename Use>
bool eachCall(const Experiment& experiment, const CallIntervals& calls, const Task& task, Use use)
{
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (i % kCallsBetweenQuestions == 0 && task.stopRequested()) return false;
        const RegionId region = experiment.callTree->region(CallPathId(calls.callPath[i]));
        if (region.valid() && region.index() < experiment.definitions.regions.size()) use(region.index(), i);
    }
    return true;
}

/// The outermost, and of these those of most time.
std::vector<RepeatedRegion> firstOf(std::vector<RepeatedRegion> regions)
{
    std::ranges::sort(regions, {},
                      [](const RepeatedRegion& of) { return std::tuple(of.depth, -of.timeNs, of.region); });
    if (regions.size() > kMostLookedAt) regions.resize(kMostLookedAt);
    return regions;
}

std::vector<RepeatedRegion> countedRegions(const Experiment& experiment, const CallIntervals& calls,
                                           const Task& task)
{
    std::vector<RepeatedRegion> all(experiment.definitions.regions.size());
    const bool done = eachCall(experiment, calls, task, [&](std::size_t region, std::size_t call) {
        RepeatedRegion& of = all[region];
        of.region = region;
        ++of.calls;
        of.timeNs += calls.span(call).lengthNs();
        of.depth = std::min(of.depth, calls.depth[call]);
    });
    if (!done) return {};
    std::erase_if(all, [](const RepeatedRegion& of) { return of.calls < kLeastRepeats; });
    const auto more =
        std::partition(all.begin(), all.end(), [](const RepeatedRegion& of) { return of.isCandidate(); });
    const std::vector<RepeatedRegion> oftener = firstOf({more, all.end()});
    all.erase(more, all.end());
    all = firstOf(std::move(all));
    all.insert(all.end(), oftener.begin(), oftener.end());
    return all;
}

void putIterationsFirst(std::vector<RepeatedRegion>& regions)
{
    double most = 0;
    for (const RepeatedRegion& of : regions) most = std::max(most, of.held);
    const auto repeats = [&](const RepeatedRegion& of) {
        return of.held > 0 && of.held >= kAsPeriodic * most;
    };
    TimeNs longest = 0;
    for (const RepeatedRegion& of : regions)
        if (repeats(of)) longest = std::max(longest, of.coveredNs);
    const auto least = static_cast<TimeNs>(kAsLong * static_cast<double>(longest));
    std::ranges::stable_sort(regions, {}, [&](const RepeatedRegion& of) {
        const bool first = repeats(of) && of.coveredNs >= least;
        const double surely = std::pow(of.held, kSurety);
        return std::tuple(!first, first ? of.depth : 0,
                          first ? -surely * static_cast<double>(of.calls) : -of.held, -of.timeNs);
    });
}

}  // namespace

std::vector<std::string> repeatingRegions(const Experiment& experiment, const Task& task)
{
    const CallIntervals* const calls = callsOfFirst(experiment);
    if (!calls) return {};
    std::vector<RepeatedRegion> found = countedRegions(experiment, *calls, task);
    PeriodFinder finder(found, experiment.definitions.regions.size());
    const bool done = eachCall(experiment, *calls, task, [&](std::size_t region, std::size_t call) {
        finder.call(region, static_cast<std::int64_t>(call), calls->span(call).begin);
    });
    if (!done) return {};
    finder.finish();
    std::erase_if(found, [](const RepeatedRegion& of) { return !of.isCandidate(); });
    putIterationsFirst(found);
    if (found.size() > kRegionsShown) found.resize(kRegionsShown);
    std::vector<std::string> names;
    for (const RepeatedRegion& of : found)
        names.push_back(displayName(experiment.definitions.regions[of.region]));
    return names;
}

}  // namespace skein
