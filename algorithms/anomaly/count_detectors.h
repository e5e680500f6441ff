// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/histogram_model.h"
#include "algorithms/anomaly/judgement.h"
#include "algorithms/anomaly/local_outlier_factor.h"
#include "algorithms/anomaly/one_class_svm.h"
#include "algorithms/anomaly/robust_scale.h"
#include "algorithms/anomaly/value_sketch.h"
#include "core/base/result.h"
#include "core/base/task.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace skein {

enum class AnomalyDetector : std::uint8_t {
    Tail,         ///< a natural break in the upper tail, see tail_break.h
    Sigma,        ///< k·σ, see sigma_rule.h
    Robust,       ///< k robust deviations, see robust_scale.h
    Hbos,         ///< see histogram_model.h
    Copod,        ///< see histogram_model.h
    Lof,          ///< local outlier factor above k, see local_outlier_factor.h
    OneClassSvm,  ///< see one_class_svm.h
};
inline constexpr std::size_t kAnomalyDetectors = 7;
/// "tail", "sigma", "robust", "hbos", "copod", "lof", "svm".
std::string_view name(AnomalyDetector detector);

struct CountDetectorParams {
    AnomalyDetector detector = AnomalyDetector::Tail;
    double sigma = 3.0;
    double floor = 0.0;  ///< of the tail's break
};

/// Judges the values of one function, one judgement a value. LOF and the SVM see the logarithms of at most
/// 1 024 values, of which the greatest and least are always some. Bounded in time and memory by the number of
/// different values, but for HBOS and COPOD, which see up to 2^20. Errors: InvalidArgument for a sigma that
/// is not positive; Cancelled.
Result<std::vector<Judgement>> judgeCounts(const std::vector<ValueCount>& counts,
                                           const CountDetectorParams& params, const Task& task);

/// HBOS, COPOD, LOF or a one-class SVM that has learned values and judges any other by them, without learning
/// it. LOF and the SVM learn the logarithms of at most kMost of them; HBOS and COPOD up to 2^20, HBOS in as
/// many bins as the root of their number, at most 200 (Goldstein, Dengel, KI 2012). Immutable.
class LearnedDetector {
public:
    static constexpr std::uint64_t kMost = 256;

    /// Whether a detector has a model of this kind: not those that limits alone say all of.
    static bool has(AnomalyDetector detector);
    /// Errors: InvalidArgument for another detector, fewer than three values or a sigma that is not positive;
    /// Cancelled.
    static Result<LearnedDetector> learn(const std::vector<ValueCount>& counts,
                                         const CountDetectorParams& params, const Task& task);

    /// Histograms: O(1); LOF: O(kMost); SVM: O(support).
    Judgement judge(double value) const;

private:
    explicit LearnedDetector(double sigma) : sigma_(sigma) {}

    double sigma_;
    RobustScale scale_;  ///< of logarithms; of the SVM
    std::optional<HistogramDetector> histogram_;
    std::optional<LocalOutlierModel> density_;
    std::optional<OneClassSvm> support_;
};

}  // namespace skein
