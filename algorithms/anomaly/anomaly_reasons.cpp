// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/anomaly_reasons.h"

#include "core/index/first_call.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace skein {
namespace {

class ReasonFinder {
public:
    ReasonFinder(const Trace& trace, const std::vector<AnomalyCandidate>& candidates,
                 const CallModels& models, const std::vector<PlaceOfLocation>& places)
        : trace_(trace),
          candidates_(candidates),
          models_(models),
          places_(places),
          rootsOf_(trace.locations.size())
    {
    }

    std::vector<RootCall> run()
    {
        const std::vector<bool> stalls = sharedStalls(candidates_, models_, places_);
        std::vector<std::size_t> order(candidates_.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
            const auto key = [this](std::size_t i) {
                const AnomalyCandidate& each = candidates_[i];
                // What lies inside comes before what lies around it.
                return std::tuple(each.span.lengthNs(), each.location, ~each.measured.call);
            };
            return key(a) < key(b);
        });
        for (const std::size_t i : order) judge(candidates_[i], stalls[i]);
        return std::move(roots_);
    }

private:
    void judge(const AnomalyCandidate& candidate, bool sharedStall)
    {
        RootCall root;
        root.candidate = candidate;
        root.overAt = candidate.span.end;
        if (candidate.longOwn && ownTime(root, sharedStall)) return add(root);
        if (candidate.rareHeight > 0 && structure(root)) return add(root);
        if (candidate.longWorks && callees(root)) return add(root);
        if (!candidate.odd.empty() && feature(root)) return add(root);
    }

    void add(const RootCall& root)
    {
        rootsOf_[root.candidate.location.index()].push_back(static_cast<std::uint32_t>(roots_.size()));
        roots_.push_back(root);
    }

    bool ownTime(RootCall& root, bool sharedStall)
    {
        const MeasuredCall& measured = root.candidate.measured;
        root.score = root.candidate.own.score;
        root.severityNs =
            std::max<TimeNs>(0, measured.ownNs - static_cast<TimeNs>(models_.own(measured.function).median));
        root.overAt = root.candidate.gap.end;
        if (sharedStall) {
            root.label = AnomalyLabel::Consequence;
            root.reason = AnomalyReason::SharedStall;
        } else if (waitsForThread(root)) {
            root.label = AnomalyLabel::Consequence;
            root.reason = AnomalyReason::OtherThread;
        }
        return true;
    }

    /// A thread that forks others waits for the last of them in its own code: while it does nothing that is
    /// recorded, another thread of the process is busy until the end.
    bool waitsForThread(RootCall& root) const
    {
        const AnomalyCandidate& candidate = root.candidate;
        const PlaceOfLocation& place = places_[candidate.location.index()];
        if (place.rank < 0 || candidate.measured.callees == 0) return false;
        bool waits = false;
        for (std::size_t other = 0; other < trace_.locations.size(); ++other) {
            if (places_[other].rank != place.rank || other == candidate.location.index()) continue;
            const std::uint32_t guilty = rootWithin(LocationId(other), candidate);
            if (guilty != kNoCause && root.waitedFor == kNoCause) root.waitedFor = guilty;
            waits = waits || guilty != kNoCause || endsWith(LocationId(other), candidate.gap, candidate.span);
        }
        return waits;
    }

    /// An anomaly of another thread inside the call that covers at least half of what the gap lost.
    std::uint32_t rootWithin(LocationId location, const AnomalyCandidate& candidate) const
    {
        for (const std::uint32_t number : rootsOf_[location.index()]) {
            const RootCall& other = roots_[number];
            const TimeSpan span = other.candidate.span;
            const bool inside = candidate.span.begin <= span.begin && span.end <= candidate.span.end;
            if (!inside || other.label != AnomalyLabel::Anomaly) continue;
            if (2 * span.intersected(candidate.gap).lengthNs() >= candidate.gap.lengthNs()) return number;
        }
        return kNoCause;
    }

    /// Whether a call of the location that began inside the span ends in the last tenth of the gap and none
    /// goes on behind it.
    bool endsWith(LocationId location, TimeSpan gap, TimeSpan span) const
    {
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        std::size_t at = firstCallFrom(calls, gap.end);
        TimeNs last = -1;
        for (std::size_t looked = 0; at-- > 0 && looked < 64 && calls.begin[at] >= span.begin; ++looked)
            last = std::max(last, calls.end[at]);
        return last <= gap.end && last > gap.end - gap.lengthNs() / 10;
    }

