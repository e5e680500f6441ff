// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/var_model.h"

#include "algorithms/behavior/tail_probabilities.h"
#include "algorithms/behavior/var_causality.h"
#include "tests/support/catch.h"
#include "tests/support/golden_json.h"
#include "tests/support/paths.h"

#include <fmt/format.h>

#include <limits>
#include <random>

namespace skein::var_model_test {

using namespace skein::test;

namespace {

SeriesTable tableOf(const std::vector<double>& values, std::size_t columns)
{
    SeriesTable table;
    for (std::size_t i = 0; i < columns; ++i) table.columns.push_back(std::to_string(i));
    for (std::size_t row = 0; row * columns < values.size(); ++row)
        table.times.push_back(static_cast<double>(row));
    table.values = values;
    tidySeries(table);
    return table;
}

SeriesTable goldenTable(const nlohmann::json& rows) { return tableOf(goldenNumbers(rows), rows[0].size()); }

VarParams paramsOf(const nlohmann::json& one)
{
    return {one["lag"].get<std::size_t>(),
            one.value("trend", "c") == "c" ? VarTrend::Constant : VarTrend::None,
            {}};
}

/// To 1e-7 of the largest entry, or each entry to 1e-6 of itself.
void checkNumbers(const std::vector<double>& values, const nlohmann::json& golden, bool each)
{
    const auto expected = goldenNumbers(golden);
    REQUIRE(values.size() == expected.size());
    const double largest = largestOf(expected);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double tolerance = each ? 1e-6 * std::abs(expected[i]) + 1e-300 : 1e-7 * largest;
        if (std::abs(values[i] - expected[i]) <= tolerance) continue;
        // What is 0 but for rounding has no relative error.
        if (each && std::abs(expected[i]) < 1e-12 * largest && std::abs(values[i]) < 1e-12 * largest)
            continue;
        INFO("entry " << i << ": " << values[i] << " instead of " << expected[i]);
        CHECK(false);
    }
}

void checkTest(const GrangerTest& test, const nlohmann::json& golden)
{
    CHECK(test.f == Approx(golden["F"].get<double>()).epsilon(1e-6));
    CHECK(test.above == golden["df"][0].get<double>());
    CHECK(test.below == golden["df"][1].get<double>());
    const auto close = [](double value, const nlohmann::json& expected) {
        return std::abs(value - expected.get<double>()) <= 1e-9 + 1e-6 * expected.get<double>();
    };
    CHECK(close(test.pValue, golden["p_F"]));
    if (golden.contains("p_F_single_equation_df"))
        CHECK(close(test.pSingle, golden["p_F_single_equation_df"]));
    if (!golden.contains("chi2")) return;
    CHECK(test.chiSquare == Approx(golden["chi2"].get<double>()).epsilon(1e-6));
    CHECK(close(test.pChiSquare, golden["p_chi2"]));
}

/// y_t = A y_{t−1} + noise, with x0 leading x1 after `lag` steps.
SeriesTable leadingTable(std::size_t rows, std::size_t lag, std::uint32_t seed)
{
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (std::size_t row = 0; row < rows; ++row) {
        const double cause = row >= lag ? values[(row - lag) * 3] : 0.0;
        values.insert(values.end(), {normal(random), 0.8 * cause + 0.5 * normal(random), normal(random)});
    }
    return tableOf(values, 3);
}

}  // namespace

TEST_CASE("models, tests, responses and decompositions are those of the reference")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/var/var.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        const std::string name = one["name"].get<std::string>();
        INFO(name);
        const bool each = name.starts_with("scale_mix");
        const auto model = fitVar(goldenTable(one["Y"]), paramsOf(one), Task());
        REQUIRE(model);
        CHECK(model->rows == one["nobs_used"].get<std::size_t>());
        CHECK(static_cast<double>(model->rows - model->regressors) == one["df_resid"].get<double>());
        if (model->trend == VarTrend::Constant) checkNumbers(model->intercept, one["intercept"], each);
        checkNumbers(model->coefficients, one["A"], each);
        checkNumbers(model->covariance, one["sigma_u"], each);
        checkNumbers(model->covarianceMle, one["sigma_u_mle"], each);
        CHECK(model->aic() == Approx(one["aic"].get<double>()).margin(1e-8));
        CHECK(model->bic() == Approx(one["bic"].get<double>()).margin(1e-8));
        CHECK(model->hqic() == Approx(one["hqic"].get<double>()).margin(1e-8));
        const auto pairs = grangerPairs(*model);
        for (const auto& test : one["granger"]) {
            const std::size_t to = test["caused"].get<std::size_t>(),
                              from = test["causing"].get<std::size_t>();
            INFO(from << " to " << to);
            const auto told = testGranger(*model, to, std::span(&from, 1));
            checkTest(told, test);
            CHECK(pairs[to * model->variables + from] == told.pValue);
        }
        for (const auto& test : one["granger_block"])
            checkTest(testGranger(*model, test["caused"].get<std::size_t>(),
                                  goldenIndexes<std::size_t>(test["causing"])),
                      test);
        const auto response = varResponse(*model, one["irf_horizon"].get<std::size_t>());
        checkNumbers(response.plain, one["irf"], each);
        checkNumbers(response.orthogonal, one["orth_irf"], each);
        checkNumbers(response.shares, one["fevd"], each);
    }
}

