// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/call_models.h"

#include "algorithms/anomaly/histogram_model.h"
#include "core/base/parallel_for.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr double kRareShare = 0.05;
constexpr double kRelevantShare = 0.05;  ///< of a usual call's duration
constexpr double kMoreThanABin = 0.02;   ///< of a value: bins of sketches are narrower

/// What was measured anyway need not be looked up.
std::int64_t chosenValue(const CallFeatureIndex& features, LocationId location, const MeasuredCall& call,
                         CallFeature feature)
{
    if (feature == CallFeature::Duration) return call.durationNs;
    if (feature == CallFeature::Exclusive) return call.ownNs;
    if (feature == CallFeature::Children) return call.callees;
    return features.value(location, call.call, feature);
}

using ModelList = std::vector<std::unique_ptr<FunctionModel>>;

/// The calls of the locations from `first` on in steps of `step`.
ModelList modelsOfLocations(const Trace& trace, const FunctionsOfCalls& functions,
                            const AnomalyParams& params, const CallFeatureIndex* features, std::size_t first,
                            std::size_t step, const Task& task)
{
    ModelList models(functions.count());
    std::vector<std::uint32_t> seenOn(functions.count(), 0);  // location + 1
    const std::size_t height = params.features == AnomalyFeatures::Time ? 0 : params.labelHeight;
    const bool vectors = judgesTogether(params) && judgesVectors(params.detector);
    for (std::size_t location = first; location < trace.locations.size(); location += step) {
        CallWalk walk(trace.locations[location].intervals, functions, height);
        const bool done = walk.run(
            [&](const MeasuredCall& call) {
                auto& model = models[call.function];
                if (!model) {
                    model = std::make_unique<FunctionModel>();
                    model->labels.resize(height);
                    model->features.resize(params.chosen.size());
                }
                if (seenOn[call.function] != location + 1) {
                    seenOn[call.function] = static_cast<std::uint32_t>(location + 1);
                    ++model->locations;
                }
                model->add(call, params.features);
                if (call.blocks || params.chosen.empty()) return;
                const CallFeatureValues values =
                    chosenValues(*features, params.chosen, LocationId(location), call);
                for (std::size_t i = 0; i < params.chosen.size(); ++i) model->features[i].add(values[i]);
                if (vectors) model->vectors.add({vectorKey(LocationId(location), call.call), values});
            },
            [&] { return !task.stopRequested(); });
        if (!done) break;
    }
    return models;
}

void mergeModels(ModelList& into, ModelList&& other)
{
    for (std::size_t function = 0; function < other.size(); ++function) {
        if (!other[function]) continue;
        if (!into[function]) into[function] = std::move(other[function]);
        else into[function]->merge(*other[function]);
    }
}

}  // namespace

bool judgesTogether(const AnomalyParams& params)
{
    return params.chosen.size() > 1 && (judgesVectors(params.detector) || addsUpFeatures(params.detector));
}

Result<void> checkAnomalyParams(const AnomalyParams& params)
{
    if (params.labelHeight < 1 || params.labelHeight > kMostLabelHeight)
        return fail(ErrorCode::InvalidArgument, "The height of subtrees must be 1 to 8.");
    if (!(params.sigma > 0.0) || !std::isfinite(params.sigma))
        return fail(ErrorCode::InvalidArgument, "The number of deviations must be greater than 0.");
    if (!params.chosen.empty() && params.features != AnomalyFeatures::Time)
        return fail(ErrorCode::InvalidArgument, "Chosen features replace those of time and structure.");
    return {};
}

std::uint64_t vectorKey(LocationId location, std::uint32_t call)
{
    return mixedLabel((std::uint64_t{location.index()} << 32) | call);
}

CallFeatureValues chosenValues(const CallFeatureIndex& features, const std::vector<CallFeature>& chosen,
                               LocationId location, const MeasuredCall& call)
{
    CallFeatureValues values{};
    for (std::size_t i = 0; i < chosen.size(); ++i)
        values[i] = chosenValue(features, location, call, chosen[i]);
    return values;
}

std::vector<std::size_t> farthestOut(const std::vector<double>& out)
{
    const double most = *std::max_element(out.begin(), out.end());
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < out.size(); ++i)
        if (2.0 * out[i] >= most) order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return out[a] > out[b]; });
    return order;
}

void ExactMoments::merge(const ExactMoments& other)
{
    count_ += other.count_;
    sum_ += other.sum_;
    squares_ += other.squares_;
}

double ExactMoments::mean() const
{
    return count_ == 0
        ? 0.0
        : static_cast<double>(static_cast<long double>(sum_) / static_cast<long double>(count_));
}

