// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/mini_batch_kmeans.h"

#include "algorithms/behavior/progressive_projection.h"
#include "algorithms/behavior/sampling_order.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <map>
#include <set>

namespace skein::mini_batch_kmeans_test {

using namespace skein::test;

namespace {

double pairsOf(double count) { return count * (count - 1.0) / 2.0; }

/// Hubert and Arabie 1985.
double adjustedRand(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b)
{
    std::map<std::pair<std::uint32_t, std::uint32_t>, double> both;
    std::map<std::uint32_t, double> inA, inB;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ++both[{a[i], b[i]}];
        ++inA[a[i]];
        ++inB[b[i]];
    }
    double together = 0.0, sumA = 0.0, sumB = 0.0;
    for (const auto& [key, count] : both) together += pairsOf(count);
    for (const auto& [key, count] : inA) sumA += pairsOf(count);
    for (const auto& [key, count] : inB) sumB += pairsOf(count);
    const double expected = sumA * sumB / pairsOf(static_cast<double>(a.size()));
    const double most = (sumA + sumB) / 2.0;
    return most == expected ? 1.0 : (together - expected) / (most - expected);
}

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return (values[values.size() / 2] + values[(values.size() - 1) / 2]) / 2.0;
}

enum class Haste { Progressive, Exact };

void checkRequired(const nlohmann::json& one, Haste haste)
{
    const auto values = goldenNumbers(one["X"]);
    const PointRows points{values, one["X"][0].size()};
    const auto truth = goldenIndexes<std::uint32_t>(one["true_labels"]);
    std::vector<double> ratios, rands;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        KMeansParams params;
        params.clusters = one["k"].get<std::uint32_t>();
        params.seed = seed;
        LatencyBudget budget;
        const auto found = haste == Haste::Exact ? clusterExactly(points, params, Task())
                                                 : clusterProgressively(points, params, budget, Task());
        REQUIRE(found);
        ratios.push_back(found->inertia / one["kmeans_best_inertia"].get<double>());
        rands.push_back(adjustedRand(found->labels, truth));
    }
    const auto& required = one["required"];
    CHECK(median(ratios) <= required["inertia_over_best_max_median_of_20_seeds"].get<double>());
    CHECK(median(rands) >= required["ari_vs_true_min_median_of_20_seeds"].get<double>());
}

/// `count` points a cluster around places that are far apart.
std::vector<double> groups(std::uint32_t clusters, std::size_t count, std::size_t dimensions)
{
    SplitRandom random(99);
    std::vector<double> values;
    for (std::size_t i = 0; i < clusters * count; ++i)
        for (std::size_t d = 0; d < dimensions; ++d)
            values.push_back(100.0 * static_cast<double>((i % clusters) * (d + 1) % 7) + random.unit());
    return values;
}

/// A clock that goes on by a step each time it is asked.
LatencyBudget::Clock steppingClock(double step)
{
    return [now = 0.0, step]() mutable { return now += step; };
}

}  // namespace

TEST_CASE("centres move with every batch as those of the reference do")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/minibatch_kmeans/update_rule.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        const auto values = goldenNumbers(one["X"]);
        const PointRows points{values, one["X"][0].size()};
        ClusterCenters centers(goldenNumbers(one["initial_centers"]), points.dimensions);
        for (const auto& step : one["steps"]) {
            const auto rows = goldenIndexes<std::size_t>(step["batch_rows"]);
            std::vector<std::uint32_t> labels;
            for (const std::size_t row : rows) labels.push_back(centers.nearest(points.point(row)).center);
            CHECK(labels == goldenIndexes<std::uint32_t>(step["assigned"]));
            for (std::size_t i = 0; i < rows.size(); ++i) centers.take(labels[i], points.point(rows[i]));
            const auto expected = goldenNumbers(step["centers"]);
            CHECK(largestDifference(centers.values(), expected) <= 1e-9 * largestOf(expected));
            CHECK(centers.weights() == goldenNumbers(step["counts"]));
        }
        std::vector<std::uint32_t> labels;
        for (std::size_t i = 0; i < points.count(); ++i)
            labels.push_back(centers.nearest(points.point(i)).center);
        CHECK(labels == goldenIndexes<std::uint32_t>(one["final_labels"]));
    }
}

TEST_CASE("clusterings are as good as is required of the median of 20 seeds")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/minibatch_kmeans/kmeans.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        INFO(one["name"]);
        checkRequired(one, Haste::Progressive);
        checkRequired(one, Haste::Exact);
    }
}

