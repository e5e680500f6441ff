// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/call_vectors.h"

#include "algorithms/anomaly/running_moments.h"
#include "algorithms/anomaly/sigma_rule.h"

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

constexpr std::size_t kVectorNeighbours = 20;
constexpr std::uint64_t kFewestVectors = 3;  ///< of two nobody can say which is odd
constexpr double kSmallestUnit = 1e-9;       ///< what rounding leaves of equal values is no deviation

bool hasSmallerKey(const VectorSample::Row& a, const VectorSample::Row& b) { return a.key < b.key; }

double logarithmOfValue(std::int64_t value)
{
    return std::log1p(static_cast<double>(std::max<std::int64_t>(0, value)));
}

}  // namespace

void VectorSample::add(const Row& row)
{
    ++count_;
    if (heap_.size() >= kMost) {
        if (row.key > heap_.front().key) return;
        std::pop_heap(heap_.begin(), heap_.end(), hasSmallerKey);
        heap_.pop_back();
    }
    heap_.push_back(row);
    std::push_heap(heap_.begin(), heap_.end(), hasSmallerKey);
}

void VectorSample::merge(const VectorSample& other)
{
    const std::uint64_t all = count_ + other.count_;
    for (const Row& row : other.heap_) add(row);
    count_ = all;
}

std::vector<VectorSample::Row> VectorSample::rows() const
{
    std::vector<Row> sorted = heap_;
    std::sort(sorted.begin(), sorted.end(), hasSmallerKey);
    return sorted;
}

void VectorModel::findScales(const std::vector<VectorSample::Row>& rows, std::size_t features)
{
    for (std::size_t i = 0; i < features; ++i) {
        std::vector<double> logarithms;
        RunningMoments moments;
        for (const VectorSample::Row& row : rows) {
            logarithms.push_back(logarithmOfValue(row.values[i]));
            moments.add(logarithms.back());
        }
        RobustScale scale = robustScaleOf(logarithms);
        if (scale.deviation <= kSmallestUnit) scale.deviation = moments.standardDeviation();
        if (scale.deviation <= kSmallestUnit) scale.deviation = 1.0;
        scales_.push_back(scale);
    }
}

Result<VectorModel> VectorModel::train(const VectorSample& sample, std::size_t features,
                                       AnomalyDetector detector, double sigma, const Task& task)
{
    if (!judgesVectors(detector))
        return fail(ErrorCode::InvalidArgument, "Only LOF and the one-class SVM judge vectors.");
    VectorModel model;
    model.sigma_ = sigma;
    const std::vector<VectorSample::Row> rows = sample.rows();
    model.findScales(rows, features);
    if (rows.size() < kFewestVectors) return model;
    std::vector<double> values;
    for (const VectorSample::Row& row : rows) {
        const std::vector<double> point = model.scaled(row.values);
        values.insert(values.end(), point.begin(), point.end());
        model.keys_.push_back(row.key);
    }
    if (detector == AnomalyDetector::Lof) {
        auto density = LocalOutlierModel::build({values, features}, kVectorNeighbours, task);
        if (!density) return tl::make_unexpected(density.error());
        model.density_ = std::move(*density);
        return model;
    }
    OneClassParams params;
    params.nu = std::clamp(tailShare(sigma), 1.0 / static_cast<double>(rows.size() + 1), 1.0);
    params.gamma = 0.5 / static_cast<double>(features);
    params.tolerance = 1e-6;
    auto support = OneClassSvm::train({values, features}, params, task);
    if (!support) return tl::make_unexpected(support.error());
    model.support_ = std::move(*support);
    return model;
}

std::vector<double> VectorModel::scaled(const CallFeatureValues& values) const
{
    std::vector<double> point(scales_.size());
    for (std::size_t i = 0; i < point.size(); ++i)
        point[i] = (logarithmOfValue(values[i]) - scales_[i].median) / scales_[i].deviation;
    return point;
}

Judgement VectorModel::judge(const VectorSample::Row& row) const
{
    if (support_) {
        const double decision = support_->decision(scaled(row.values));
        return {-decision, decision < -1e-6 ? Verdict::Anomaly : Verdict::Normal};
    }
    if (!density_) return {0.0, Verdict::NotEvaluated};
    const auto at = std::lower_bound(keys_.begin(), keys_.end(), row.key);
    const bool sampled = at != keys_.end() && *at == row.key;
    const double factor = sampled ? density_->factors()[static_cast<std::size_t>(at - keys_.begin())]
                                  : density_->factorOf(scaled(row.values));
    return {factor, factor > sigma_ ? Verdict::Anomaly : Verdict::Normal};
}

}  // namespace skein