double ExactMoments::standardDeviation() const
{
    if (count_ < 2) return 0.0;
    const auto n = static_cast<long double>(count_);
    const long double mean = static_cast<long double>(sum_) / n;
    const long double spread = static_cast<long double>(squares_) - mean * static_cast<long double>(sum_);
    return static_cast<double>(std::sqrt(std::max(0.0L, spread) / (n - 1.0L)));
}

void FunctionModel::add(const MeasuredCall& call, AnomalyFeatures kinds)
{
    durations.add(call.durationNs);
    duration.add(call.durationNs);
    if (!call.blocks) {
        own.add(call.ownNs);
        works.add(call.worksNs);
    }
    if (kinds == AnomalyFeatures::Time) return;
    for (std::size_t h = 0; h < labels.size(); ++h) labels[h].add(call.labels[h]);
}

void FunctionModel::merge(const FunctionModel& other)
{
    locations += other.locations;
    durations.merge(other.durations);
    own.merge(other.own);
    works.merge(other.works);
    duration.merge(other.duration);
    for (std::size_t h = 0; h < labels.size(); ++h) labels[h].merge(other.labels[h]);
    for (std::size_t i = 0; i < features.size(); ++i) features[i].merge(other.features[i]);
    vectors.merge(other.vectors);
}

Result<CallModels> CallModels::build(const Trace& trace, const FunctionsOfCalls& functions,
                                     const AnomalyParams& params, double tickNs, const Task& task,
                                     std::shared_ptr<const CallFeatureIndex> features)
{
    if (const auto checked = checkAnomalyParams(params); !checked)
        return tl::make_unexpected(checked.error());
    if (!params.chosen.empty() && !features)
        return fail(ErrorCode::InvalidArgument, "Nobody has counted the chosen features of calls.");
    CallModels result;
    result.params_ = params;
    result.features_ = std::move(features);
    result.models_.resize(functions.count());
    const std::size_t parts =
        std::min(trace.locations.size(), static_cast<std::size_t>(std::max(1, task.threads())));
    std::vector<ModelList> lists(parts);
    task.report(0.0, "Learning what is usual");
    parallelFor(parts, task, [&](std::size_t part) {
        lists[part] = modelsOfLocations(trace, functions, params, result.features_.get(), part, parts, task);
    });
    if (task.stopRequested()) return cancelled();
    for (ModelList& list : lists) mergeModels(result.models_, std::move(list));
    if (const auto judged = result.judge(functions, tickNs, task); !judged)
        return tl::make_unexpected(judged.error());
    if (const auto judged = result.judgeTogether(trace, functions, task); !judged)
        return tl::make_unexpected(judged.error());
    return result;
}

/// In half of the time that was spent outside of what blocks, functions deviate by no more.
double CallModels::usualDeviationNs() const
{
    std::vector<ValueCount> deviations;
    for (const auto& model : models_) {
        if (!model || model->own.count() == 0) continue;
        const TailBreak own = tailBreakOf(model->own.counts(), {});
        deviations.push_back(
            {own.deviation, static_cast<std::uint64_t>(own.median * static_cast<double>(own.count))});
    }
    std::sort(deviations.begin(), deviations.end(),
              [](const ValueCount& a, const ValueCount& b) { return a.value < b.value; });
    return medianOf(deviations);
}

Result<bool> CallModels::judge(const FunctionsOfCalls& functions, double tickNs, const Task& task)
{
    judges_.resize(models_.size());
    const double mpiFloorNs = std::max(2.0 * tickNs, params_.sigma * usualDeviationNs());
    for (std::size_t function = 0; function < models_.size(); ++function) {
        if (!models_[function]) continue;
        if (task.stopRequested()) return cancelled();
        const auto id = static_cast<std::uint32_t>(function);
        auto judge = judgeOf(*models_[function], functions.isMpi(id) ? mpiFloorNs : 2.0 * tickNs, task);
        if (!judge) return tl::make_unexpected(judge.error());
        judges_[function] = std::move(*judge);
    }
    return true;
}

