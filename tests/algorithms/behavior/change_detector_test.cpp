// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/change_detector.h"

#include "algorithms/behavior/change_points.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <random>

namespace skein::change_detector_test {

using namespace skein::test;

namespace {

ChangeParams paramsOf(const nlohmann::json& run)
{
    return {run["alpha"].get<double>(), run["eta"].get<double>(), run["burn_in"].get<std::uint32_t>()};
}

/// What a detector tells after every value.
struct Told {
    std::vector<std::size_t> changes;
    std::vector<double> lambda, pValues, mean, levelMean, levelDeviation;
};

Told detect(const std::vector<double>& stream, const ChangeParams& params)
{
    Told told;
    ChangeDetector detector(params);
    for (std::size_t i = 0; i < stream.size(); ++i) {
        const ChangeStep step = detector.add(stream[i]);
        if (step.change) told.changes.push_back(i);
        told.pValues.push_back(step.pValue);
        told.lambda.push_back(detector.adaptive().lambda());
        told.mean.push_back(detector.adaptive().mean());
        told.levelMean.push_back(detector.levelMean());
        told.levelDeviation.push_back(detector.levelDeviation());
    }
    return told;
}

void checkRun(const std::string& name, const std::vector<double>& stream, const nlohmann::json& run)
{
    const bool huge = name == "huge_offset";
    const Told told = detect(stream, paramsOf(run));
    CHECK(told.changes == goldenIndexes<std::size_t>(run["change_indices_0based"]));
    if (!run.contains("lambda")) return;
    CHECK(largestDifference(told.lambda, goldenNumbers(run["lambda"])) <= (huge ? 1e-4 : 1e-9));
    CHECK(largestDifference(told.pValues, goldenNumbers(run["pval"])) <= (huge ? 1e-4 : 2e-7));
    const auto mean = goldenNumbers(run["aff_mean"]);
    CHECK(largestDifference(told.mean, mean) <= (huge ? 1e-12 : 1e-9) * largestOf(mean));
    if (!run.contains("burnin_estimates_from_index")) return;
    for (const auto& level : run["burnin_estimates_from_index"]) {
        const std::size_t from = level[0].get<std::size_t>();
        if (from == 0) continue;
        INFO("level from " << from);
        CHECK(told.levelMean[from] == Approx(level[1].get<double>()).epsilon(1e-9).margin(1e-12));
        CHECK(told.levelDeviation[from] == Approx(level[2].get<double>()).epsilon(huge ? 1e-5 : 1e-9));
    }
}

std::vector<double> noise(std::size_t count, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values(count);
    for (double& value : values) value = normal(random);
    return values;
}

}  // namespace

TEST_CASE("forgetting means are those of the reference, step by step")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/aff_cpd/estimators.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        INFO(one["stream"]);
        const auto& adaptive = one["aff"];
        const auto& fixed = one["fff"];
        ForgettingMean learning, constant(fixed["lambda"].get<double>());
        std::map<std::string, std::vector<double>> told, toldFixed;
        for (const double value : goldenNumbers(one["x"])) {
            learning.add(value, adaptive["eta"].get<double>());
            told["lambda"].push_back(learning.lambda());
            told["xbar"].push_back(learning.mean());
            told["s2"].push_back(learning.variance());
            told["Omega"].push_back(learning.weightSlope());
            told["Delta"].push_back(learning.meanSlope() * learning.weight()
                                    + learning.mean() * learning.weightSlope());
            told["dxbar"].push_back(learning.meanSlope());
            told["dL"].push_back(learning.gradient());
            constant.add(value, 0.0);
            toldFixed["xbar"].push_back(constant.mean());
            toldFixed["s2"].push_back(constant.variance());
            toldFixed["w"].push_back(constant.weight());
            toldFixed["u"].push_back(constant.varianceFactor());
            toldFixed["v"].push_back(constant.weight() * (1.0 - constant.varianceFactor()));
        }
        for (const auto& [field, values] : told) {
            INFO(field);
            const auto expected = goldenNumbers(adaptive[field]);
            CHECK(largestDifference(values, expected) <= 1e-9 * std::max(1e-3, largestOf(expected)));
        }
        for (const auto& [field, values] : toldFixed) {
            INFO(field);
            const auto expected = goldenNumbers(fixed[field]);
            CHECK(largestDifference(values, expected) <= 1e-9 * std::max(1e-3, largestOf(expected)));
        }
    }
}