    /// The sum of what roots inside the call lost, and whether one of them has a strange structure.
    std::pair<TimeNs, bool> below(const AnomalyCandidate& candidate) const
    {
        const CallIntervals& calls = trace_.locations[candidate.location.index()].intervals;
        const std::uint32_t end = endOfSubtree(calls, candidate.measured.call);
        std::pair<TimeNs, bool> result{0, false};
        for (const std::uint32_t number : rootsOf_[candidate.location.index()]) {
            const AnomalyCandidate& other = roots_[number].candidate;
            if (other.measured.call <= candidate.measured.call || other.measured.call >= end) continue;
            result.first += roots_[number].severityNs;
            result.second = result.second || other.rareHeight > 0;
        }
        return result;
    }

    TimeNs lostWorking(const AnomalyCandidate& candidate) const
    {
        const double median = models_.works(candidate.measured.function).median;
        return std::max<TimeNs>(0, candidate.measured.worksNs - static_cast<TimeNs>(median));
    }

    bool structure(RootCall& root) const
    {
        const AnomalyCandidate& candidate = root.candidate;
        if (candidate.rareHeight > 1 && below(candidate).second) return false;
        root.reason = AnomalyReason::Structure;
        root.score = models_.model(candidate.measured.function)
                         ->labels[candidate.rareHeight - 1]
                         .surprise(candidate.measured.labels[candidate.rareHeight - 1]);
        root.severityNs = lostWorking(candidate);
        return true;
    }

    bool callees(RootCall& root) const
    {
        const AnomalyCandidate& candidate = root.candidate;
        root.severityNs = lostWorking(candidate);
        if (2 * below(candidate).first >= root.severityNs) return false;
        root.reason = AnomalyReason::Callees;
        root.score =
            models_.works(candidate.measured.function).score(static_cast<double>(candidate.measured.worksNs));
        return true;
    }

    /// By the strangest feature of which calls inside that were found do not explain half.
    bool feature(RootCall& root) const
    {
        for (const OddFeature& odd : root.candidate.odd) {
            if (addsUp(odd.feature)
                && 2 * std::abs(explainedInside(root.candidate, odd)) >= std::abs(odd.excess))
                continue;
            root.reason = AnomalyReason::Feature;
            root.feature = odd.feature;
            root.score = odd.judgement.score;
            const bool longer = odd.feature == CallFeature::Duration || odd.feature == CallFeature::Exclusive;
            root.severityNs = longer ? std::max<TimeNs>(0, odd.excess) : lostWorking(root.candidate);
            return true;
        }
        return false;
    }

    /// What roots inside the call have more of a feature than is usual for them; of time, what they lost.
    std::int64_t explainedInside(const AnomalyCandidate& candidate, const OddFeature& odd) const
    {
        const CallIntervals& calls = trace_.locations[candidate.location.index()].intervals;
        const std::uint32_t end = endOfSubtree(calls, candidate.measured.call);
        std::int64_t sum = 0;
        for (const std::uint32_t number : rootsOf_[candidate.location.index()]) {
            const AnomalyCandidate& other = roots_[number].candidate;
            if (other.measured.call <= candidate.measured.call || other.measured.call >= end) continue;
            const auto same = std::find_if(other.odd.begin(), other.odd.end(), [&](const OddFeature& each) {
                return each.feature == odd.feature;
            });
            if (same != other.odd.end()) sum += same->excess;
            else if (odd.feature == CallFeature::Duration) sum += roots_[number].severityNs;
        }
        return sum;
    }

    const Trace& trace_;
    const std::vector<AnomalyCandidate>& candidates_;
    const CallModels& models_;
    const std::vector<PlaceOfLocation>& places_;
    std::vector<RootCall> roots_;
    std::vector<std::vector<std::uint32_t>> rootsOf_;  ///< by location
};

}  // namespace

std::vector<RootCall> rootCallsOf(const Trace& trace, const std::vector<AnomalyCandidate>& candidates,
                                  const CallModels& models, const std::vector<PlaceOfLocation>& places)
{
    return ReasonFinder(trace, candidates, models, places).run();
}

}  // namespace skein