TEST_CASE("numbers of lags are compared as the reference does")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/var/var.json");
    const auto golden = readGolden(file);
    const auto& selection = golden["order_selection"];
    for (const auto& one : golden["cases"]) {
        if (one["name"] != "macrodata_lag1") continue;
        const auto orders = compareVarOrders(goldenTable(one["Y"]), selection["maxlags"].get<std::size_t>(),
                                             VarTrend::Constant, Task());
        REQUIRE(orders);
        CHECK(largestDifference(orders->aic, goldenNumbers(selection["ics"]["aic"])) < 1e-8);
        CHECK(largestDifference(orders->bic, goldenNumbers(selection["ics"]["bic"])) < 1e-8);
        CHECK(largestDifference(orders->hqic, goldenNumbers(selection["ics"]["hqic"])) < 1e-8);
        CHECK(orders->best(VarCriterion::Aic) == selection["selected"]["aic"].get<std::size_t>());
        CHECK(orders->best(VarCriterion::Bic) == selection["selected"]["bic"].get<std::size_t>());
        CHECK(orders->best(VarCriterion::Hqic) == selection["selected"]["hqic"].get<std::size_t>());
    }
}

TEST_CASE("input that no model can be fitted to is told and never a number")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/var/degenerate.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["cases"]) {
        const std::string name = one["name"].get<std::string>();
        INFO(name);
        const SeriesTable table = goldenTable(one["Y"]);
        const auto model = fitVar(table, paramsOf(one), Task());
        if (name == "too_few_rows") {
            CHECK_FALSE(model);
            continue;
        }
        REQUIRE(model);
        if (name == "nan_row") {
            CHECK(model->rows == 7);
            CHECK(std::isfinite(grangerPairs(*model)[1]));
            continue;
        }
        for (const double pValue : grangerPairs(*model)) CHECK(std::isnan(pValue));
        CHECK(model->identity[1] == VarIdentity::Dropped);
        CHECK(model->identity[0]
              == (name == "duplicate_variable" ? VarIdentity::Entangled : VarIdentity::Told));
        CHECK(std::isfinite(model->coefficient(0, 0, 0)));
    }
}

TEST_CASE("a duplicate takes nothing from what can be told of the others")
{
    SeriesTable table = leadingTable(400, 1, 3);
    SeriesTable doubled = table;
    doubled.columns.push_back("copy");
    doubled.columns.push_back("constant");
    doubled.values.clear();
    for (std::size_t row = 0; row < table.rows(); ++row)
        doubled.values.insert(
            doubled.values.end(),
            {table.at(row, 0), table.at(row, 1), table.at(row, 2), -2.0 * table.at(row, 2) + 1.0, 4.0});
    const auto plain = fitVar(table, {}, Task());
    const auto model = fitVar(doubled, {}, Task());
    REQUIRE(plain);
    REQUIRE(model);
    CHECK(grangerPairs(*model)[5] == Approx(grangerPairs(*plain)[3]));
    CHECK(std::isnan(grangerPairs(*model)[2]));
    CHECK(model->identity[2] == VarIdentity::Entangled);
    CHECK(model->identity[3] == VarIdentity::Dropped);
    CHECK(model->identity[4] == VarIdentity::Dropped);
}