TEST_CASE("changes of single streams are those of the reference")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/aff_cpd/univariate.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        const auto stream = goldenNumbers(one["x"]);
        for (const auto& run : one["runs"]) {
            INFO(one["name"] << " alpha " << run["alpha"] << " burn-in " << run["burn_in"]);
            if (!run.contains("required")) {
                checkRun(one["name"].get<std::string>(), stream, run);
                continue;
            }
            const Told told = detect(stream, paramsOf(run));
            const auto& required = run["required"];
            for (const auto* list : {&told.lambda, &told.pValues, &told.mean})
                CHECK(std::all_of(list->begin(), list->end(), [](double x) { return std::isfinite(x); }));
            if (required.contains("change_indices_0based"))
                CHECK(told.changes == goldenIndexes<std::size_t>(required["change_indices_0based"]));
            if (required.contains("first_change_0based")) {
                REQUIRE_FALSE(told.changes.empty());
                CHECK(told.changes.front() == required["first_change_0based"].get<std::size_t>());
            }
        }
    }
}

TEST_CASE("changes stay where they are when a stream is scaled, mirrored and moved")
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed) {
        auto stream = noise(400, seed);
        for (std::size_t i = 150; i < 300; ++i) stream[i] += 4.0;
        const auto expected = detect(stream, {}).changes;
        REQUIRE_FALSE(expected.empty());
        for (const auto& [factor, offset] : {std::pair(3.5, 100.0), {-2.0, 0.0}, {1e-7, -1e-6}, {1e9, 1e9}}) {
            auto moved = stream;
            for (double& value : moved) value = factor * value + offset;
            INFO(seed << ": " << factor << " y + " << offset);
            CHECK(detect(moved, {}).changes == expected);
        }
    }
}

TEST_CASE("the first value that leaves a constant burn-in is a change, whatever the scale")
{
    for (const double scale : {1.0, 1e-12, 1e12}) {
        std::vector<double> stream(60, 3.0 * scale);
        stream[40] = 3.5 * scale;
        CHECK(detect(stream, {}).changes.front() == 40);
    }
    std::vector<double> silent(60, 0.0);
    silent[30] = 1e-15;
    CHECK(detect(silent, {}).changes.front() == 30);
    CHECK(detect(std::vector<double>(500, 0.1), {}).changes.empty());
}

TEST_CASE("values that are no numbers are passed over, and places still count them")
{
    auto stream = noise(300, 5);
    for (std::size_t i = 150; i < 300; ++i) stream[i] += 5.0;
    const auto expected = detect(stream, {}).changes;
    std::vector<double> gappy;
    std::vector<std::size_t> moved;
    std::vector<std::size_t> placeOf;
    for (std::size_t i = 0; i < stream.size(); ++i) {
        if (i % 7 == 3) gappy.push_back(i % 2 == 0 ? std::nan("") : std::numeric_limits<double>::infinity());
        placeOf.push_back(gappy.size());
        gappy.push_back(stream[i]);
    }
    for (const std::size_t change : expected) moved.push_back(placeOf[change]);
    CHECK(detect(gappy, {}).changes == moved);
}

TEST_CASE("nothing is found in a burn-in, which is told as blind")
{
    auto stream = noise(200, 9);
    for (std::size_t i = 100; i < 200; ++i) stream[i] += 8.0;
    const auto found = findChangesOf(stream, {0.01, 0.01, 20});
    REQUIRE(found);
    REQUIRE_FALSE(found->changes.empty());
    REQUIRE(found->blind.size() == found->changes.size() + 1);
    CHECK(found->blind[0].first == 0);
    CHECK(found->blind[0].last == 20);
    for (std::size_t i = 0; i < found->changes.size(); ++i) {
        CHECK(found->blind[i + 1].first == found->changes[i] + 1);
        for (const BlindZone& zone : found->blind)
            CHECK_FALSE((found->changes[i] >= zone.first && found->changes[i] < zone.last));
    }
}

TEST_CASE("false alarms on noise are as rare as the reference has them")
{
    std::size_t alarms = 0;
    constexpr std::size_t kStreams = 50, kLength = 1000;
    for (std::uint32_t seed = 1; seed <= kStreams; ++seed)
        alarms += detect(noise(kLength, seed), {0.01, 0.01, 50}).changes.size();
    const double perThousand = static_cast<double>(alarms) * 1000.0 / (kStreams * kLength);
    CHECK(perThousand > 1.0);
    CHECK(perThousand < 5.0);
}

TEST_CASE("parameters out of their range are refused with a sentence")
{
    CHECK_FALSE(findChangesOf({1, 2, 3}, {0.01, 0.01, 1}));
    CHECK_FALSE(findChangesOf({1, 2, 3}, {-0.1, 0.01, 10}));
    CHECK_FALSE(findChangesOf({1, 2, 3}, {1.1, 0.01, 10}));
    CHECK_FALSE(findChangesOf({1, 2, 3}, {0.01, -1.0, 10}));
    CHECK_FALSE(findChangesOf({1, 2, 3}, {std::nan(""), 0.01, 10}));
    const auto none = findChangesOf({}, {});
    REQUIRE(none);
    CHECK(none->changes.empty());
}

}  // namespace skein::change_detector_test
