// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/stream_model.h"

#include "algorithms/anomaly/histogram_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace skein {
namespace {

constexpr std::size_t kGenerations = 8;  ///< of an age
constexpr double kStreamRareShare = 0.05;
constexpr double kStreamRelevantShare = 0.05;     ///< of a usual call's duration
constexpr double kRefreshShare = 0.05;            ///< of new calls, after which a limit is worked out again
constexpr double kLearnAgainShare = 0.25;         ///< the same for models, which take longer
constexpr std::uint64_t kRareAgainDivisor = 256;  ///< rare labels are looked for again so often

TimeNs lostAgainst(TimeNs value, double median)
{
    return std::max<TimeNs>(0, value - static_cast<TimeNs>(median));
}

}  // namespace

StreamFinding StreamModel::judge(const MeasuredCall& call, const VectorSample::Row& row, TimeNs now,
                                 const Task& task)
{
    turnGeneration(now);
    refresh(task);
    StreamFinding finding;
    finding.score = Judgement().score;
    if (own_.count() >= kFewestForBreak) judgeByPast(call, row, finding);
    learn(call, row);
    if (params_.judge.features != AnomalyFeatures::Time) judgeStructure(call, finding);
    return finding;
}

void StreamModel::turnGeneration(TimeNs now)
{
    const TimeNs length = params_.ageNs / static_cast<TimeNs>(kGenerations);
    const bool turn =
        generations_.empty() || (params_.ageNs > 0 && now - generations_.back()->begin > length);
    if (!turn) return;
    const std::size_t height =
        params_.judge.features == AnomalyFeatures::Time ? 0 : params_.judge.labelHeight;
    generations_.push_back(std::make_unique<Generation>());
    generations_.back()->begin = now;
    generations_.back()->chosen.resize(params_.judge.chosen.size());
    generations_.back()->labels.resize(height);
    labels_.resize(height);
    rareFound_.resize(height, 0);
    while (params_.ageNs > 0 && generations_.front()->begin + params_.ageNs < now && generations_.size() > 1)
        forgetOldest();
    sinceRefresh_ = ~std::uint64_t{0} / 2;
}

void StreamModel::forgetOldest()
{
    generations_.pop_front();
    std::fill(rareFound_.begin(), rareFound_.end(), 0);
    for (std::size_t h = 0; h < labels_.size(); ++h) {
        labels_[h] = {};
        for (const auto& each : generations_) labels_[h].merge(each->labels[h]);
    }
}

bool StreamModel::isDue() const
{
    const double share = LearnedDetector::has(params_.judge.detector) ? kLearnAgainShare : kRefreshShare;
    return sinceRefresh_ > static_cast<std::uint64_t>(share * static_cast<double>(own_.count()));
}

void StreamModel::refresh(const Task& task)
{
    if (!isDue()) return;
    ValueSketch duration, works;
    PastNumbers own;
    for (const auto& each : generations_) {
        own.merge(each->own);
        duration.merge(each->duration);
        works.merge(each->works);
    }
    worksMedian_ = medianOf(works.counts());
    NumberJudgeParams judge{.sigma = params_.judge.sigma};
    judge.floor = std::max(kStreamRelevantShare * medianOf(duration.counts()), 2.0 * tickNs_);
    if (judgesTime()) judge.detector = params_.judge.detector;
    own_.learn(std::move(own), judge, task);
    sinceRefresh_ = 0;
    if (!params_.judge.chosen.empty()) learnFeatures(task);
}

void StreamModel::learnFeatures(const Task& task)
{
    const AnomalyParams& params = params_.judge;
    const bool vectors = judgesTogether(params) && judgesVectors(params.detector);
    chosen_.resize(params.chosen.size());
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        PastNumbers past;
        for (const auto& each : generations_) past.merge(each->chosen[i]);
        NumberJudgeParams judge{.sigma = params.sigma, .sides = TailSides::Both};
        judge.floor = std::max(kStreamRelevantShare * medianOf(past.values.counts()),
                               isTime(params.chosen[i]) ? 2.0 * tickNs_ : 0.0);
        if (!vectors) judge.detector = params.detector;
        chosen_[i].learn(std::move(past), judge, task);
    }
    if (!judgesTogether(params)) return;
    VectorSample past;
    for (const auto& each : generations_) past.merge(each->vectors);
    if (!vectors) return findSumLimit(past);
    auto trained = VectorModel::train(past, params.chosen.size(), params.detector, params.sigma, task);
    if (trained) vectors_ = std::move(*trained);  // else the task was stopped
}

