// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/label_counts.h"
#include "algorithms/anomaly/tail_break.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <random>

namespace skein::tail_break_test {

namespace {

std::vector<TimeNs> randomTimes(std::uint64_t seed, std::size_t count)
{
    std::mt19937_64 random(seed);
    std::vector<TimeNs> values(count);
    for (TimeNs& value : values)
        value = static_cast<TimeNs>(std::exp(std::uniform_real_distribution<>(0.0, 25.0)(random)));
    return values;
}

double medianByHand(std::vector<TimeNs> values)
{
    std::sort(values.begin(), values.end());
    const std::size_t n = values.size();
    return 0.5 * static_cast<double>(values[(n - 1) / 2] + values[n / 2]);
}

}  // namespace

TEST_CASE("a sketch keeps few values as they are, and many within a hundredth")
{
    for (const std::size_t count : {1u, 2u, 500u, 1024u, 1025u, 20000u}) {
        const std::vector<TimeNs> values = randomTimes(count, count);
        ValueSketch sketch;
        for (const TimeNs value : values) sketch.add(value);
        CHECK(sketch.count() == count);
        CHECK(sketch.exact() == (count <= ValueSketch::kMostExact));
        std::uint64_t total = 0;
        double last = -1.0;
        for (const ValueCount& each : sketch.counts()) {
            CHECK(each.value > last);
            last = each.value;
            total += each.count;
        }
        CHECK(total == count);
        const double median = medianByHand(values);
        const double tolerance = sketch.exact() ? 0.0 : 0.02 * median;
        CHECK(std::abs(medianOf(sketch.counts()) - median) <= tolerance);
        for (const TimeNs value : values)
            CHECK(std::abs(sketch.represented(value) - static_cast<double>(value))
                  <= (sketch.exact() ? 0.0 : 0.008 * static_cast<double>(value)));
    }
}

TEST_CASE("merged sketches are the same in any order")
{
    const std::vector<TimeNs> values = randomTimes(5, 3000);
    ValueSketch whole, a, b, c;
    for (std::size_t i = 0; i < values.size(); ++i) {
        whole.add(values[i]);
        (i < 700 ? a : i < 1400 ? b : c).add(values[i]);
    }
    ValueSketch forth = a, back = c;
    forth.merge(b);
    forth.merge(c);
    back.merge(b);
    back.merge(a);
    CHECK(forth.counts() == whole.counts());
    CHECK(back.counts() == whole.counts());
}

TEST_CASE("the break is the lowest value that leaves all smaller ones behind")
{
    const auto limitOf = [](std::vector<double> values, double floor = 0.0) {
        std::sort(values.begin(), values.end());
        std::vector<ValueCount> counts;
        for (const double value : values) counts.push_back({value, 1});
        return tailBreakOf(counts, {.floor = floor}).limit;
    };
    std::vector<double> body;
    for (int i = 0; i < 100; ++i) body.push_back(1000 + i % 21);
    const double none = std::numeric_limits<double>::infinity();
    CHECK(limitOf(body) == none);
    auto with = [&](std::initializer_list<double> more) {
        auto values = body;
        values.insert(values.end(), more);
        return values;
    };
    CHECK(limitOf(with({5000})) == 5000);
    CHECK(limitOf(with({5000, 1200})) == 1200);         // a small one is not hidden by a large one
    CHECK(limitOf(with({5000, 1200}), 400.0) == 5000);  // but may be of no interest
    CHECK(limitOf(with({1030})) == none);               // within three deviations
    CHECK(limitOf(with({5000, 5001, 5002, 5003, 5004, 5005, 5006, 5007}))
          == none);                                  // another way to be normal
    CHECK(limitOf({1, 1, 1, 1, 1, 1, 90}) == none);  // too few to tell
}

TEST_CASE("the break's factor is that of the greatest of exponential excesses")
{
    // P(greatest ≥ f × second) = n^(1−f), which is the tail share of the deviations.
    CHECK(breakFactor(3.0, 1000) == Approx(1.0 + std::log(1.0 / 0.0026998) / std::log(1000.0)).epsilon(1e-4));
    CHECK(breakFactor(3.0, 100) > breakFactor(3.0, 10000));
    CHECK(breakFactor(4.0, 100) > breakFactor(3.0, 100));
}

TEST_CASE("rare kinds of structure stand against few frequent ones")
{
    const auto countsOf = [](std::initializer_list<std::uint64_t> counts) {
        LabelCounts labels;
        std::uint64_t label = 1;
        for (const std::uint64_t count : counts) {
            for (std::uint64_t i = 0; i < count; ++i) labels.add(label);
            ++label;
        }
        labels.findRare(0.05);
        return labels;
    };
    LabelCounts odd = countsOf({990, 6, 1, 1});
    CHECK_FALSE(odd.isRare(1));
    CHECK(odd.isRare(2));
    CHECK(odd.isRare(4));
    CHECK(odd.isRare(99));  // never seen
    CHECK(odd.surprise(3) == Approx(std::log2(998.0)));
    CHECK_FALSE(countsOf({500, 490, 120, 60, 30, 15, 7, 3, 1}).anyRare());  // falls off gradually
    CHECK_FALSE(countsOf({100}).anyRare());
    CHECK_FALSE(countsOf({3, 1}).anyRare());
}

}  // namespace skein::tail_break_test
