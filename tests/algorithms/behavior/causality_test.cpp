// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/causality.h"

#include "tests/support/catch.h"

#include <cmath>
#include <random>
#include <set>

namespace skein::causality_test {

namespace {

/// Noise, and the same noise so many rows later, with noise of its own on top.
SeriesTable ledTable(std::size_t lag, std::size_t rows)
{
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    SeriesTable table;
    table.columns = {"cause", "effect", "other"};
    std::vector<double> cause(rows);
    for (double& value : cause) value = normal(random);
    for (std::size_t row = 0; row < rows; ++row) {
        table.times.push_back(static_cast<double>(row));
        table.values.push_back(cause[row]);
        table.values.push_back((row >= lag ? 2 * cause[row - lag] : 0) + 0.3 * normal(random));
        table.values.push_back(normal(random));
    }
    tidySeries(table);
    return table;
}

}  // namespace

TEST_CASE("what leads by a known lag is the first pair, its answer largest after that lag")
{
    const SeriesTable table = ledTable(3, 400);
    const auto model = fitWithLags(table, {}, Task());
    REQUIRE(model);
    CHECK(model->lags == 3);
    const auto links = causalLinks(*model, varResponse(*model, 8));
    REQUIRE(links.size() == 6);
    CHECK(links[0].from == 0);
    CHECK(links[0].to == 1);
    CHECK(links[0].pValue < 1e-6);
    CHECK(links[0].step == 3);
    CHECK(links[0].response == Approx(2.0).epsilon(0.15));
    CHECK(links[0].share > 0.9);
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < links.size(); ++i) {
        pairs.emplace(links[i].from, links[i].to);
        if (i == 0) continue;
        CHECK(links[i].pValue >= links[i - 1].pValue);
        CHECK(links[i].pValue > 0.01);
    }
    CHECK(pairs.size() == 6);
    CHECK(chanceFindings(*model, 0.05) == Approx(0.3));
}

TEST_CASE("several metrics are variables by their representatives; other times are an error")
{
    SeriesTable first = ledTable(1, 40), second = ledTable(2, 40);
    first.metric = "time";
    second.metric = "bytes";
    const auto joined = causalVariables({first, second}, Task());
    REQUIRE(joined);
    CHECK(joined->columns == std::vector<std::string>{"time", "bytes"});
    CHECK(joined->rows() == 40);
    const auto single = causalVariables({first}, Task());
    REQUIRE(single);
    CHECK(single->columns == first.columns);
    second.times.back() += 1;
    CHECK_FALSE(causalVariables({first, second}, Task()));
    CHECK_FALSE(causalVariables({}, Task()));
}

TEST_CASE("a series that cannot be told comes last, without a p")
{
    SeriesTable table = ledTable(2, 100);
    for (std::size_t row = 0; row < table.rows(); ++row) table.values[row * 3 + 2] = 5;
    const auto model = fitWithLags(table, {2}, Task());
    REQUIRE(model);
    const auto links = causalLinks(*model, varResponse(*model, 4));
    REQUIRE(links.size() == 6);
    for (std::size_t i = 0; i < links.size(); ++i) {
        const bool told = links[i].from != 2 && links[i].to != 2;
        CHECK(told == !std::isnan(links[i].pValue));
        CHECK(told == (i < 2));
    }
}

}  // namespace skein::causality_test
