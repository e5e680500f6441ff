// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/number_judge.h"

#include "algorithms/anomaly/sigma_rule.h"

#include <cmath>
#include <utility>

namespace skein {

void PastNumbers::add(std::int64_t value)
{
    values.add(value);
    moments.add(static_cast<double>(value));
}

void PastNumbers::merge(const PastNumbers& other)
{
    values.merge(other.values);
    moments.merge(other.moments);
}

void NumberJudge::learn(PastNumbers past, const NumberJudgeParams& params, const Task& task)
{
    params_ = params;
    past_ = std::move(past);
    learned_.reset();
    const std::vector<ValueCount> counts = past_.values.counts();
    const TailBreakParams tail{.sigma = params.sigma, .floor = params.floor};
    upper_ = tailBreakOf(counts, tail);
    if (upper_.count < kFewestForBreak) return;
    if (params.detector == AnomalyDetector::Tail && params.sides == TailSides::Both)
        belowReach_ = tailBreakOf(mirrored(counts), tail).reach;
    if (!LearnedDetector::has(params.detector)) return;
    auto learned = LearnedDetector::learn(counts, {.detector = params.detector, .sigma = params.sigma}, task);
    if (learned) learned_ = std::move(*learned);  // else the task was stopped
}

Judgement NumberJudge::judge(std::int64_t value) const
{
    if (count() < kFewestForBreak) return {};
    const auto number = static_cast<double>(value);
    // As the sketch shows it: between the bins that were learned there is nothing.
    if (learned_) return learned_->judge(past_.values.represented(value));
    switch (params_.detector) {
    case AnomalyDetector::Sigma: return judgeByMoments(number);
    case AnomalyDetector::Robust:
        return {upper_.score(number),
                upper_.score(number) > params_.sigma ? Verdict::Anomaly : Verdict::Normal};
    default: return judgeByTail(number);
    }
}

/// Where all were equal so far any other number is infinitely many deviations away, which is no score.
Judgement NumberJudge::judgeByMoments(double value) const
{
    Judgement judgement = judgeBySigma(value, past_.moments, params_.sigma);
    if (std::isinf(judgement.score)) judgement.score = upper_.score(value);
    return judgement;
}

Judgement NumberJudge::judgeByTail(double value) const
{
    const double excess = upper_.excess(value);
    const bool below = params_.sides == TailSides::Both && -excess > belowReach_;
    return {upper_.score(value), excess > upper_.reach || below ? Verdict::Anomaly : Verdict::Normal};
}

}  // namespace skein
