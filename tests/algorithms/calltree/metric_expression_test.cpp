// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/metric_expression.h"
#include "tests/support/catch.h"

#include <cmath>

namespace skein::metric_expression_test {
namespace {

/// main (10 s inclusive, 2 s own) → solve (8 s), on two locations: main 1 + 1, solve 6 + 2
MeasuredTable smallTable()
{
    MeasuredTable out;
    const std::vector<std::string> names{"main", "solve"};
    out.table = CallTable({CallTable::kNone, 0}, names);
    out.calls = {2.0, 4.0};
    out.locations = out.ranks = 2;
    MeasuredMetric time{"time",
                        "s",
                        true,
                        {10.0, 8.0},
                        {2.0, 8.0},
                        {{7.0, 6.0}, {5.0, 4.0}, {2.0, 2.0}},
                        {{1.0, 6.0}, {1.0, 4.0}, {0.0, 2.0}}};
    MeasuredMetric bytes{"bytes sent", "B", true, {100.0, 0.0}, {100.0, 0.0}, {}, {}};
    out.metrics = {time, bytes};
    return out;
}

DerivedMetric valueOf(const std::string& text)
{
    INFO(text);
    const auto expression = MetricExpression::parse(text);
    REQUIRE(expression.has_value());
    const auto derived = expression->evaluate(smallTable());
    REQUIRE(derived.has_value());
    return *derived;
}

using Values = std::vector<double>;

TEST_CASE("expressions of metrics have values and units")
{
    CHECK(valueOf("time.inc / calls").values == Values{5.0, 2.0});
    CHECK(valueOf("time.inc / calls").unit == "s");
    CHECK(valueOf("time").values == Values{2.0, 8.0});
    CHECK(valueOf("TIME.exc").values == Values{2.0, 8.0});
    CHECK(valueOf("share(time.inc)").values == Values{1.0, 0.8});
    CHECK(valueOf("share(time) * 100").values == Values{20.0, 80.0});
    CHECK(valueOf("share(time)").unit.empty());
    CHECK(valueOf("imbalance(time.inc)").values == Values{1.4, 1.5});
    CHECK(valueOf("stddev(time)").values == Values{0.0, 2.0});
    CHECK(valueOf("max(time) - mean(time)").values == Values{0.0, 2.0});
    CHECK(valueOf("\"bytes sent\".inc / time.inc").unit == "B/s");
    CHECK(valueOf("time.inc * time.inc / \"bytes sent\"").unit == "s^2/B");
    CHECK(valueOf("time + 500 ms").values == Values{2.5, 8.5});
    CHECK(valueOf("-(2 + 3) * 2 ^ 3 / 4").values == Values{-10.0, -10.0});
    CHECK(valueOf("8 - 2 - 1").values == Values{5.0, 5.0});
    CHECK(valueOf("sqrt(calls * calls) + log2(8) + abs(-1) + min(calls, 3)").values == Values{8.0, 11.0});
    CHECK(valueOf("time / ranks").values == Values{1.0, 4.0});
    CHECK(std::isnan(valueOf("time / \"bytes sent\"").values[1]));
}

std::string problemOf(const std::string& text)
{
    const auto expression = MetricExpression::parse(text);
    if (!expression) return sentenceOf(expression.error(), text);
    const auto derived = expression->evaluate(smallTable());
    REQUIRE_FALSE(derived.has_value());
    return sentenceOf(derived.error(), text);
}

TEST_CASE("what is wrong with an expression is told with its character")
{
    CHECK(problemOf("time.inc /") == "At character 11: expected a metric, a number, a function or (.");
    CHECK(problemOf("time + \"bytes sent\"") == "At character 6: s and B cannot be added.");
    CHECK(problemOf("time + 1") == "At character 6: s and plain numbers cannot be added.");
    CHECK(problemOf("2 * cycles")
          == "At character 5: there is no metric cycles: there are calls, time, bytes sent.");
    CHECK(problemOf("(time") == "At character 6: expected ).");
    CHECK(problemOf("foo(time)")
          == "At character 1: there is no function foo: share, imbalance, stddev, max, min, mean, abs, sqrt "
             "and log2 are.");
    CHECK(problemOf("share(2)") == "At character 7: share is of a metric: share(time.inc).");
    CHECK(problemOf("log2(time)") == "At character 1: log2 is of plain numbers, not of s.");
    CHECK(problemOf("b.time") == "At character 1: there is no metric b, and runs are not named here.");
    CHECK(problemOf("2 * time.foo")
          == "At character 10: foo is unknown: time.inc and time.exc are amounts of time.");
    CHECK(problemOf("time time") == "At character 6: expected an operator or the end of the expression.");
    CHECK(problemOf(std::string(300, '(')).substr(0, 12) == "At character");
}

TEST_CASE("an expression of two runs")
{
    const MeasuredTable a = smallTable();
    MeasuredTable b = smallTable();
    b.metrics[0].inclusive = {20.0, 4.0};
    const auto expression = MetricExpression::parse("a.time.inc / b.time.inc");
    const auto derived =
        expression->evaluate({{"a", &a, {0, 1, CallTable::kNone}}, {"b", &b, {0, CallTable::kNone, 1}}}, 3);
    REQUIRE(derived.has_value());
    CHECK(derived->unit.empty());
    CHECK(derived->values[0] == 0.5);
    CHECK(std::isnan(derived->values[1]));
    CHECK(derived->values[2] == 0.0);
}

}  // namespace
}  // namespace skein::metric_expression_test
