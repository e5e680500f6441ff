// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/count_detectors.h"

#include "algorithms/anomaly/sigma_rule.h"
#include "algorithms/anomaly/tail_break.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace skein {
namespace {

constexpr std::uint64_t kMostHistogramValues = std::uint64_t{1} << 20;
constexpr std::uint64_t kMostSampledValues = 1024;
constexpr std::uint64_t kSampledExtremes = 64;
constexpr std::size_t kLofNeighbours = 20;
constexpr std::uint64_t kFewestJudged = 3;  ///< of two nobody can say which is odd

std::uint64_t countOfAll(const std::vector<ValueCount>& counts)
{
    std::uint64_t total = 0;
    for (const ValueCount& each : counts) total += each.count;
    return total;
}

std::vector<Judgement> judgeTail(const std::vector<ValueCount>& counts, const CountDetectorParams& params)
{
    const TailBreak found = tailBreakOf(counts, {.sigma = params.sigma, .floor = params.floor});
    std::vector<Judgement> judged;
    for (const ValueCount& each : counts)
        judged.push_back(
            {found.score(each.value), found.isBeyond(each.value) ? Verdict::Anomaly : Verdict::Normal});
    return judged;
}

std::vector<Judgement> judgeMoments(const std::vector<ValueCount>& counts, double sigma)
{
    RunningMoments moments;
    for (const ValueCount& each : counts)
        for (std::uint64_t i = 0; i < each.count; ++i) moments.add(each.value);
    std::vector<Judgement> judged;
    for (const ValueCount& each : counts) judged.push_back(judgeBySigma(each.value, moments, sigma));
    return judged;
}

std::vector<Judgement> judgeMedian(const std::vector<ValueCount>& counts, double sigma)
{
    const TailBreak body = tailBreakOf(counts, {});
    std::vector<Judgement> judged;
    for (const ValueCount& each : counts) {
        judged.push_back(judgeByMedian(
            each.value, {body.median, body.deviation, static_cast<std::size_t>(body.count)}, sigma));
        if (std::isinf(judged.back().score)) judged.back().score = body.score(each.value);
    }
    return judged;
}

/// Each value as often as it came; of very many every so manieth. `first`: where each begins.
std::vector<double> repeatedValues(const std::vector<ValueCount>& counts, std::vector<std::size_t>& first)
{
    const std::uint64_t total = countOfAll(counts);
    const std::uint64_t every = (total + kMostHistogramValues - 1) / kMostHistogramValues;
    std::vector<double> values;
    for (const ValueCount& each : counts) {
        first.push_back(values.size());
        values.insert(values.end(),
                      std::max<std::uint64_t>(1, each.count / std::max<std::uint64_t>(1, every)), each.value);
    }
    return values;
}

std::vector<Judgement> judgeHistogram(const std::vector<ValueCount>& counts, HistogramMethod method)
{
    std::vector<std::size_t> first;
    HistogramDetector detector({.method = method});
    const std::vector<Judgement> all = detector.judge(repeatedValues(counts, first));
    std::vector<Judgement> judged;
    for (const std::size_t at : first) judged.push_back(all[at]);
    return judged;
}

/// Every value may be in, however rare; the more often it came, the more often it is. At most `most` of them,
/// with so many of the greatest and least.
std::vector<double> sampledLogarithms(const std::vector<ValueCount>& counts, std::uint64_t most,
                                      std::uint64_t extremes, std::vector<std::size_t>& valueOf)
{
    const std::uint64_t total = countOfAll(counts);
    const std::uint64_t between = total > most ? total / (most - 2 * extremes) : 1;
    std::vector<double> sample;
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        for (std::uint64_t k = 0; k < counts[i].count; ++k) {
            const std::uint64_t place = before + k;
            const bool extreme = place < extremes || place + extremes >= total;
            if (!extreme && place % (between + (between > 1)) != 0) continue;
            sample.push_back(std::log1p(counts[i].value));
            valueOf.push_back(i);
        }
        before += counts[i].count;
    }
    return sample;
}

/// Values that were not sampled are judged as the nearest one that was.
std::vector<Judgement> spreadOver(const std::vector<ValueCount>& counts,
                                  const std::vector<std::size_t>& valueOf,
                                  const std::vector<Judgement>& sampled)
{
    std::vector<Judgement> judged(counts.size());
    std::size_t at = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        while (at + 1 < valueOf.size()
               && std::abs(counts[valueOf[at + 1]].value - counts[i].value)
                   <= std::abs(counts[valueOf[at]].value - counts[i].value))
            ++at;
        judged[i] = sampled[at];
    }
    return judged;
}

Judgement judgeByFactor(double factor, double sigma)
{
    return {factor, factor > sigma ? Verdict::Anomaly : Verdict::Normal};
}

Result<std::vector<Judgement>> judgeDensity(const std::vector<ValueCount>& counts, double sigma,
                                            const Task& task)
{
    std::vector<std::size_t> valueOf;
    const std::vector<double> sample =
        sampledLogarithms(counts, kMostSampledValues, kSampledExtremes, valueOf);
    const auto factors = localOutlierFactors({sample, 1}, kLofNeighbours, task);
    if (!factors) return tl::make_unexpected(factors.error());
    std::vector<Judgement> judged;
    for (const double factor : *factors) judged.push_back(judgeByFactor(factor, sigma));
    return spreadOver(counts, valueOf, judged);
}