TEST_CASE("a cause that leads its effect by a known lag is found, and its direction")
{
    for (const std::size_t lag : {1U, 3U}) {
        const SeriesTable table = leadingTable(600, lag, 17);
        const auto orders = compareVarOrders(table, usualMostLags(table), VarTrend::Constant, Task());
        REQUIRE(orders);
        CHECK(orders->best(VarCriterion::Bic) == lag);
        const auto model = fitVar(table, {lag, VarTrend::Constant, {}}, Task());
        REQUIRE(model);
        const auto pairs = grangerPairs(*model);
        CHECK(pairs[1 * 3 + 0] < 1e-10);
        for (const std::size_t other : {0 * 3 + 1, 0 * 3 + 2, 2 * 3 + 0, 2 * 3 + 1, 1 * 3 + 2})
            CHECK(pairs[other] > 0.001);
        const auto response = varResponse(*model, 5);
        CHECK(response.plain[(lag * 3 + 1) * 3 + 0] == Approx(0.8).margin(0.08));
    }
}

TEST_CASE("p-values of series that have nothing to do with each other are uniform")
{
    std::size_t below = 0, tests = 0;
    for (std::uint32_t seed = 1; seed <= 150; ++seed) {
        std::mt19937 random(seed);
        std::normal_distribution<double> normal;
        std::vector<double> values(120 * 3);
        for (double& value : values) value = normal(random);
        const auto model = fitVar(tableOf(values, 3), {2, VarTrend::Constant, {}}, Task());
        REQUIRE(model);
        for (const double pValue : grangerPairs(*model)) {
            if (std::isnan(pValue)) continue;
            ++tests;
            below += pValue < 0.05 ? 1 : 0;
        }
    }
    CHECK(tests == 900);
    CHECK(static_cast<double>(below) / static_cast<double>(tests) == Approx(0.05).margin(0.025));
}

TEST_CASE("shares of the forecast error add up to one, and units do not matter")
{
    const SeriesTable table = leadingTable(300, 2, 5);
    SeriesTable scaled = table;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        scaled.values[row * 3] = scaled.values[row * 3] * 1e9 + 1e12;
        scaled.values[row * 3 + 1] *= 1e-6;
    }
    const auto a = fitVar(table, {2, VarTrend::Constant, {}}, Task());
    const auto b = fitVar(scaled, {2, VarTrend::Constant, {}}, Task());
    REQUIRE(a);
    REQUIRE(b);
    const auto shares = varResponse(*a, 8).shares;
    CHECK(largestDifference(shares, varResponse(*b, 8).shares) < 1e-8);
    CHECK(largestDifference(grangerPairs(*a), grangerPairs(*b)) < 1e-8);
    for (std::size_t i = 0; i < shares.size(); i += 3)
        CHECK(shares[i] + shares[i + 1] + shares[i + 2] == Approx(1.0).margin(1e-12));
}

TEST_CASE("sizes of samples grow as the paper has it")
{
    SKEIN_SHARED_OR_SKIP(file, "golden/var/progressive_sizing.json");
    const auto golden = readGolden(file);
    for (const auto& one : golden["within_one_arrival"]) {
        const std::size_t most = one["T"].get<std::size_t>();
        double spent = 0.0;
        for (const auto& step : one["steps"]) {
            spent += step["t_c"].get<double>();
            if (!step.contains("next_s")) continue;
            CHECK(nextSampleSize(step["s"].get<std::size_t>(), one["t_limit"].get<double>() - spent,
                                 step["t_c"].get<double>(), most)
                  == step["next_s"].get<std::size_t>());
        }
    }
    for (const auto& one : golden["across_arrivals"])
        CHECK(firstSampleSize(one["last_s"].get<std::size_t>(), one["t_c"].get<double>(),
                              one["t_limit"].get<double>())
              == one["next_start_s"].get<std::size_t>());
}

TEST_CASE("a progressive model ends as the exact one where the budget lasts, and early where it does not")
{
    const SeriesTable table = leadingTable(500, 1, 8);
    const auto exact = fitVar(table, {}, Task());
    REQUIRE(exact);
    const auto whole = fitVarProgressively(table, {}, 10, 1, LatencyBudget(), Task());
    REQUIRE(whole);
    CHECK(whole->sampled == 499);
    CHECK(whole->model.coefficients == exact->coefficients);
    double now = 0.0;
    const auto part =
        fitVarProgressively(table, {}, 10, 1, LatencyBudget(0.5, [&now] { return now += 1.0; }), Task());
    REQUIRE(part);
    CHECK(part->sampled == 10);
    CHECK(part->available == 499);
}

