// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_features.h"
#include "algorithms/anomaly/count_detectors.h"
#include "algorithms/anomaly/local_outlier_factor.h"
#include "algorithms/anomaly/one_class_svm.h"
#include "algorithms/anomaly/robust_scale.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Calls of one function as points of several features.
namespace skein {

/// Whether a detector judges several features of a call together and not each by itself.
constexpr bool judgesVectors(AnomalyDetector detector)
{
    return detector == AnomalyDetector::Lof || detector == AnomalyDetector::OneClassSvm;
}
/// Whether it adds up what it says of each feature.
constexpr bool addsUpFeatures(AnomalyDetector detector)
{
    return detector == AnomalyDetector::Hbos || detector == AnomalyDetector::Copod;
}

/// Of all calls that were added the kMost whose keys are the least: the same whatever the order, so any
/// number of threads may collect them. A key occurs once. O(log kMost) a call; 82 KiB at most.
class VectorSample {
public:
    static constexpr std::size_t kMost = 1024;
    struct Row {
        std::uint64_t key = 0;
        CallFeatureValues values{};  ///< the first so many as there are features
    };

    void add(const Row& row);
    void merge(const VectorSample& other);
    std::uint64_t count() const { return count_; }  ///< of all that were added
    std::vector<Row> rows() const;                  ///< by key

private:
    std::uint64_t count_ = 0;
    std::vector<Row> heap_;  ///< the greatest key first
};

/// LOF or a one-class SVM of a sample of vectors: x ↦ ln(1 + x) of each feature, less its median, over 1.4826
/// times the median distance from it; over the standard deviation where that is 0, over 1 where both are. The
/// kernel's γ is 1 / (2 · features). Immutable.
class VectorModel {
public:
    /// Errors: InvalidArgument for another detector; Cancelled. O(rows² · features).
    static Result<VectorModel> train(const VectorSample& sample, std::size_t features,
                                     AnomalyDetector detector, double sigma, const Task& task);

    /// Of a call in the sample what its point says, of any other one by the sample. Fewer than three calls
    /// are not evaluated. LOF: O(sample · features); SVM: O(support · features).
    Judgement judge(const VectorSample::Row& row) const;
    /// Of each feature, how far from its median.
    std::vector<double> scaled(const CallFeatureValues& values) const;

private:
    void findScales(const std::vector<VectorSample::Row>& rows, std::size_t features);

    double sigma_ = 3.0;
    std::vector<RobustScale> scales_;  ///< of logarithms
    std::vector<std::uint64_t> keys_;
    std::optional<LocalOutlierModel> density_;
    std::optional<OneClassSvm> support_;
};

}  // namespace skein