Result<CallModels::Judge> CallModels::judgeOf(FunctionModel& model, double leastFloorNs,
                                              const Task& task) const
{
    Judge judge;
    judge.duration = tailBreakOf(model.duration.counts(), {.sigma = params_.sigma});
    const double floor = std::max(kRelevantShare * judge.duration.median, leastFloorNs);
    judge.works =
        tailBreakOf(model.works.counts(), {.sigma = params_.sigma, .floor = floor, .mostShare = kRareShare});
    judge.counts = model.own.counts();
    judge.own = tailBreakOf(judge.counts, {.sigma = params_.sigma, .floor = floor, .mostShare = kRareShare});
    if (params_.features != AnomalyFeatures::Structure) {
        auto judged = judgeCounts(
            judge.counts, {.detector = params_.detector, .sigma = params_.sigma, .floor = floor}, task);
        if (!judged) return tl::make_unexpected(judged.error());
        judge.judged = std::move(*judged);
    }
    for (std::size_t i = 0; i < judge.judged.size(); ++i) {
        if (judge.judged[i].verdict != Verdict::Anomaly) continue;
        const double value = judge.counts[i].value;
        if (value <= judge.own.median) judge.oddUpTo = value * (1.0 + kMoreThanABin) + 1.0;
        else judge.oddFrom = std::min(judge.oddFrom, value * (1.0 - kMoreThanABin) - 1.0);
    }
    for (LabelCounts& counts : model.labels) counts.findRare(kRareShare);
    for (std::size_t i = 0; i < model.features.size(); ++i) {
        auto judged = judgeFeature(model.features[i], params_.chosen[i], leastFloorNs, task);
        if (!judged) return tl::make_unexpected(judged.error());
        judge.features.push_back(std::move(*judged));
    }
    return judge;
}

/// A break in the tail is looked for in both: less than usual is as strange as more.
Result<CallModels::JudgedValues> CallModels::judgeFeature(const ValueSketch& values, CallFeature feature,
                                                          double leastFloorNs, const Task& task) const
{
    JudgedValues result;
    result.counts = values.counts();
    result.median = medianOf(result.counts);
    if (judgesTogether() && judgesVectors(params_.detector)) return result;
    const double floor = std::max(kRelevantShare * result.median, isTime(feature) ? leastFloorNs : 0.0);
    auto judged = judgeCounts(result.counts,
                              {.detector = params_.detector, .sigma = params_.sigma, .floor = floor}, task);
    if (!judged) return tl::make_unexpected(judged.error());
    result.judged = std::move(*judged);
    if (params_.detector == AnomalyDetector::Tail && !result.counts.empty()) {
        const double greatest = result.counts.back().value;
        const TailBreak below = tailBreakOf(
            mirrored(result.counts), {.sigma = params_.sigma, .floor = floor, .mostShare = kRareShare});
        for (std::size_t i = 0; i < result.counts.size(); ++i)
            if (below.isBeyond(greatest - result.counts[i].value))
                result.judged[i].verdict = Verdict::Anomaly;
    }
    const bool any = std::any_of(result.judged.begin(), result.judged.end(),
                                 [](const Judgement& each) { return each.verdict == Verdict::Anomaly; });
    if (!any && !judgesTogether()) result.judged.clear();
    return result;
}

Result<bool> CallModels::judgeTogether(const Trace& trace, const FunctionsOfCalls& functions,
                                       const Task& task)
{
    if (!judgesTogether()) return true;
    if (addsUpFeatures(params_.detector)) {
        if (findSumLimits(trace, functions, task)) return true;
        return cancelled();
    }
    for (std::size_t function = 0; function < models_.size(); ++function) {
        if (!models_[function]) continue;
        auto trained = VectorModel::train(models_[function]->vectors, params_.chosen.size(), params_.detector,
                                          params_.sigma, task);
        if (!trained) return tl::make_unexpected(trained.error());
        judges_[function].vectors = std::move(*trained);
        if (task.stopRequested()) return cancelled();
    }
    return true;
}

/// As one feature's scores are judged: from 0.99 of the way from the least to the greatest on.
bool CallModels::findSumLimits(const Trace& trace, const FunctionsOfCalls& functions, const Task& task)
{
    struct Range {
        double least = std::numeric_limits<double>::infinity(), most = -least;
    };
    const std::size_t parts =
        std::min(trace.locations.size(), static_cast<std::size_t>(std::max(1, task.threads())));
    std::vector<std::vector<Range>> ranges(parts, std::vector<Range>(models_.size()));
    parallelFor(parts, task, [&](std::size_t part) {
        for (std::size_t location = part; location < trace.locations.size(); location += parts) {
            CallWalk walk(trace.locations[location].intervals, functions, 0);
            const auto visit = [&](const MeasuredCall& call) {
                if (call.blocks) return;
                const auto scores = scoresOf(
                    call.function, chosenValues(*features_, params_.chosen, LocationId(location), call));
                const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
                Range& range = ranges[part][call.function];
                range.least = std::min(range.least, sum);
                range.most = std::max(range.most, sum);
            };
            if (!walk.run(visit, [&] { return !task.stopRequested(); })) return;
        }
    });
    if (task.stopRequested()) return false;
    for (std::size_t function = 0; function < models_.size(); ++function) {
        Range all;
        for (const auto& part : ranges) {
            all.least = std::min(all.least, part[function].least);
            all.most = std::max(all.most, part[function].most);
        }
        if (all.most > all.least)
            judges_[function].sumFrom = all.least + HistogramParams().threshold * (all.most - all.least);
    }
    return true;
}