TEST_CASE("tails of distributions are those of tables")
{
    CHECK(fTail(4.0, 1.0, 1e7) == Approx(0.0455002).epsilon(1e-4));
    CHECK(fTail(161.4476, 1.0, 1.0) == Approx(0.05).epsilon(1e-5));
    CHECK(fTail(3.0, 2.0, 2.0) == Approx(0.25));
    CHECK(fTail(1.0, 7.0, 7.0) == Approx(0.5));
    CHECK(fTail(2000.0, 2.0, 2000.0) == Approx(std::pow(1.0 + 2000.0 / 1000.0, -1000.0)).epsilon(1e-9));
    CHECK(fTail(0.0, 3.0, 5.0) == 1.0);
    CHECK(chiSquareTail(3.841458820694124, 1.0) == Approx(0.05));
    CHECK(chiSquareTail(10.0, 2.0) == Approx(std::exp(-5.0)));
    CHECK(chiSquareTail(500.0, 2.0) == Approx(std::exp(-250.0)));
    CHECK(chiSquareTail(0.5, 4.0) == Approx(std::exp(-0.25) * 1.25));
}

TEST_CASE("more lags than can be learnt are too many time points short, and drop no series")
{
    std::mt19937 random(4);
    std::normal_distribution<double> normal;
    std::vector<double> values(200 * 4);
    for (double& value : values) value = normal(random);
    const SeriesTable table = tableOf(values, 4);
    for (const std::size_t lags : {40, 60}) {
        const auto model = fitVar(table, {lags, VarTrend::Constant, {}}, Task());
        REQUIRE_FALSE(model);
        CHECK(model.error().text()
              == fmt::format(
                  "There are too few time points for {} lags: {} can be learnt from, and more than {} "
                  "are needed.",
                  lags, 200 - lags, 1 + 4 * lags));
    }
    const auto fits = fitVar(table, {39, VarTrend::Constant, {}}, Task());
    REQUIRE(fits);
    for (const VarIdentity identity : fits->identity) CHECK(identity == VarIdentity::Told);
    // Two of which one is a copy take no more time points than one alone.
    std::vector<double> twins;
    for (std::size_t row = 0; row < 200; ++row) twins.insert(twins.end(), {values[row], values[row]});
    const auto twin = fitVar(tableOf(twins, 2), {80, VarTrend::Constant, {}}, Task());
    REQUIRE(twin);
    CHECK(twin->regressors == 81);
}

TEST_CASE("a series without any value takes no time points from the others")
{
    std::mt19937 random(6);
    std::normal_distribution<double> normal;
    std::vector<double> values;
    for (int row = 0; row < 100; ++row)
        values.insert(values.end(),
                      {normal(random), std::numeric_limits<double>::quiet_NaN(), normal(random)});
    const SeriesTable table = tableOf(values, 3);
    CHECK(varRows(table, 2).size() == 98);
    const auto model = fitVar(table, {2, VarTrend::Constant, {}}, Task());
    REQUIRE(model);
    CHECK(model->rows == 98);
    CHECK(model->identity == std::vector{VarIdentity::Told, VarIdentity::Dropped, VarIdentity::Told});
    const auto pValues = grangerPairs(*model);
    CHECK(std::isfinite(pValues[2]));
    CHECK(std::isnan(pValues[1]));
}

TEST_CASE("models that cannot be are refused with a sentence")
{
    const SeriesTable table = leadingTable(20, 1, 1);
    CHECK_FALSE(fitVar(table, {0, VarTrend::Constant, {}}, Task()));
    CHECK_FALSE(fitVar(table, {19, VarTrend::Constant, {}}, Task()));
    CHECK_FALSE(fitVar(table, {25, VarTrend::Constant, {}}, Task()));
    CHECK_FALSE(fitVar(table, {1, VarTrend::Constant, {0, 1, 2}}, Task()));
    CHECK_FALSE(fitVar(tableOf(std::vector<double>(40, 3.0), 2), {}, Task()));
    CHECK_FALSE(compareVarOrders(table, 10, VarTrend::Constant, Task()));
    const auto one = fitVar(tableOf({1, 3, 2, 5, 3, 6, 4, 8, 5, 9}, 1), {}, Task());
    REQUIRE(one);
    CHECK(std::isfinite(varResponse(*one, 3).plain[2]));
    CHECK(varResponse(*one, 3).shares == std::vector<double>{1, 1, 1});
}

}  // namespace skein::var_model_test
