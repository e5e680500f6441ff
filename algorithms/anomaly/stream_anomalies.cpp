// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/stream_anomalies.h"

#include "algorithms/anomaly/running_moments.h"
#include "algorithms/anomaly/sigma_rule.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <tuple>

namespace skein {
namespace {

constexpr TimeNs kStreamSlices = 1024;   ///< of the run
constexpr std::size_t kGenerations = 8;  ///< of an age
constexpr double kStreamRareShare = 0.05;
constexpr double kStreamRelevantShare = 0.05;  ///< of a usual call's duration
constexpr double kRefreshShare = 0.05;         ///< of new calls, after which a limit is worked out again
constexpr double kLearnAgainShare = 0.25;      ///< the same for models, which take longer

/// The calls of a function that ended in a stretch of time.
struct StreamGeneration {
    TimeNs begin = 0;
    ValueSketch own, duration;
    RunningMoments moments;
    LabelCounts labels;
};

/// What is usual for a function so far.
class StreamModel {
public:
    StreamModel(const StreamParams& params, double tickNs) : params_(params), tickNs_(tickNs) {}

    /// Judges a call by those before it, and learns it then. `severity`: against the median so far.
    Judgement judge(const MeasuredCall& call, TimeNs now, TimeNs& severity, const Task& task)
    {
        turnGeneration(now);
        Judgement judgement;
        if (params_.judge.features != AnomalyFeatures::Structure) judgement = judgeTime(call, severity, task);
        StreamGeneration& newest = *generations_.back();
        newest.own.add(call.ownNs);
        newest.duration.add(call.durationNs);
        newest.moments.add(static_cast<double>(call.ownNs));
        ++sinceRefresh_;
        return judgement;
    }

    /// Learns the structure, and tells whether it is rare among those so far.
    bool isRareStructure(const MeasuredCall& call, double& surprise)
    {
        generations_.back()->labels.add(call.labels[0]);
        labels_.add(call.labels[0]);
        surprise = labels_.surprise(call.labels[0]);
        if (surprise < -std::log2(kStreamRareShare)) return false;
        labels_.findRare(kStreamRareShare);
        return labels_.isRare(call.labels[0]);
    }

private:
    void turnGeneration(TimeNs now)
    {
        const TimeNs length = params_.ageNs / static_cast<TimeNs>(kGenerations);
        const bool turn =
            generations_.empty() || (params_.ageNs > 0 && now - generations_.back()->begin > length);
        if (!turn) return;
        generations_.push_back(std::make_unique<StreamGeneration>());
        generations_.back()->begin = now;
        while (params_.ageNs > 0 && generations_.front()->begin + params_.ageNs < now
               && generations_.size() > 1)
            forgetOldest();
        sinceRefresh_ = ~std::uint64_t{0} / 2;
    }

    void forgetOldest()
    {
        generations_.pop_front();
        labels_ = {};
        for (const auto& each : generations_) labels_.merge(each->labels);
    }

    bool isDue() const
    {
        const double share = LearnedDetector::has(params_.judge.detector) ? kLearnAgainShare : kRefreshShare;
        return sinceRefresh_ > static_cast<std::uint64_t>(share * static_cast<double>(usual_.count));
    }

    void refresh(const Task& task)
    {
        if (!isDue()) return;
        ValueSketch own, duration;
        moments_ = {};
        for (const auto& each : generations_) {
            own.merge(each->own);
            duration.merge(each->duration);
            moments_.merge(each->moments);
        }
        const double floor = std::max(kStreamRelevantShare * medianOf(duration.counts()), 2.0 * tickNs_);
        const std::vector<ValueCount> counts = own.counts();
        usual_ = tailBreakOf(counts,
                             {.sigma = params_.judge.sigma, .floor = floor, .mostShare = kStreamRareShare});
        sinceRefresh_ = 0;
        learned_.reset();
        if (!LearnedDetector::has(params_.judge.detector) || usual_.count < kFewestForBreak) return;
        auto learned = LearnedDetector::learn(
            counts, {.detector = params_.judge.detector, .sigma = params_.judge.sigma}, task);
        if (learned) learned_ = std::move(*learned);  // else the task was stopped
        past_ = std::move(own);
    }

