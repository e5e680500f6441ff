// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/stream_anomalies.h"

#include "algorithms/anomaly/anomaly_candidates.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <tuple>

namespace skein {
namespace {

constexpr TimeNs kStreamSlices = 1024;  ///< of the run

class AnomalyStream {
public:
    AnomalyStream(const Experiment& experiment, const FunctionsOfCalls& functions, const StreamParams& params,
                  const CallFeatureIndex* features, const HearNormalCalls& hear)
        : trace_(*experiment.trace),
          functions_(functions),
          params_(params),
          features_(features),
          hear_(hear),
          models_(functions.count()),
          roots_(trace_.locations.size())
    {
        const std::uint64_t ticks = experiment.definitions.clock.ticksPerSecond;
        tickNs_ = ticks == 0 ? 1.0 : 1e9 / static_cast<double>(ticks);
    }

    Result<std::vector<JudgedCall>> run(const Task& task)
    {
        const std::size_t height =
            params_.judge.features == AnomalyFeatures::Time ? 0 : params_.judge.labelHeight;
        std::vector<CallWalk> walks;
        for (const LocationTrace& location : trace_.locations)
            walks.emplace_back(location.intervals, functions_, height);
        const TimeNs end = trace_.extent.end;
        for (TimeNs slice = 1; slice <= kStreamSlices; ++slice) {
            if (task.stopRequested()) return cancelled();
            task.report(static_cast<double>(slice) / static_cast<double>(kStreamSlices),
                        "Judging calls as they end");
            const TimeNs until = slice == kStreamSlices ? end : end / kStreamSlices * slice;
            std::vector<std::pair<LocationId, MeasuredCall>> ended;
            for (std::size_t i = 0; i < walks.size(); ++i)
                walks[i].runUntil(until, [&](const MeasuredCall& call) {
                    if (!call.blocks) ended.emplace_back(LocationId(i), call);
                    else if (hear_) hear_(plainCall(LocationId(i), call));
                });
            std::sort(ended.begin(), ended.end(),
                      [this](const auto& a, const auto& b) { return orderOf(a) < orderOf(b); });
            for (std::size_t i = 0; i < ended.size(); ++i) {
                if (i % kCallsBetweenQuestions == 0 && task.stopRequested()) return cancelled();
                judge(ended[i].first, ended[i].second, task);
            }
        }
        countCalls();
        return std::move(found_);
    }

private:
    /// What lies in another call, and ends with it, comes first.
    std::tuple<TimeNs, LocationId, std::uint32_t> orderOf(
        const std::pair<LocationId, MeasuredCall>& each) const
    {
        return {trace_.locations[each.first.index()].intervals.end[each.second.call], each.first,
                ~each.second.call};
    }

    /// What was found, for the calls around it.
    struct Root {
        std::uint32_t call = 0;
        bool structure = false;
        TimeNs severityNs = 0;
        std::vector<OddFeature> odd;
    };

    void judge(LocationId location, const MeasuredCall& call, const Task& task)
    {
        auto& model = models_[call.function];
        if (!model) model = std::make_unique<StreamModel>(params_, tickNs_);
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        VectorSample::Row row{vectorKey(location, call.call), {}};
        if (features_) row.values = chosenValues(*features_, params_.judge.chosen, location, call);
        const StreamFinding finding = model->judge(call, row, calls.end[call.call], task);
        JudgedCall judged = plainCall(location, call);
        judged.score = finding.score;
        judged.severityNs = finding.lostNs;
        giveReason(judged, finding);
        if (judged.reason == AnomalyReason::None) {
            if (hear_) hear_(judged);
            return;
        }
        judged.label = AnomalyLabel::Anomaly;
        roots_[location.index()].push_back(
            {judged.call, finding.rareHeight > 0, judged.severityNs, finding.odd});
        found_.push_back(judged);
    }

    /// As those of the whole archive: the time in the call itself, then its structure, then features.
    void giveReason(JudgedCall& judged, const StreamFinding& finding) const
    {
        const auto own = std::find_if(finding.odd.begin(), finding.odd.end(), [](const OddFeature& odd) {
            return odd.feature == CallFeature::Exclusive && odd.excess > 0;
        });
        if (finding.longOwn || own != finding.odd.end()) {
            judged.reason = AnomalyReason::OwnTime;
            if (own != finding.odd.end()) judged.score = own->judgement.score;
        } else if (finding.rareHeight > 0 && !showsInside(judged, finding.rareHeight)) {
            judged.reason = AnomalyReason::Structure;
            judged.score = finding.surprise;
            judged.severityNs = finding.lostWorkingNs;
        } else if (const OddFeature* odd = unexplained(judged, finding)) {
            const bool time = odd->feature == CallFeature::Duration || odd->feature == CallFeature::Exclusive;
            judged.reason = AnomalyReason::Feature;
            judged.feature = odd->feature;
            judged.score = odd->judgement.score;
            judged.severityNs = time ? std::max<TimeNs>(0, odd->excess) : finding.lostWorkingNs;
        }
    }