const Judgement* CallModels::judgementOf(std::uint32_t function, std::size_t feature,
                                         std::int64_t value) const
{
    const JudgedValues& judge = judges_[function].features[feature];
    if (judge.judged.empty()) return nullptr;
    const double shown = models_[function]->features[feature].represented(value);
    const auto at =
        std::lower_bound(judge.counts.begin(), judge.counts.end(), shown,
                         [](const ValueCount& each, double wanted) { return each.value < wanted; });
    if (at == judge.counts.end() || at->value != shown) return nullptr;
    return &judge.judged[static_cast<std::size_t>(at - judge.counts.begin())];
}

std::vector<double> CallModels::scoresOf(std::uint32_t function, const CallFeatureValues& values) const
{
    std::vector<double> scores(params_.chosen.size(), 0.0);
    for (std::size_t i = 0; i < scores.size(); ++i)
        if (const Judgement* found = judgementOf(function, i, values[i])) scores[i] = found->score;
    return scores;
}

bool CallModels::judgesTogether() const { return skein::judgesTogether(params_); }

std::vector<OddFeature> CallModels::oddFeatures(LocationId location, const MeasuredCall& call) const
{
    if (call.blocks || params_.chosen.empty()) return {};
    return judgesTogether() ? oddTogether(location, call) : oddEach(location, call);
}

std::vector<OddFeature> CallModels::oddEach(LocationId location, const MeasuredCall& call) const
{
    std::vector<OddFeature> odd;
    const std::vector<JudgedValues>& judges = judges_[call.function].features;
    for (std::size_t i = 0; i < judges.size(); ++i) {
        if (judges[i].judged.empty()) continue;
        const std::int64_t value = chosenValue(*features_, location, call, params_.chosen[i]);
        const Judgement* judgement = judgementOf(call.function, i, value);
        if (judgement && judgement->verdict == Verdict::Anomaly)
            odd.push_back(
                {params_.chosen[i], *judgement, value - static_cast<std::int64_t>(judges[i].median)});
    }
    std::stable_sort(odd.begin(), odd.end(), [](const OddFeature& a, const OddFeature& b) {
        return a.judgement.score > b.judgement.score;
    });
    return odd;
}

std::vector<OddFeature> CallModels::oddTogether(LocationId location, const MeasuredCall& call) const
{
    const Judge& judge = judges_[call.function];
    const CallFeatureValues values = chosenValues(*features_, params_.chosen, location, call);
    Judgement judgement;
    std::vector<double> out;  // how far each feature is out
    if (judge.vectors) {
        judgement = judge.vectors->judge({vectorKey(location, call.call), values});
        if (judgement.verdict != Verdict::Anomaly) return {};
        out = judge.vectors->scaled(values);
        for (double& each : out) each = std::abs(each);
    } else {
        out = scoresOf(call.function, values);
        const double sum = std::accumulate(out.begin(), out.end(), 0.0);
        if (!(sum >= judge.sumFrom)) return {};
        judgement = {sum, Verdict::Anomaly};
    }
    std::vector<OddFeature> odd;
    for (const std::size_t i : farthestOut(out))
        odd.push_back(
            {params_.chosen[i], judgement, values[i] - static_cast<std::int64_t>(judge.features[i].median)});
    return odd;
}

Judgement CallModels::judgeOwn(std::uint32_t function, TimeNs ownNs) const
{
    const Judge& judge = judges_[function];
    if (judge.judged.empty()) return {};
    const double value = models_[function]->own.represented(ownNs);
    const auto at =
        std::lower_bound(judge.counts.begin(), judge.counts.end(), value,
                         [](const ValueCount& each, double wanted) { return each.value < wanted; });
    if (at == judge.counts.end() || at->value != value) return {};
    return judge.judged[static_cast<std::size_t>(at - judge.counts.begin())];
}

bool CallModels::hasLongWorks(std::uint32_t function, TimeNs worksNs) const
{
    const TailBreak& usual = judges_[function].works;
    if (static_cast<double>(worksNs) < usual.limit * (1.0 - kMoreThanABin) - 1.0) return false;
    return usual.isBeyond(models_[function]->works.represented(worksNs));
}

std::size_t CallModels::rareHeight(const MeasuredCall& call) const
{
    const auto& labels = models_[call.function]->labels;
    for (std::size_t h = 0; h < labels.size(); ++h)
        if (labels[h].anyRare() && labels[h].isRare(call.labels[h])) return h + 1;
    return 0;
}

}  // namespace skein
