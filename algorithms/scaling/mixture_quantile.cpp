// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/mixture_quantile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skein {
namespace {

/// How far from its center a component is looked for, in spreads: a tail of 1e-4 at least lies behind it.
constexpr double kReach = 60.0;
constexpr double kReachOfFewFreedoms = 4000.0;
constexpr int kMostHalvings = 60;
constexpr double kPrecision = 1e-3;

double mixtureProbability(std::span<const MixtureComponent> components, double freedoms, double value)
{
    double sum = 0.0;
    for (const MixtureComponent& one : components)
        sum += one.weight
            * (one.spread > 0.0 ? studentProbability((value - one.center) / one.spread, freedoms)
                                : (value >= one.center ? 1.0 : 0.0));
    return sum;
}

}  // namespace

double studentProbability(double value, double freedoms)
{
    if (freedoms <= 1.0) return 0.5 + std::atan(value) / std::numbers::pi;
    if (freedoms <= 2.0) return 0.5 + value / (2.0 * std::sqrt(2.0 + value * value));
    const double normal = std::sqrt(freedoms * std::log1p(value * value / freedoms)) * (8.0 * freedoms + 1.0)
        / (8.0 * freedoms + 3.0);
    return 0.5 * std::erfc((value < 0.0 ? normal : -normal) / std::numbers::sqrt2);
}

double mixtureQuantile(std::span<const MixtureComponent> components, double freedoms, double probability)
{
    const double reach = freedoms > 2.0 ? kReach : kReachOfFewFreedoms;
    double low = components.front().center, high = low, finest = components.front().spread;
    for (const MixtureComponent& one : components) {
        low = std::min(low, one.center - reach * one.spread);
        high = std::max(high, one.center + reach * one.spread);
        finest = std::min(finest, one.spread);
    }
    for (int halving = 0; halving < kMostHalvings && high - low > kPrecision * finest; ++halving) {
        const double middle = 0.5 * (low + high);
        (mixtureProbability(components, freedoms, middle) < probability ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace skein