    /// Visits what was found inside a call: the last of its location.
    template <typename Visit>
    void forRootsInside(const JudgedCall& call, Visit visit) const
    {
        const std::vector<Root>& roots = roots_[call.location.index()];
        if (roots.empty() || roots.back().call <= call.call) return;
        const std::uint32_t end = endOfSubtree(trace_.locations[call.location.index()].intervals, call.call);
        for (auto root = roots.rbegin(); root != roots.rend() && root->call > call.call; ++root)
            if (root->call < end) visit(*root);
    }

    /// A rare structure above height 1 counts for the innermost call that shows it.
    bool showsInside(const JudgedCall& call, std::size_t rareHeight) const
    {
        bool shows = false;
        if (rareHeight > 1) forRootsInside(call, [&](const Root& root) { shows = shows || root.structure; });
        return shows;
    }

    /// The strangest feature of which calls inside that were found do not explain half; null: none.
    const OddFeature* unexplained(const JudgedCall& call, const StreamFinding& finding) const
    {
        for (const OddFeature& odd : finding.odd)
            if (!addsUp(odd.feature) || 2 * std::abs(explainedInside(call, odd)) < std::abs(odd.excess))
                return &odd;
        return nullptr;
    }

    std::int64_t explainedInside(const JudgedCall& call, const OddFeature& odd) const
    {
        std::int64_t sum = 0;
        forRootsInside(call, [&](const Root& root) {
            const auto same = std::find_if(root.odd.begin(), root.odd.end(), [&](const OddFeature& each) {
                return each.feature == odd.feature;
            });
            if (same != root.odd.end()) sum += same->excess;
            else if (odd.feature == CallFeature::Duration) sum += root.severityNs;
        });
        return sum;
    }

    JudgedCall plainCall(LocationId location, const MeasuredCall& call) const
    {
        JudgedCall judged;
        judged.location = location;
        judged.call = call.call;
        judged.function = call.function;
        judged.begin = trace_.locations[location.index()].intervals.begin[call.call];
        judged.durationNs = call.durationNs;
        judged.ownNs = call.ownNs;
        return judged;
    }

    void countCalls()
    {
        std::vector<std::vector<JudgedCall*>> byLocation(trace_.locations.size());
        for (JudgedCall& call : found_) byLocation[call.location.index()].push_back(&call);
        for (auto& list : byLocation) {
            if (list.empty()) continue;
            std::sort(list.begin(), list.end(),
                      [](const JudgedCall* a, const JudgedCall* b) { return a->call < b->call; });
            const CallIntervals& calls = trace_.locations[list.front()->location.index()].intervals;
            std::vector<std::uint32_t> before(functions_.count(), 0);
            std::size_t next = 0;
            for (std::uint32_t call = 0; next < list.size(); ++call) {
                const std::uint32_t number = before[functions_.of(calls.callPath[call])]++;
                if (list[next]->call == call) list[next++]->callIndex = number;
            }
        }
    }

    const Trace& trace_;
    const FunctionsOfCalls& functions_;
    const StreamParams& params_;
    const CallFeatureIndex* features_;
    const HearNormalCalls& hear_;
    double tickNs_ = 1.0;
    std::vector<std::unique_ptr<StreamModel>> models_;
    std::vector<std::vector<Root>> roots_;  ///< by location, in the order of their ends
    std::vector<JudgedCall> found_;
};

}  // namespace

Result<std::vector<JudgedCall>> streamAnomalies(const Experiment& experiment,
                                                const FunctionsOfCalls& functions, const StreamParams& params,
                                                const Task& task, const CallFeatureIndex* features,
                                                const HearNormalCalls& hear)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "Anomalous calls need a trace; this archive has none.");
    if (params.ageNs < 0) return fail(ErrorCode::InvalidArgument, "The age must not be negative.");
    if (const auto checked = checkAnomalyParams(params.judge); !checked)
        return tl::make_unexpected(checked.error());
    if (!params.judge.chosen.empty() && !features)
        return fail(ErrorCode::InvalidArgument, "Nobody has counted the chosen features of calls.");
    return AnomalyStream(experiment, functions, params, params.judge.chosen.empty() ? nullptr : features,
                         hear)
        .run(task);
}

}  // namespace skein
