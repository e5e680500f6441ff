// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/scaling_model.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>

namespace skein::scaling_model_test {

using namespace skein::test;

namespace {

using Law = std::function<double(const std::vector<double>&)>;

std::vector<std::vector<double>> onePoints(const std::vector<double>& values)
{
    std::vector<std::vector<double>> points;
    for (const double value : values) points.push_back({value});
    return points;
}

ScalingSeries seriesOf(const std::vector<std::vector<double>>& points, const Law& law, double noise,
                       int repetitions, std::mt19937_64& random)
{
    std::normal_distribution<double> scatter(0.0, noise > 0.0 ? noise : 1.0);
    ScalingSeries series{"region", "time", "s", {}};
    for (const auto& point : points) {
        std::vector<double> values;
        for (int at = 0; at < repetitions; ++at)
            values.push_back(law(point) * (noise > 0.0 ? 1.0 + scatter(random) : 1.0));
        series.values.push_back(values);
    }
    return series;
}

ScalingModel modelOf(const std::vector<std::vector<double>>& points, const Law& law, double noise,
                     int repetitions, const std::vector<double>& at)
{
    std::mt19937_64 random(7);
    ScalingStudy study{{"p", "size"}, points, {seriesOf(points, law, noise, repetitions, random)}, {}};
    study.parameters.resize(points.front().size());
    const auto models = modelScaling(study, {{at}}, Task());
    REQUIRE(models);
    REQUIRE(models->front());
    return *models->front();
}

double percentile90(std::vector<double> errors)
{
    std::sort(errors.begin(), errors.end());
    const double place = 0.9 * static_cast<double>(errors.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const double above = errors[std::min(below + 1, errors.size() - 1)];
    return errors[below] + (place - static_cast<double>(below)) * (above - errors[below]);
}

bool hasLaw(const ScalingFunction& function, double exponent, int logarithm)
{
    if (exponent == 0.0 && logarithm == 0) return function.summands.empty();
    if (function.summands.size() != 1) return false;
    const PerformanceTerm term = function.summands.front().factors.front().second;
    return std::abs(term.exponent() - exponent) < 1e-3 && term.logarithm == logarithm;
}

void checkGolden(const std::string& name)
{
    SKEIN_SHARED_OR_SKIP(file, "golden/extrap/" + name);
    const auto golden = readGolden(file);
    ScalingStudy study{{"p"}, onePoints(golden["points"].get<std::vector<double>>()), {}, {}};
    for (const auto& row : golden["rows"]) study.series.push_back({row["region"], "time", "", row["values"]});
    const double largest = study.points.back().front();
    const auto models = modelScaling(study, {{{4 * largest}, {16 * largest}}}, Task());
    REQUIRE(models);
    std::vector<double> ours, theirs;
    std::size_t inside4 = 0, inside16 = 0;
    for (std::size_t at = 0; at < models->size(); ++at) {
        const auto& row = golden["rows"][at];
        const ScalingModel& model = *(*models)[at];
        const double truth = row["truth"]["4"], far = row["truth"]["16"],
                     other = row["extrap"]["predicted"]["4"];
        ours.push_back(std::abs(model.predictions[0].value - truth) / truth);
        theirs.push_back(std::abs(other - truth) / truth);
        inside4 += model.predictions[0].low <= truth && truth <= model.predictions[0].high;
        inside16 += model.predictions[1].low <= far && far <= model.predictions[1].high;
        INFO(row["region"]);
        CHECK(std::any_of(model.alternatives.begin(), model.alternatives.end(), [&](const auto& one) {
            return hasLaw(one.function, row["law"]["poly"], row["law"]["log"]);
        }));
    }
    CHECK(percentile90(ours) <= percentile90(theirs));
    CHECK(static_cast<double>(inside4) >= 0.85 * static_cast<double>(models->size()));
    CHECK(static_cast<double>(inside16) >= 0.85 * static_cast<double>(models->size()));
}

}  // namespace

TEST_CASE("scaling models are no worse than Extra-P's, and tell the truth within their intervals")
{
    checkGolden("five_points.json");
    checkGolden("seven_points.json");
}

TEST_CASE("scaling models of exact values are the law itself, for every term")
{
    const auto points = onePoints({4, 8, 16, 32, 64});
    for (const PerformanceTerm& term : performanceTerms()) {
        const ScalingModel model =
            modelOf(points, [&](const auto& point) { return 7.0 + 3.0 * term.at(point[0]); }, 0.0, 2, {1024});
        INFO(term.text("p"));
        CHECK(hasLaw(model.function, term.exponent(), term.logarithm));
        CHECK(model.function.constant == Approx(7.0).epsilon(1e-6));
        CHECK(model.function.summands.front().coefficient == Approx(3.0).epsilon(1e-6));
        CHECK(model.predictions.front().low <= 7.0 + 3.0 * term.at(1024));
        CHECK(model.predictions.front().high >= 7.0 + 3.0 * term.at(1024));
        CHECK(model.smape < 1e-9);
    }
}

TEST_CASE("scaling models hold the truth in their intervals as often as they say")
{
    std::mt19937_64 random(11);
    for (const double noise : {0.02, 0.05, 0.1}) {
        std::size_t inside = 0, all = 0;
        const auto points = onePoints({8, 16, 32, 64, 128, 256});
        ScalingStudy study{{"p"}, points, {}, {}};
        std::vector<double> truths;
        for (std::size_t at = 0; at < 300; ++at) {
            const PerformanceTerm term = performanceTerms()[at % growingTerms()];
            const double constant = at % 2 == 0 ? 0.0 : 20.0;
            const Law law = [&](const auto& point) { return constant + 0.5 * term.at(point[0]); };
            study.series.push_back(seriesOf(points, law, noise, 4, random));
            truths.push_back(law({1024}));
        }
        const auto models = modelScaling(study, {{{1024}}}, Task());
        REQUIRE(models);
        for (std::size_t at = 0; at < truths.size(); ++at, ++all) {
            const ScalingPrediction told = (*models)[at]->predictions.front();
            inside += told.low <= truths[at] && truths[at] <= told.high;
            CHECK(told.low <= told.value);
            CHECK(told.value <= told.high);
        }
        CHECK(static_cast<double>(inside) >= 0.85 * static_cast<double>(all));
    }
}

TEST_CASE("scaling models of two parameters find sums and products")
{
    std::vector<std::vector<double>> grid;
    for (const double p : {4, 8, 16, 32, 64})
        for (const double size : {10, 20, 30, 40, 50}) grid.push_back({p, size});
    const std::vector<double> far{256, 100};
    const auto check = [&](const Law& law, std::size_t summands) {
        const ScalingModel model = modelOf(grid, law, 0.01, 3, far);
        CHECK(model.function.summands.size() == summands);
        CHECK(model.predictions.front().value == Approx(law(far)).epsilon(0.1));
        CHECK(model.predictions.front().low <= law(far));
        CHECK(model.predictions.front().high >= law(far));
    };
    check([](const auto& x) { return 5.0 + 2.0 * x[0] * x[1]; }, 1);
    check([](const auto& x) { return 1.0 + 3.0 * std::sqrt(x[0]) + 0.01 * x[1] * x[1]; }, 2);
    check([](const auto& x) { return 100.0 + 0.01 * std::log2(x[0]) * x[1] * x[1] * x[1]; }, 1);
    check([](const auto& x) { return 10.0 + x[0]; }, 1);
    check([](const auto&) { return 10.0; }, 0);
}

TEST_CASE("scaling models tell of jumps, and of none where there is none")
{
    const auto points = onePoints({4, 8, 16, 32, 64, 128, 256});
    const Law smooth = [](const auto& x) { return 3.0 + 5.0 * std::sqrt(x[0]); };
    const Law jumping = [&](const auto& x) { return smooth(x) * (x[0] > 32 ? 1.8 : 1.0); };
    for (const int repetitions : {3, 5})
        for (const double noise : {0.0, 0.02}) {
            CHECK_FALSE(modelOf(points, smooth, noise, repetitions, {1024}).jump);
            const ScalingModel model = modelOf(points, jumping, noise, repetitions, {1024});
            REQUIRE(model.jump);
            CHECK(model.jump->below == 32);
            CHECK(model.jump->above == 64);
            CHECK(model.jump->factor == Approx(1.8).epsilon(0.1));
            CHECK(model.at(std::vector<double>{8}) == Approx(smooth({8})).epsilon(0.1));
            CHECK(model.predictions.front().value == Approx(jumping({1024})).epsilon(0.15));
            // Before the jump the function is another one.
            CHECK(modelOf(points, jumping, noise, repetitions, {16}).predictions.front().value
                  == Approx(smooth({16})).epsilon(0.15));
        }
}

TEST_CASE("scaling models of divided work with overhead have two terms and no jump")
{
    const auto points = onePoints({4, 8, 16, 32, 64, 128, 256});
    const Law law = [](const auto& x) { return 100.0 / x[0] + 0.3 * x[0]; };
    const ScalingModel model = modelOf(points, law, 0.02, 3, {1024});
    CHECK_FALSE(model.jump);
    CHECK(model.function.summands.size() == 2);
    CHECK(model.predictions.front().value == Approx(law({1024})).epsilon(0.1));
}

TEST_CASE("scaling models skip points that were not measured, and series with too few of them")
{
    ScalingStudy study{{"p"}, onePoints({1, 2, 4, 8, 16}), {}, {}};
    study.series.push_back({"all", "t", "", {{1}, {2}, {4}, {8}, {16}}});
    study.series.push_back({"some", "t", "", {{}, {2}, {4}, {8}, {16}}});
    study.series.push_back({"few", "t", "", {{}, {}, {}, {8}, {16}}});
    study.series.push_back({"zero", "t", "", {{0}, {0}, {0}, {0}, {0}}});
    study.series.push_back({"none", "t", "", {{NAN}, {1}, {INFINITY}, {8}, {16}}});
    const auto models = modelScaling(study, {{{32}}}, Task());
    REQUIRE(models);
    CHECK((*models)[0]->predictions.front().value == Approx(32));
    CHECK((*models)[1]->predictions.front().value == Approx(32));
    CHECK_FALSE((*models)[2]);
    CHECK((*models)[3]->predictions.front().value == 0.0);
    CHECK((*models)[3]->smape == 0.0);
    REQUIRE((*models)[4]);
    CHECK(std::isfinite((*models)[4]->predictions.front().value));
}

TEST_CASE("scaling models are the same for any number of threads")
{
    std::mt19937_64 random(5);
    const auto points = onePoints({2, 4, 8, 16, 32});
    ScalingStudy study{{"p"}, points, {}, {}};
    for (int at = 0; at < 600; ++at)
        study.series.push_back(seriesOf(
            points, [&](const auto& x) { return 1.0 + std::pow(x[0], at % 5); }, 0.05, 2, random));
    const auto one = modelScaling(study, {{{64}}}, Task().withThreads(1));
    const auto four = modelScaling(study, {{{64}}}, Task().withThreads(4));
    REQUIRE(one);
    REQUIRE(four);
    for (std::size_t at = 0; at < one->size(); ++at) {
        CHECK((*one)[at]->predictions.front().value == (*four)[at]->predictions.front().value);
        CHECK((*one)[at]->predictions.front().high == (*four)[at]->predictions.front().high);
    }
}

TEST_CASE("scaling models refuse what has no logarithm, and points of other sizes")
{
    const auto problem = [](const ScalingStudy& study, const ScalingParams& params) {
        const auto models = modelScaling(study, params, Task());
        return models ? std::string() : models.error().message;
    };
    ScalingStudy study{{"p"}, onePoints({1, 2, 4}), {{"a", "t", "", {{1}, {2}, {3}}}}, {}};
    CHECK(problem(study, {{{8}}}).empty());
    CHECK_FALSE(problem(study, {{{8, 9}}}).empty());
    CHECK_FALSE(problem(study, {{{-1}}}).empty());
    study.points[0][0] = 0.0;
    CHECK_FALSE(problem(study, {{{8}}}).empty());
    study.parameters.clear();
    CHECK_FALSE(problem(study, {}).empty());
}

}  // namespace skein::scaling_model_test