/// Scales the sample as well.
Result<OneClassSvm> trainedSupport(std::vector<double>& sample, const RobustScale& scale, double sigma,
                                   const Task& task)
{
    const double unit = scale.deviation > 0.0 ? scale.deviation : 1.0;
    for (double& value : sample) value = (value - scale.median) / unit;
    OneClassParams params;
    params.nu = std::clamp(tailShare(sigma), 1.0 / static_cast<double>(sample.size() + 1), 1.0);
    params.tolerance = 1e-6;
    return OneClassSvm::train({sample, 1}, params, task);
}

Judgement judgeBySupport(const OneClassSvm& svm, double scaled)
{
    const double decision = svm.decision({&scaled, 1});
    return {-decision, decision < -1e-6 ? Verdict::Anomaly : Verdict::Normal};
}

Result<std::vector<Judgement>> judgeSupport(const std::vector<ValueCount>& counts, double sigma,
                                            const Task& task)
{
    std::vector<std::size_t> valueOf;
    std::vector<double> sample = sampledLogarithms(counts, kMostSampledValues, kSampledExtremes, valueOf);
    const auto svm = trainedSupport(sample, robustScaleOf(sample), sigma, task);
    if (!svm) return tl::make_unexpected(svm.error());
    std::vector<Judgement> judged;
    for (const double value : sample) judged.push_back(judgeBySupport(*svm, value));
    return spreadOver(counts, valueOf, judged);
}

}  // namespace

std::string_view name(AnomalyDetector detector)
{
    static constexpr std::array<std::string_view, kAnomalyDetectors> names{"tail",  "sigma", "robust", "hbos",
                                                                           "copod", "lof",   "svm"};
    const auto index = static_cast<std::size_t>(detector);
    return index < names.size() ? names[index] : std::string_view("invalid");
}

Result<std::vector<Judgement>> judgeCounts(const std::vector<ValueCount>& counts,
                                           const CountDetectorParams& params, const Task& task)
{
    if (!(params.sigma > 0.0) || !std::isfinite(params.sigma))
        return fail(ErrorCode::InvalidArgument, "The number of deviations must be greater than 0.");
    if (countOfAll(counts) < kFewestJudged)
        return std::vector<Judgement>(counts.size(), Judgement{0.0, Verdict::NotEvaluated});
    switch (params.detector) {
    case AnomalyDetector::Tail: return judgeTail(counts, params);
    case AnomalyDetector::Sigma: return judgeMoments(counts, params.sigma);
    case AnomalyDetector::Robust: return judgeMedian(counts, params.sigma);
    case AnomalyDetector::Hbos: return judgeHistogram(counts, HistogramMethod::Hbos);
    case AnomalyDetector::Copod: return judgeHistogram(counts, HistogramMethod::Copod);
    case AnomalyDetector::Lof: return judgeDensity(counts, params.sigma, task);
    case AnomalyDetector::OneClassSvm: return judgeSupport(counts, params.sigma, task);
    }
    return judgeTail(counts, params);
}

bool LearnedDetector::has(AnomalyDetector detector)
{
    return detector == AnomalyDetector::Hbos || detector == AnomalyDetector::Copod
        || detector == AnomalyDetector::Lof || detector == AnomalyDetector::OneClassSvm;
}

Result<LearnedDetector> LearnedDetector::learn(const std::vector<ValueCount>& counts,
                                               const CountDetectorParams& params, const Task& task)
{
    if (!has(params.detector) || !(params.sigma > 0.0) || !std::isfinite(params.sigma)
        || countOfAll(counts) < kFewestJudged)
        return fail(ErrorCode::InvalidArgument, "There is nothing to learn of these values.");
    LearnedDetector learned(params.sigma);
    std::vector<std::size_t> places;
    if (params.detector == AnomalyDetector::Hbos || params.detector == AnomalyDetector::Copod) {
        HistogramParams histogram;
        if (params.detector == AnomalyDetector::Copod) histogram.method = HistogramMethod::Copod;
        // With more bins than that most of few values' bins are empty, and other values odd for that alone.
        const double root = std::sqrt(static_cast<double>(countOfAll(counts)));
        histogram.bins = std::min(histogram.bins, static_cast<std::size_t>(root));
        learned.histogram_.emplace(histogram);
        learned.histogram_->judge(repeatedValues(counts, places));
        return learned;
    }
    // What was odd before is to stay odd: extremes are in as often as they came.
    std::vector<double> sample = sampledLogarithms(counts, kMost, 0, places);
    if (params.detector == AnomalyDetector::Lof) {
        auto density = LocalOutlierModel::build({sample, 1}, kLofNeighbours, task);
        if (!density) return tl::make_unexpected(density.error());
        learned.density_ = std::move(*density);
        return learned;
    }
    learned.scale_ = robustScaleOf(sample);
    auto support = trainedSupport(sample, learned.scale_, params.sigma, task);
    if (!support) return tl::make_unexpected(support.error());
    learned.support_ = std::move(*support);
    return learned;
}

Judgement LearnedDetector::judge(double value) const
{
    if (histogram_) return histogram_->judgeOther(value);
    const double logarithm = std::log1p(value);
    if (density_) return judgeByFactor(density_->factorOf({&logarithm, 1}), sigma_);
    const double unit = scale_.deviation > 0.0 ? scale_.deviation : 1.0;
    return judgeBySupport(*support_, (logarithm - scale_.median) / unit);
}

}  // namespace skein
