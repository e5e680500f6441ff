// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/call_vectors.h"
#include "algorithms/anomaly/find_anomalies.h"
#include "algorithms/anomaly/histogram_model.h"
#include "tests/support/catch.h"
#include "tests/support/small_session.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

namespace skein::call_vectors_test {

using test::Call;

namespace {

using Places = std::set<std::pair<std::uint32_t, std::uint32_t>>;  // location, number of the call

constexpr int kCalls = 200;

/// Four ranks call step; the longer it is, the more calls of leaf are in it. Rank 2's call 77 is of a usual
/// length and has a usual number of callees, which do not belong together.
ExperimentPtr correlatedProgram()
{
    test::ExperimentBuilder builder("correlated");
    std::mt19937_64 random(11);
    for (int rank = 0; rank < 4; ++rank) {
        std::vector<Call> calls{{0, 100'000'000, "main", 0}};
        TimeNs now = 10;
        for (int i = 0; i < kCalls; ++i) {
            const bool odd = rank == 2 && i == 77;
            const int load = odd ? 30 : 4 + static_cast<int>(random() % 30);
            const TimeNs length = 1000 * load + static_cast<TimeNs>(random() % 1000);
            const int leaves = odd ? 6 : load;
            calls.push_back({now, now + length, "step", 1});
            for (int leaf = 0; leaf < leaves; ++leaf)
                calls.push_back({now + 900 * leaf, now + 900 * leaf + 100, "leaf", 2});
            now += length + 50;
        }
        builder.process("node", calls);
    }
    return builder.finish();
}

Places oddSteps(const Experiment& experiment, AnomalyDetector detector, int threads, double sigma = 3.0)
{
    AnomalyParams params;
    params.sigma = sigma;
    params.features = AnomalyFeatures::Time;
    params.detector = detector;
    params.chosen = {CallFeature::Duration, CallFeature::Children};
    const auto found = findAnomalies(experiment, params, Task({}, {}, threads));
    REQUIRE(found.has_value());
    Places odd;
    for (std::size_t i = 0; i < found->anomalies; ++i)
        if (displayName(experiment.definitions.regions[found->calls[i].function]) == "step")
            odd.insert({found->calls[i].location.index(), found->calls[i].callIndex});
    return odd;
}

/// Duration and callees of every step, by location and number.
std::vector<std::array<double, 2>> steps(const Experiment& experiment)
{
    std::vector<std::array<double, 2>> all;
    for (const LocationTrace& location : experiment.trace->locations)
        for (std::uint32_t call = 1; call < location.intervals.size(); ++call) {
            const CallIntervals& calls = location.intervals;
            if (calls.depth[call] == 1) all.push_back({double(calls.end[call] - calls.begin[call]), 0.0});
            else all.back()[1] += 1.0;
        }
    return all;
}

}  // namespace

TEST_CASE("a sample of vectors holds the least keys, in whatever order calls came or samples were merged")
{
    std::mt19937_64 random(5);
    std::vector<VectorSample::Row> rows(5000);
    for (auto& row : rows) {
        row.key = random();
        row.values[0] = static_cast<std::int64_t>(row.key % 1000);
    }
    VectorSample forward, parts[3];
    for (const auto& row : rows) forward.add(row);
    std::shuffle(rows.begin(), rows.end(), random);
    for (std::size_t i = 0; i < rows.size(); ++i) parts[i % 3].add(rows[i]);
    parts[1].merge(parts[2]);
    parts[0].merge(parts[1]);
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.key < b.key; });
    for (const VectorSample* each : {&forward, &parts[0]}) {
        CHECK(each->count() == 5000);
        const auto kept = each->rows();
        REQUIRE(kept.size() == VectorSample::kMost);
        for (std::size_t i = 0; i < kept.size(); ++i) {
            CHECK(kept[i].key == rows[i].key);
            CHECK(kept[i].values == rows[i].values);
        }
    }
}

