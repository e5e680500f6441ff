// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/index/step_series.h"

#include "tests/support/catch.h"

#include <cmath>
#include <limits>
#include <random>

namespace skein::step_series_test {

namespace {

struct Steps {
    std::vector<TimeNs> begins;
    std::vector<double> values;
    TimeNs end = 0;
};

/// Bursts, pauses, changes without length, and times about which nothing is known.
Steps randomSteps(std::mt19937& random, std::size_t count)
{
    Steps steps;
    TimeNs now = random() % 50;
    for (std::size_t i = 0; i < count; ++i) {
        steps.begins.push_back(now);
        steps.values.push_back(random() % 11 == 0 ? std::numeric_limits<double>::quiet_NaN()
                                                  : static_cast<double>(random() % 1000) - 300);
        now += random() % 5 == 0 ? 0 : random() % 30 == 0 ? random() % 3000 : random() % 9;
    }
    steps.end = now;
    return steps;
}

StepRange bruteForce(const Steps& steps, TimeSpan span)
{
    StepRange range;
    for (std::size_t i = 0; i < steps.begins.size(); ++i) {
        const TimeNs end = i + 1 < steps.begins.size() ? steps.begins[i + 1] : steps.end;
        const bool inside = span.begin <= steps.begins[i] && steps.begins[i] < span.end;
        const TimeNs length = std::min(end, span.end) - std::max(steps.begins[i], span.begin);
        if (!std::isfinite(steps.values[i]) || (!inside && length <= 0)) continue;
        const double ns = static_cast<double>(std::max<TimeNs>(0, length));
        range.add({steps.values[i], steps.values[i], steps.values[i] * ns, ns});
    }
    return range;
}

}  // namespace

TEST_CASE("of any span a step series knows extremes and mean, and loses no change however short")
{
    std::mt19937 random(7);
    for (const std::size_t count : {0u, 1u, 2u, 15u, 16u, 17u, 255u, 300u, 5000u}) {
        const Steps steps = randomSteps(random, count);
        const StepSeries series(steps.begins, steps.values, steps.end);
        for (int round = 0; round < 300; ++round) {
            const TimeNs from = static_cast<TimeNs>(random() % static_cast<unsigned>(steps.end + 100)) - 50;
            const TimeSpan span{from,
                                from
                                    + static_cast<TimeNs>(
                                        random() % (round % 2 ? 20u : static_cast<unsigned>(steps.end + 1)))};
            const StepRange expected = bruteForce(steps, span);
            const StepRange found = series.over(span);
            INFO(count << " steps, " << span.begin << " to " << span.end);
            REQUIRE(found.any() == expected.any());
            if (!found.any()) continue;
            REQUIRE(found.minimum == expected.minimum);
            REQUIRE(found.maximum == expected.maximum);
            REQUIRE(found.knownNs == expected.knownNs);
            REQUIRE(found.integral == Approx(expected.integral).margin(1e-6));
        }
    }
}

TEST_CASE("columns side by side hold every value of a step series")
{
    std::mt19937 random(8);
    const Steps steps = randomSteps(random, 3000);
    const StepSeries series(steps.begins, steps.values, steps.end);
    StepRange all;
    const TimeNs width = steps.end / 97 + 1;
    for (TimeNs from = 0; from <= steps.end; from += width) all.add(series.over({from, from + width}));
    const StepRange whole = series.whole();
    CHECK(all.minimum == whole.minimum);
    CHECK(all.maximum == whole.maximum);
    CHECK(all.knownNs == whole.knownNs);
    CHECK(all.integral == Approx(whole.integral));
}

TEST_CASE("a step series tells its value at a moment and the next change")
{
    const StepSeries series({10, 20, 20, 40}, {1, 2, 3, 4}, 50);
    CHECK(std::isnan(series.at(9)));
    CHECK(series.at(10) == 1);
    CHECK(series.at(20) == 3);
    CHECK(series.at(49) == 4);
    CHECK(std::isnan(series.at(50)));
    CHECK(series.nextChange(10) == 20);
    CHECK(series.nextChange(40) == kNoTime);
    CHECK(series.over({15, 20}).maximum == 1);
    CHECK(series.over({15, 21}).minimum == 1);
    CHECK(series.over({20, 21}).minimum == 2);
}

}  // namespace skein::step_series_test
