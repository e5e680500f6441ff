// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/anomaly_ranking.h"
#include "core/io/importer.h"
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace skein::anomaly_ranking_test {

TEST_CASE("statistics of anomalies in windows are those of their counts")
{
    std::mt19937 random(3);
    constexpr std::uint32_t kItems = 5, kWindows = 12;
    const TimeSpan span{1000, 1000 + 12 * 500};
    std::vector<CountedAnomaly> anomalies;
    std::vector<std::vector<double>> counts(kItems, std::vector<double>(kWindows, 0.0));
    for (int i = 0; i < 300; ++i) {
        const std::uint32_t item = static_cast<std::uint32_t>(random() % (kItems - 1));  // the last has none
        const std::uint32_t window = static_cast<std::uint32_t>(random() % kWindows);
        anomalies.push_back({item, 1000 + 500 * window + static_cast<TimeNs>(random() % 500), 7});
        counts[item][window] += 1;
    }
    const auto ranked = rankAnomalies(anomalies, kItems, span, kWindows);
    REQUIRE(ranked.size() == kItems);
    for (std::uint32_t item = 0; item < kItems; ++item) {
        const auto& of = counts[item];
        double sum = 0, second = 0, third = 0, fourth = 0;
        for (const double count : of) sum += count;
        const double mean = sum / kWindows;
        for (const double count : of) {
            second += std::pow(count - mean, 2) / kWindows;
            third += std::pow(count - mean, 3) / kWindows;
            fourth += std::pow(count - mean, 4) / kWindows;
        }
        const RankedItem& each = ranked[item];
        CHECK(each.item == item);
        CHECK(each.of(AnomalyStatistic::Count) == sum);
        CHECK(each.of(AnomalyStatistic::Severity) == 7 * sum);
        CHECK(each.of(AnomalyStatistic::Delta) == of[kWindows - 1] - of[kWindows - 2]);
        CHECK(each.of(AnomalyStatistic::Minimum) == *std::min_element(of.begin(), of.end()));
        CHECK(each.of(AnomalyStatistic::Maximum) == *std::max_element(of.begin(), of.end()));
        CHECK(each.of(AnomalyStatistic::Mean) == Approx(mean).margin(1e-12));
        CHECK(each.of(AnomalyStatistic::Deviation)
              == Approx(std::sqrt(second * kWindows / (kWindows - 1))).margin(1e-12));
        CHECK(each.of(AnomalyStatistic::Skewness)
              == Approx(second > 0 ? third / std::pow(second, 1.5) : 0).margin(1e-9));
        CHECK(each.of(AnomalyStatistic::Kurtosis)
              == Approx(second > 0 ? fourth / (second * second) - 3 : 0).margin(1e-9));
    }
    const auto top = extremeItems(ranked, AnomalyStatistic::Count, RankingEnd::Top, 2);
    REQUIRE(top.size() == 2);
    for (const RankedItem& each : ranked)
        CHECK(each.anomalies <= std::max(top[0].anomalies, top[1].anomalies));
    CHECK(extremeItems(ranked, AnomalyStatistic::Count, RankingEnd::Bottom, 1)[0].item == kItems - 1);
}

TEST_CASE("windows of anomalies are ten seconds long in long runs, and times outside count at the edges")
{
    constexpr TimeNs kSecond = 1'000'000'000;
    CHECK(anomalyWindows({0, 3 * kSecond}) == 60);
    CHECK(anomalyWindows({0, 200 * kSecond}) == 20);
    CHECK(anomalyWindows({0, 3600 * kSecond}) == 360);
    CHECK(anomalyWindows({5, 5}) == 60);
    const CountedAnomaly outside[]{{0, -50, 0}, {0, 5000, 0}, {9, 1, 0}};
    const auto ranked = rankAnomalies(outside, 1, {0, 100}, 2);
    CHECK(ranked[0].anomalies == 2);
    CHECK(ranked[0].of(AnomalyStatistic::Minimum) == 1);
    CHECK(ranked[0].of(AnomalyStatistic::Maximum) == 1);
}

TEST_CASE("functions are proposed by their share of time and variability")
{
    const auto experiment = openExperiment(test::sourcePath("examples/heatflow-16x2/trace-otf2"), Task());
    REQUIRE(experiment.has_value());
    const auto found = findAnomalies(**experiment, {}, Task());
    REQUIRE(found.has_value());
    const auto all = proposedFunctions(*found, 1.0, 1000), some = proposedFunctions(*found, 0.8, 10);
    REQUIRE_FALSE(some.empty());
    CHECK(some.size() <= 10);
    CHECK(std::equal(some.begin(), some.end(), all.begin()));
    double whole = 0, share = 0;
    for (const FunctionVerdicts& each : found->functions) {
        const bool blocks = found->functionsOfCalls->blocks(each.function);
        if (!blocks) whole += each.interest;
        if (std::find(some.begin(), some.end(), each.function) == some.end()) continue;
        CHECK_FALSE(blocks);
        share += each.interest;
    }
    CHECK((share >= 0.8 * whole || some.size() == 10));
    CHECK(proposedFunctions(*found, 0.8, 0).empty());
}

}  // namespace skein::anomaly_ranking_test
