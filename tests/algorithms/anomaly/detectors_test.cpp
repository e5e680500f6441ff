// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/count_detectors.h"
#include "algorithms/anomaly/histogram_model.h"
#include "algorithms/anomaly/local_outlier_factor.h"
#include "algorithms/anomaly/one_class_svm.h"
#include "algorithms/anomaly/robust_scale.h"
#include "algorithms/anomaly/sigma_rule.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace skein::detectors_test {

const double kNan = std::nan("");
constexpr double kInfinite = std::numeric_limits<double>::infinity();

TEST_CASE("detectors: merging moments is associative")
{
    std::mt19937 random(3);
    std::lognormal_distribution<double> values(0.0, 1.0);
    RunningMoments parts[3], all;
    for (int i = 0; i < 300; ++i) {
        const double value = values(random);
        parts[i % 7 % 3].add(value);
    }
    RunningMoments left = parts[0], right = parts[1];
    left.merge(parts[1]);
    left.merge(parts[2]);
    right.merge(parts[2]);
    all = parts[0];
    all.merge(right);
    CHECK(left.count() == 300);
    CHECK(left.variance() == Approx(all.variance()).epsilon(1e-12));
    CHECK(left.skewness() == Approx(all.skewness()).epsilon(1e-12));
    CHECK(left.excessKurtosis() == Approx(all.excessKurtosis()).epsilon(1e-12));
    all.merge({});
    CHECK(all.count() == 300);
}

TEST_CASE("detectors: equal values have no anomaly, and one among many equal ones is one")
{
    std::vector<double> values(20, 5.0);
    for (const HistogramMethod method : {HistogramMethod::Hbos, HistogramMethod::Copod})
        for (const Judgement& one :
             HistogramDetector({method, 0.9, 50, method == HistogramMethod::Hbos}).judge(values))
            CHECK(one == Judgement{0.0, Verdict::Normal});
    for (const Judgement& one : judgeBySigma(values, 3.0, SigmaModel::All))
        CHECK(one == Judgement{0.0, Verdict::Normal});
    CHECK(judgeByMedian(5.0, robustScaleOf(values), 3.0) == Judgement{0.0, Verdict::Normal});
    CHECK(judgeByMedian(5.1, robustScaleOf(values), 3.0) == Judgement{kInfinite, Verdict::Anomaly});
    values[7] = 6.0;
    CHECK(judgeBySigma(values, 3.0, SigmaModel::All)[7].verdict == Verdict::Anomaly);
    CHECK(HistogramDetector({}).judge(values)[7].verdict == Verdict::Anomaly);
    // The first value that differs from a model without spread is infinitely far.
    CHECK(judgeBySigma(values, 3.0, SigmaModel::Past)[7].verdict == Verdict::Anomaly);
}

TEST_CASE("detectors: fewer than eleven values have none beyond three sigma")
{
    CHECK(fewestForSigma(3.0) == 11);
    for (std::size_t n = 2; n < 14; ++n) {
        std::vector<double> values(n, 1.0);
        values[0] = 1e6;
        CHECK((judgeBySigma(values, 3.0, SigmaModel::All)[0].verdict == Verdict::Anomaly) == (n >= 11));
    }
    CHECK(judgeBySigma(std::vector<double>{4.0}, 3.0, SigmaModel::All)[0] == Judgement{});
    CHECK(tailShare(3.0) == Approx(0.0026997960632602));
}

TEST_CASE("detectors: what is no number is not evaluated and changes nothing")
{
    std::vector<double> values;
    for (int i = 0; i < 40; ++i) values.push_back(10.0 + i % 5);
    std::vector<double> holed = values;
    values.push_back(90.0);
    holed.insert(holed.end(), {kNan, kInfinite, 90.0});
    const auto compare = [&](const std::vector<Judgement>& clean, const std::vector<Judgement>& with) {
        for (std::size_t i = 0; i < 40; ++i) CHECK(clean[i] == with[i]);
        CHECK(with[40] == Judgement{});
        CHECK(with[41] == Judgement{});
        CHECK(with[42] == clean[40]);
        CHECK(with[42].verdict == Verdict::Anomaly);
    };
    compare(judgeBySigma(values, 3.0, SigmaModel::All), judgeBySigma(holed, 3.0, SigmaModel::All));
    for (const HistogramMethod method : {HistogramMethod::Hbos, HistogramMethod::Copod})
        compare(HistogramDetector({method}).judge(values), HistogramDetector({method}).judge(holed));
    CHECK(robustScaleOf(holed).median == robustScaleOf(values).median);
    CHECK(robustScaleOf(holed).deviation == robustScaleOf(values).deviation);
    CHECK(judgeByMedian(kNan, robustScaleOf(values), 3.0) == Judgement{});
    CHECK(!localOutlierFactors({holed, 1}, 3, Task{}));
    CHECK(!OneClassSvm::train({holed, 1}, {}, Task{}));
    CHECK(HistogramDetector({}).judge(std::vector<double>{kNan})[0] == Judgement{});
}

