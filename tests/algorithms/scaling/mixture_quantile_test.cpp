// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/mixture_quantile.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

namespace skein::mixture_quantile_test {

namespace {

double mixtureAt(const std::vector<MixtureComponent>& mixture, double freedoms, double value)
{
    double sum = 0.0;
    for (const MixtureComponent& one : mixture)
        sum += one.weight * studentProbability((value - one.center) / one.spread, freedoms);
    return sum;
}

}  // namespace

TEST_CASE("quantiles of a mixture are those of its only component")
{
    const std::vector<MixtureComponent> one{{1.0, 10.0, 2.0}};
    CHECK(mixtureQuantile(one, StudentTable(1.0), 0.75) == Approx(12.0).epsilon(1e-3));
    CHECK(mixtureQuantile(one, StudentTable(20.0), 0.975) == Approx(10.0 + 2.0 * 2.086).epsilon(2e-3));
    CHECK(mixtureQuantile(one, StudentTable(2.0), 0.025) == Approx(10.0 - 2.0 * 4.3027).epsilon(1e-3));
}

TEST_CASE("a Student table has the probabilities that it was made of, and quantiles that lead back")
{
    for (const double freedoms : {1.0, 2.0, 3.0, 4.0, 17.0, 1000.0}) {
        const StudentTable table(freedoms);
        for (double value = -50.0; value <= 50.0; value += 0.037)
            CHECK(std::abs(table.probability(value) - studentProbability(value, freedoms)) < 1e-7);
        for (const double far : {-1e300, -1e9, 1e9, 1e300})
            CHECK(std::abs(table.probability(far) - studentProbability(far, freedoms)) < 1e-6);
        for (const double wanted : {0.001, 0.025, 0.3, 0.5, 0.9, 0.975, 0.9999})
            CHECK(std::abs(studentProbability(table.quantile(wanted), freedoms) - wanted) < 1e-7);
    }
}

TEST_CASE("quantiles of mixtures are where their probability is passed, to a thousandth of the least spread")
{
    std::mt19937_64 random(3);
    std::uniform_real_distribution<double> any(0.0, 1.0);
    StudentTables tables;
    for (int trial = 0; trial < 300; ++trial) {
        const double freedoms = 1.0 + trial % 7;
        std::vector<MixtureComponent> mixture(1 + static_cast<std::size_t>(trial) % 40);
        double whole = 0.0, finest = 1e9;
        for (MixtureComponent& one : mixture) {
            // Some lie far from the others, so that the probability stays the same for long between them.
            one = {any(random), 1000.0 * (any(random) < 0.3 ? any(random) : 0.1 * any(random)),
                   std::exp(6.0 * any(random) - 3.0)};
            whole += one.weight;
            finest = std::min(finest, one.spread);
        }
        for (MixtureComponent& one : mixture) one.weight /= whole;
        for (const double wanted : {0.025, 0.5, 0.975}) {
            const double told = mixtureQuantile(mixture, tables.of(freedoms), wanted);
            INFO(trial << ' ' << wanted);
            CHECK(mixtureAt(mixture, freedoms, told - 0.0011 * finest) <= wanted + 1e-7);
            CHECK(mixtureAt(mixture, freedoms, told + 0.0011 * finest) >= wanted - 1e-7);
        }
    }
}

TEST_CASE("a mixture of values that are certain has one of them as its quantile")
{
    const std::vector<MixtureComponent> certain{{0.5, 1.0, 0.0}, {0.5, 3.0, 0.0}};
    CHECK(mixtureQuantile(certain, StudentTable(3.0), 0.25) == Approx(1.0));
    CHECK(mixtureQuantile(certain, StudentTable(3.0), 0.75) == Approx(3.0));
}

}  // namespace skein::mixture_quantile_test