TEST_CASE("duplicate points, as many clusters as points, and one cluster")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/minibatch_kmeans/kmeans.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["degenerate"]) {
        INFO(one["note"]);
        const auto values = goldenNumbers(one["X"]);
        const PointRows points{values, one["X"][0].size()};
        KMeansParams params;
        params.clusters = one["k"].get<std::uint32_t>();
        const auto found = clusterExactly(points, params, Task());
        REQUIRE(found);
        for (const double value : found->centers) CHECK(std::isfinite(value));
        if (one.contains("expected_center"))
            CHECK(largestDifference(found->centers, goldenNumbers(one["expected_center"])) < 1e-12);
        else CHECK(found->inertia == Approx(0.0).margin(1e-12));
        const std::set<std::vector<double>> distinct = [&] {
            std::set<std::vector<double>> all;
            for (std::size_t i = 0; i < points.count(); ++i)
                all.insert({points.point(i).begin(), points.point(i).end()});
            return all;
        }();
        const std::set<std::uint32_t> used(found->labels.begin(), found->labels.end());
        CHECK(used.size() == std::min<std::size_t>(distinct.size(), params.clusters));
    }
}

TEST_CASE("clusters keep the names of those before as the paper has it")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/minibatch_kmeans/id_reassignment.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        INFO(one["name"]);
        const auto updated = goldenIndexes<std::uint32_t>(one["updated"]);
        const auto names =
            matchClusters(updated, one["k_new"].get<std::uint32_t>(),
                          goldenIndexes<std::uint32_t>(one["previous"]), one["k_prev"].get<std::uint32_t>());
        CHECK(names == goldenIndexes<std::uint32_t>(one["map_updated_to_final"]));
        std::vector<std::uint32_t> final;
        for (const std::uint32_t label : updated) final.push_back(names[label]);
        CHECK(final == goldenIndexes<std::uint32_t>(one["final"]));
    }
}

TEST_CASE("renamed clusters take their centres along, also where there are fewer than before")
{
    // Entities lie at 0, 10 and 20; the new clustering has them the other way round.
    Clustering before;
    before.clusters = 4;
    before.labels = {3, 3, 1, 1, 0, 0};
    Clustering found;
    found.clusters = 3;
    found.labels = {2, 2, 0, 0, 1, 1};
    found.centers = {10, 110, 20, 120, 0, 100};  // two coordinates each
    keepClusterNames(found, before);
    // 3, 1 and 0 keep their order, and 3 moves up to 2.
    CHECK(found.labels == std::vector<std::uint32_t>{2, 2, 1, 1, 0, 0});
    CHECK(found.centers == std::vector<double>{20, 120, 10, 110, 0, 100});
    Clustering again = found;
    keepClusterNames(again, {});
    CHECK(again.labels == found.labels);
    CHECK(again.centers == found.centers);
}

TEST_CASE("batches draw alike from all previous clusters that still have entities")
{
    std::vector<std::uint32_t> previous;
    for (std::uint32_t i = 0; i < 200; ++i) previous.push_back(i < 100 ? 0 : i < 170 ? 1 : 2);
    constexpr std::size_t kBatch = 10;
    const auto order = samplingOrder(200, previous, kBatch, 5);
    CHECK(std::set<std::uint32_t>(order.begin(), order.end()).size() == 200);
    std::vector<std::size_t> left{100, 70, 30};
    for (std::size_t at = 0; at < order.size(); at += kBatch) {
        std::vector<std::size_t> drawn(3, 0);
        for (std::size_t i = at; i < std::min(at + kBatch, order.size()); ++i) ++drawn[previous[order[i]]];
        std::size_t least = kBatch, most = 0;
        for (std::size_t cluster = 0; cluster < 3; ++cluster) {
            left[cluster] -= drawn[cluster];
            if (left[cluster] == 0) continue;
            least = std::min(least, drawn[cluster]);
            most = std::max(most, drawn[cluster]);
        }
        if (most > 0) CHECK(most - least <= 1);
    }
    CHECK(order == samplingOrder(200, previous, kBatch, 5));
    CHECK(order != samplingOrder(200, previous, kBatch, 6));
    CHECK(samplingOrder(0, {}, 5, 1).empty());
}

TEST_CASE("without previous clusters every place of the order is as likely for every entity")
{
    std::vector<double> sum(6, 0.0);
    constexpr int kTimes = 6000;
    for (std::uint64_t seed = 0; seed < kTimes; ++seed) {
        const auto order = samplingOrder(6, {}, 2, seed);
        for (std::size_t place = 0; place < 6; ++place) sum[order[place]] += static_cast<double>(place);
    }
    for (const double places : sum) CHECK(places / kTimes == Approx(2.5).margin(0.15));
}