TEST_CASE("detectors: verdicts do not depend on the unit")
{
    std::mt19937 random(11);
    std::normal_distribution<double> noise(100.0, 5.0);
    std::vector<double> values, scaled;
    for (int i = 0; i < 500; ++i) values.push_back(i % 100 == 50 ? 300.0 + i : noise(random));
    for (const double value : values) scaled.push_back(value * 1024.0 + 4096.0);
    const auto same = [](const std::vector<Judgement>& a, const std::vector<Judgement>& b) {
        for (std::size_t i = 0; i < a.size(); ++i) CHECK(a[i].verdict == b[i].verdict);
    };
    same(judgeBySigma(values, 3.0, SigmaModel::All), judgeBySigma(scaled, 3.0, SigmaModel::All));
    for (const HistogramMethod method : {HistogramMethod::Hbos, HistogramMethod::Copod})
        same(HistogramDetector({method}).judge(values), HistogramDetector({method}).judge(scaled));
    CHECK(robustScaleOf(scaled).deviation == Approx(robustScaleOf(values).deviation * 1024.0));
}

TEST_CASE("detectors: medians of odd and even numbers of values")
{
    CHECK(robustScaleOf(std::vector<double>{3.0, 1.0, 9.0}).median == 3.0);
    CHECK(robustScaleOf(std::vector<double>{3.0, 1.0, 9.0, 4.0}).median == 3.5);
    CHECK(robustScaleOf(std::vector<double>{1.0, 2.0, 3.0, 4.0, 100.0}).deviation
          == Approx(1.4826).epsilon(1e-4));
    CHECK(robustScaleOf({}).count == 0);
}

TEST_CASE("detectors: bad parameters are refused")
{
    const std::vector<double> values{1.0, 2.0, 3.0};
    CHECK(!localOutlierFactors({values, 1}, 0, Task{}));
    CHECK(localOutlierFactors({{values.data(), 1}, 1}, 3, Task{}).value() == std::vector<double>{1.0});
    CHECK(!OneClassSvm::train({values, 1}, {0.0, 1.0}, Task{}));
    CHECK(!OneClassSvm::train({values, 1}, {1.5, 1.0}, Task{}));
    CHECK(!OneClassSvm::train({values, 1}, {0.5, 0.0}, Task{}));
    CHECK(!OneClassSvm::train({{}, 1}, {}, Task{}));
    // All of the weight: every point is support, with a weight of 1.
    CHECK(OneClassSvm::train({values, 1}, {1.0, 1.0}, Task{})->weights() == std::vector<double>(3, 1.0));
}

namespace {

/// What a detector says of the values that it knows all of.
std::vector<Judgement> batchOf(AnomalyDetector detector, const std::vector<ValueCount>& counts)
{
    if (detector != AnomalyDetector::Hbos) return judgeCounts(counts, {.detector = detector}, Task()).value();
    std::vector<double> values;
    for (const ValueCount& each : counts) values.insert(values.end(), each.count, each.value);
    const auto bins = static_cast<std::size_t>(std::sqrt(static_cast<double>(values.size())));
    return HistogramDetector({.bins = bins}).judge(values);
}

}  // namespace

TEST_CASE("detectors: what has learned values judges them as the batch did, and others by them")
{
    std::mt19937 random(11);
    std::lognormal_distribution<double> values(7.0, 0.2);
    std::vector<ValueCount> counts;
    for (int i = 0; i < 200; ++i) counts.push_back({std::round(values(random)), 1});
    std::sort(counts.begin(), counts.end(),
              [](const ValueCount& a, const ValueCount& b) { return a.value < b.value; });
    for (const AnomalyDetector detector : {AnomalyDetector::Hbos, AnomalyDetector::Copod,
                                           AnomalyDetector::OneClassSvm, AnomalyDetector::Lof}) {
        INFO(name(detector));
        REQUIRE(LearnedDetector::has(detector));
        const auto learned = LearnedDetector::learn(counts, {.detector = detector}, Task());
        REQUIRE(learned.has_value());
        if (detector != AnomalyDetector::Lof)
            for (std::size_t i = 0; i < counts.size(); ++i)
                CHECK(learned->judge(counts[i].value) == batchOf(detector, counts)[i]);
        CHECK(learned->judge(counts[100].value).verdict == Verdict::Normal);
        CHECK(learned->judge(counts.back().value * 50).verdict == Verdict::Anomaly);
    }
    for (const AnomalyDetector other :
         {AnomalyDetector::Tail, AnomalyDetector::Sigma, AnomalyDetector::Robust}) {
        CHECK_FALSE(LearnedDetector::has(other));
        CHECK_FALSE(LearnedDetector::learn(counts, {.detector = other}, Task()).has_value());
    }
    CHECK_FALSE(LearnedDetector::learn({{5.0, 2}}, {.detector = AnomalyDetector::Lof}, Task()).has_value());
    const auto equal = LearnedDetector::learn({{5.0, 90}}, {.detector = AnomalyDetector::Hbos}, Task());
    REQUIRE(equal.has_value());
    CHECK(equal->judge(5.0).verdict == Verdict::Normal);
    CHECK(equal->judge(500.0).verdict == Verdict::Anomaly);
    CHECK(HistogramDetector({}).judgeOther(1.0) == Judgement{});
}

}  // namespace skein::detectors_test