    Judgement judgeTime(const MeasuredCall& call, TimeNs& severity, const Task& task)
    {
        refresh(task);
        if (usual_.count < kFewestForBreak) return {};
        const auto value = static_cast<double>(call.ownNs);
        severity = std::max<TimeNs>(0, call.ownNs - static_cast<TimeNs>(usual_.median));
        // As the sketch shows it: between the bins that were learned there is nothing.
        if (learned_) return learned_->judge(past_.represented(call.ownNs));
        switch (params_.judge.detector) {
        case AnomalyDetector::Sigma: return judgeBySigma(value, moments_, params_.judge.sigma);
        case AnomalyDetector::Robust:
            return {usual_.score(value),
                    usual_.score(value) > params_.judge.sigma ? Verdict::Anomaly : Verdict::Normal};
        default: break;
        }
        return {usual_.score(value),
                usual_.excess(value) > usual_.reach ? Verdict::Anomaly : Verdict::Normal};
    }

    const StreamParams& params_;
    double tickNs_;
    std::deque<std::unique_ptr<StreamGeneration>> generations_;
    LabelCounts labels_;  ///< of all generations
    TailBreak usual_;
    RunningMoments moments_;
    std::optional<LearnedDetector> learned_;  ///< of the detectors that have such
    ValueSketch past_;                        ///< that it learned
    std::uint64_t sinceRefresh_ = 0;
};

class AnomalyStream {
public:
    AnomalyStream(const Experiment& experiment, const FunctionsOfCalls& functions, const StreamParams& params,
                  const HearNormalCalls& hear)
        : trace_(*experiment.trace),
          functions_(functions),
          params_(params),
          hear_(hear),
          models_(functions.count())
    {
        const std::uint64_t ticks = experiment.definitions.clock.ticksPerSecond;
        tickNs_ = ticks == 0 ? 1.0 : 1e9 / static_cast<double>(ticks);
    }

    Result<std::vector<JudgedCall>> run(const Task& task)
    {
        const std::size_t height = params_.judge.features == AnomalyFeatures::Time ? 0 : 1;
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

    void judge(LocationId location, const MeasuredCall& call, const Task& task)
    {
        auto& model = models_[call.function];
        if (!model) model = std::make_unique<StreamModel>(params_, tickNs_);
        const CallIntervals& calls = trace_.locations[location.index()].intervals;
        JudgedCall judged = plainCall(location, call);
        const Judgement time = model->judge(call, calls.end[call.call], judged.severityNs, task);
        judged.score = time.score;
        if (time.verdict == Verdict::Anomaly) judged.reason = AnomalyReason::OwnTime;
        double surprise = 0.0;
        if (params_.judge.features != AnomalyFeatures::Time && model->isRareStructure(call, surprise)
            && judged.reason == AnomalyReason::None) {
            judged.reason = AnomalyReason::Structure;
            judged.score = surprise;
        }
        if (judged.reason == AnomalyReason::None) {
            if (hear_) hear_(judged);
            return;
        }
        judged.label = AnomalyLabel::Anomaly;
        found_.push_back(judged);
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
    const HearNormalCalls& hear_;
    double tickNs_ = 1.0;
    std::vector<std::unique_ptr<StreamModel>> models_;
    std::vector<JudgedCall> found_;
};

}  // namespace

Result<std::vector<JudgedCall>> streamAnomalies(const Experiment& experiment,
                                                const FunctionsOfCalls& functions, const StreamParams& params,
                                                const Task& task, const HearNormalCalls& hear)
{
    if (!experiment.trace)
        return fail(ErrorCode::NotRecorded, "Anomalous calls need a trace; this archive has none.");
    if (params.ageNs < 0 || !(params.judge.sigma > 0.0) || !std::isfinite(params.judge.sigma))
        return fail(ErrorCode::InvalidArgument,
                    "The age must not be negative, and the deviations greater than 0.");
    if (!params.judge.chosen.empty())
        return fail(ErrorCode::InvalidArgument,
                    "As the job runs calls are judged by time and structure, not by a list of features.");
    return AnomalyStream(experiment, functions, params, hear).run(task);
}

}  // namespace skein