/// From 0.99 of the way from the least to the greatest sum of the calls that were drawn; beyond all of them
/// where those are equal.
void StreamModel::findSumLimit(const VectorSample& past)
{
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const VectorSample::Row& row : past.rows()) {
        const std::vector<double> scores = scoresOf(row.values);
        const double sum = std::accumulate(scores.begin(), scores.end(), 0.0);
        least = std::min(least, sum);
        most = std::max(most, sum);
    }
    if (most > least) sumFrom_ = least + HistogramParams().threshold * (most - least);
    else sumFrom_ = std::nextafter(most, std::numeric_limits<double>::infinity());
}

void StreamModel::learn(const MeasuredCall& call, const VectorSample::Row& row)
{
    Generation& newest = *generations_.back();
    newest.own.add(call.ownNs);
    newest.duration.add(call.durationNs);
    newest.works.add(call.worksNs);
    for (std::size_t i = 0; i < newest.chosen.size(); ++i) newest.chosen[i].add(row.values[i]);
    if (judgesTogether(params_.judge)) newest.vectors.add(row);
    ++sinceRefresh_;
}

void StreamModel::judgeByPast(const MeasuredCall& call, const VectorSample::Row& row,
                              StreamFinding& finding) const
{
    finding.lostNs = lostAgainst(call.ownNs, own_.median());
    finding.lostWorkingNs = lostAgainst(call.worksNs, worksMedian_);
    if (judgesTime()) {
        const Judgement own = own_.judge(call.ownNs);
        finding.score = own.score;
        finding.longOwn = own.verdict == Verdict::Anomaly;
    } else if (judgesTogether(params_.judge)) {
        judgeTogether(row, finding);
    } else {
        judgeEach(row.values, finding);
    }
}

void StreamModel::judgeEach(const CallFeatureValues& values, StreamFinding& finding) const
{
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
        const Judgement judgement = chosen_[i].judge(values[i]);
        finding.score = std::max(finding.score, judgement.score);
        if (judgement.verdict == Verdict::Anomaly)
            finding.odd.push_back({params_.judge.chosen[i], judgement,
                                   values[i] - static_cast<std::int64_t>(chosen_[i].median())});
    }
    std::stable_sort(finding.odd.begin(), finding.odd.end(), [](const OddFeature& a, const OddFeature& b) {
        return a.judgement.score > b.judgement.score;
    });
}

void StreamModel::judgeTogether(const VectorSample::Row& row, StreamFinding& finding) const
{
    Judgement judgement;
    std::vector<double> out;  // how far each feature is out
    if (vectors_) {
        judgement = vectors_->judge(row);
        out = vectors_->scaled(row.values);
        for (double& each : out) each = std::abs(each);
    } else {
        out = scoresOf(row.values);
        const double sum = std::accumulate(out.begin(), out.end(), 0.0);
        judgement = {sum, sum >= sumFrom_ ? Verdict::Anomaly : Verdict::Normal};
    }
    finding.score = judgement.score;
    if (judgement.verdict != Verdict::Anomaly) return;
    for (const std::size_t i : farthestOut(out))
        finding.odd.push_back({params_.judge.chosen[i], judgement,
                               row.values[i] - static_cast<std::int64_t>(chosen_[i].median())});
}

std::vector<double> StreamModel::scoresOf(const CallFeatureValues& values) const
{
    std::vector<double> scores(chosen_.size(), 0.0);
    for (std::size_t i = 0; i < scores.size(); ++i)
        scores[i] = std::max(0.0, chosen_[i].judge(values[i]).score);
    return scores;
}

/// Learns the structure, and tells whether it is rare among those so far. Which are is looked for again when
/// there are 1/256 more calls: what a function does changes no faster.
void StreamModel::judgeStructure(const MeasuredCall& call, StreamFinding& finding)
{
    for (std::size_t h = 0; h < labels_.size(); ++h) {
        generations_.back()->labels[h].add(call.labels[h]);
        labels_[h].add(call.labels[h]);
    }
    for (std::size_t h = 0; h < labels_.size(); ++h) {
        const double surprise = labels_[h].surprise(call.labels[h]);
        if (surprise < -std::log2(kStreamRareShare)) continue;
        const std::uint64_t total = labels_[h].total();
        if (total - rareFound_[h] > total / kRareAgainDivisor) {
            labels_[h].findRare(kStreamRareShare);
            rareFound_[h] = total;
        }
        if (!labels_[h].isRare(call.labels[h])) continue;
        finding.rareHeight = h + 1;
        finding.surprise = surprise;
        return;
    }
}

}  // namespace skein