TEST_CASE("the local outlier factor of a new point is what its definition gives")
{
    std::mt19937_64 random(2);
    std::normal_distribution<double> noise;
    constexpr std::size_t n = 150, k = 7;
    std::vector<double> x(3 * n);
    for (double& each : x) each = noise(random);
    const Points points{x, 3};
    const auto model = LocalOutlierModel::build(points, k, Task());
    REQUIRE(model.has_value());
    CHECK(model->factors() == localOutlierFactors(points, k, Task()).value());
    const auto distance = [&](std::span<const double> a, std::size_t b) {
        return std::sqrt(squaredDistance(a, points[b]));
    };
    // Breunig et al., definitions 3 to 7, of the points without `self`
    const auto nearest = [&](std::span<const double> a, std::size_t self) {
        std::vector<std::pair<double, std::size_t>> all;
        for (std::size_t i = 0; i < n; ++i)
            if (i != self) all.emplace_back(distance(a, i), i);
        std::sort(all.begin(), all.end());
        all.resize(k);
        return all;
    };
    const auto density = [&](std::span<const double> a, std::size_t self) {
        double reach = 0.0;
        for (const auto& [far, other] : nearest(a, self))
            reach += std::max(far, nearest(points[other], other).back().first);
        return double(k) / reach;
    };
    for (int i = 0; i < 20; ++i) {
        const std::array<double, 3> q{2 * noise(random), 2 * noise(random), 2 * noise(random)};
        double sum = 0.0;
        for (const auto& [far, other] : nearest(q, n)) sum += density(points[other], other);
        CHECK(model->factorOf(q) == Approx(sum / double(k) / density(q, n)).epsilon(1e-7));
    }
}

TEST_CASE("LOF and the support vector machine see features together: usual ones that do not belong together")
{
    const ExperimentPtr experiment = correlatedProgram();
    const std::pair<std::uint32_t, std::uint32_t> truth{2, 77};
    const Places byDensity = oddSteps(*experiment, AnomalyDetector::Lof, 1);
    CHECK(byDensity.contains(truth));
    CHECK(byDensity.size() <= 8);  // of 800
    CHECK(byDensity == oddSteps(*experiment, AnomalyDetector::Lof, 4));
    // Its share of 2 σ is 4.6 % of the calls.
    const Places bySupport = oddSteps(*experiment, AnomalyDetector::OneClassSvm, 1, 2.0);
    CHECK(bySupport.contains(truth));
    CHECK(bySupport.size() <= 37);
    CHECK(bySupport == oddSteps(*experiment, AnomalyDetector::OneClassSvm, 4, 2.0));
    // Each feature by itself is usual.
    for (const AnomalyDetector detector :
         {AnomalyDetector::Tail, AnomalyDetector::Sigma, AnomalyDetector::Robust})
        CHECK(oddSteps(*experiment, detector, 1).empty());
}

TEST_CASE("HBOS and COPOD add up what they say of each feature")
{
    const ExperimentPtr experiment = correlatedProgram();
    const auto values = steps(*experiment);
    REQUIRE(values.size() == 4 * kCalls);
    for (const auto& [detector, method] : {std::pair(AnomalyDetector::Hbos, HistogramMethod::Hbos),
                                           std::pair(AnomalyDetector::Copod, HistogramMethod::Copod)}) {
        CAPTURE(name(detector));
        std::vector<double> sums(values.size(), 0.0);
        for (std::size_t feature = 0; feature < 2; ++feature) {
            std::vector<double> column;
            for (const auto& each : values) column.push_back(each[feature]);
            const auto judged = HistogramDetector({.method = method}).judge(column);
            for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += judged[i].score;
        }
        const auto [least, most] = std::minmax_element(sums.begin(), sums.end());
        const double from = *least + 0.99 * (*most - *least);
        Places expected;
        for (std::uint32_t i = 0; i < sums.size(); ++i)
            if (sums[i] >= from) expected.insert({i / kCalls, i % kCalls});
        CHECK_FALSE(expected.empty());
        CHECK(oddSteps(*experiment, detector, 1) == expected);
        CHECK(oddSteps(*experiment, detector, 4) == expected);
    }
}

TEST_CASE("vectors of equal calls, of two calls and of none are judged without anomalies")
{
    for (const AnomalyDetector detector : {AnomalyDetector::Lof, AnomalyDetector::OneClassSvm})
        for (const std::uint64_t calls : {0, 1, 2, 3, 100}) {
            VectorSample sample;
            VectorSample::Row row;
            row.values = {7, 3};
            for (row.key = 0; row.key < calls; ++row.key) sample.add(row);
            const auto model = VectorModel::train(sample, 2, detector, 3.0, Task());
            REQUIRE(model.has_value());
            CHECK(model->judge({0, row.values}).verdict != Verdict::Anomaly);
            CHECK(model->judge({1000, row.values}).verdict != Verdict::Anomaly);
        }
    CHECK_FALSE(VectorModel::train({}, 2, AnomalyDetector::Tail, 3.0, Task()).has_value());
}

}  // namespace skein::call_vectors_test