TEST_CASE("a budget ends the batches but never leaves a point without a label")
{
    const auto values = groups(4, 100, 6);
    const PointRows points{values, 6};
    KMeansParams params;
    params.clusters = 4;
    params.batch = 20;
    LatencyBudget nothing(0.0, steppingClock(1.0));
    const auto least = clusterProgressively(points, params, nothing, Task());
    REQUIRE(least);
    CHECK(least->processed == 20);
    CHECK(least->labels.size() == 400);
    LatencyBudget some(5.5, steppingClock(1.0)), again(5.5, steppingClock(1.0));
    const auto part = clusterProgressively(points, params, some, Task());
    const auto same = clusterProgressively(points, params, again, Task().withThreads(4));
    REQUIRE(part);
    REQUIRE(same);
    CHECK(part->processed > 20);
    CHECK(part->processed < 400);
    CHECK(part->labels == same->labels);
    CHECK(part->centers == same->centers);
    CHECK(part->inertia == same->inertia);
    LatencyBudget unlimited;
    CHECK(clusterProgressively(points, params, unlimited, Task())->processed == 400);
}

TEST_CASE("a clustering starts from the one before over the longer series")
{
    const auto values = groups(3, 50, 8);
    const PointRows points{values, 8};
    KMeansParams params;
    params.clusters = 3;
    for (std::uint32_t i = 0; i < 150; ++i) params.previous.push_back((i + 1) % 3);
    LatencyBudget nothing(0.0, steppingClock(1.0));
    const auto found = clusterProgressively(points, params, nothing, Task());
    REQUIRE(found);
    CHECK(found->labels == params.previous);
}

TEST_CASE("the number of clusters is proposed where they are plain to see")
{
    for (const std::uint32_t clusters : {2U, 3U, 5U}) {
        const auto values = groups(clusters, 40, 5);
        const auto proposed = proposeClusters({values, 5}, 8, 1, Task());
        REQUIRE(proposed);
        CHECK(*proposed == clusters);
    }
    const std::vector<double> same(50, 1.0);
    CHECK(proposeClusters({same, 5}, 8, 1, Task()).value() == 1);
}

TEST_CASE("clusterings that cannot be are refused with a sentence")
{
    const std::vector<double> values{1, 2, 3};
    KMeansParams params;
    CHECK_FALSE(clusterExactly({{}, 3}, params, Task()));
    params.clusters = 0;
    CHECK_FALSE(clusterExactly({values, 1}, params, Task()));
    params.clusters = 5000;
    CHECK_FALSE(clusterExactly({values, 1}, params, Task()));
    params.clusters = 2;
    params.previous = {0, 1, 0, 1};
    CHECK_FALSE(clusterExactly({values, 1}, params, Task()));
}

TEST_CASE("progressive projections follow the reference from time point to time point")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/ipca/progressive_dr.json");
    const auto golden = readGolden(file);
    const auto all = goldenNumbers(golden["X"]);
    const std::size_t columns = golden["X"][0].size();
    std::vector<double> previous;
    for (const auto& step : golden["steps"]) {
        const std::size_t t = step["t"].get<std::size_t>();
        INFO("t = " << t);
        std::vector<double> values;
        for (std::size_t row = 0; row * columns < all.size(); ++row)
            for (std::size_t i = 0; i < t; ++i) values.push_back(all[row * columns + i]);
        ProjectionParams params;
        params.order = goldenIndexes<std::uint32_t>(step["order"]);
        params.batch = step["batch"].get<std::size_t>();
        params.previous = previous;
        LatencyBudget unlimited;
        auto found = projectProgressively({values, t}, params, unlimited, Task());
        REQUIRE(found);
        const auto scores = goldenNumbers(step["scores_up_to_sign"]);
        for (std::size_t axis = 0; axis < 2; ++axis) {
            double along = 0.0;
            for (std::size_t i = axis; i < scores.size(); i += 2) along += scores[i] * found->scores[i];
            const double sign = along < 0.0 ? -1.0 : 1.0;
            for (std::size_t i = axis; i < scores.size(); i += 2) {
                CHECK(sign * found->scores[i] == Approx(scores[i]).margin(1e-8 * largestOf(scores)));
                if (previous.empty()) found->places[i] *= sign;
            }
        }
        const auto aligned = goldenNumbers(step["aligned"]);
        CHECK(largestDifference(found->places, aligned) <= 1e-7 * largestOf(aligned));
        previous = found->places;
    }
}

TEST_CASE("a projection learns one batch at least, and places every entity")
{
    const auto values = groups(3, 30, 7);
    ProjectionParams params;
    LatencyBudget nothing(0.0, steppingClock(1.0));
    const auto found = projectProgressively({values, 7}, params, nothing, Task());
    REQUIRE(found);
    CHECK(found->processed == 10);
    CHECK(found->places.size() == 180);
    params.order = {0, 0};
    LatencyBudget unlimited;
    CHECK_FALSE(projectProgressively({values, 7}, params, unlimited, Task()));
    const std::vector<double> line{1, 2, 3};
    const auto one = projectProgressively({line, 1}, {}, unlimited, Task());
    REQUIRE(one);
    for (std::size_t i = 1; i < 6; i += 2) CHECK(one->places[i] == 0.0);
}

}  // namespace skein::mini_batch_kmeans_test
