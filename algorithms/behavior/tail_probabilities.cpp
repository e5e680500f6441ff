// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/tail_probabilities.h"

#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr int kMostTerms = 100000;
constexpr double kSmallestFactor = 1e-300;
constexpr double kLastChange = 1e-16;

/// ln Γ(x), which std::lgamma tells too, but not safely from several threads on all systems.
double logGamma(double x)
{
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

double awayFromZero(double factor) { return std::abs(factor) < kSmallestFactor ? kSmallestFactor : factor; }

/// The continued fraction of the incomplete beta function by Lentz's method (Abramowitz and Stegun 26.5.8);
/// converges quickly for x < (a + 1) / (a + b + 2).
double betaFraction(double a, double b, double x)
{
    double c = 1.0;
    double d = 1.0 / awayFromZero(1.0 - (a + b) * x / (a + 1.0));
    double fraction = d;
    for (int term = 1; term < kMostTerms; ++term) {
        const double m = term;
        const double even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        d = 1.0 / awayFromZero(1.0 + even * d);
        c = awayFromZero(1.0 + even / c);
        fraction *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        d = 1.0 / awayFromZero(1.0 + odd * d);
        c = awayFromZero(1.0 + odd / c);
        fraction *= d * c;
        if (std::abs(d * c - 1.0) < kLastChange) break;
    }
    return fraction;
}

/// Regularised incomplete beta function I_x(a, b), where y = 1 − x is known better than by subtraction.
double incompleteBeta(double a, double b, double x, double y)
{
    if (x <= 0.0) return 0.0;
    if (y <= 0.0) return 1.0;
    const double front =
        std::exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * std::log(x) + b * std::log(y));
    if (x < (a + 1.0) / (a + b + 2.0)) return front * betaFraction(a, b, x) / a;
    return 1.0 - front * betaFraction(b, a, y) / b;
}

/// Lower regularised incomplete gamma function by its series; for x < a + 1.
double gammaSeries(double a, double x)
{
    double term = 1.0 / a, sum = term;
    for (int n = 1; n < kMostTerms && term > sum * kLastChange; ++n) {
        term *= x / (a + n);
        sum += term;
    }
    return sum * std::exp(a * std::log(x) - x - logGamma(a));
}

/// Upper regularised incomplete gamma function by its continued fraction; for x ≥ a + 1.
double gammaFraction(double a, double x)
{
    double b = x + 1.0 - a;
    double c = 1.0 / kSmallestFactor;
    double d = 1.0 / b;
    double fraction = d;
    for (int i = 1; i < kMostTerms; ++i) {
        const double factor = -i * (i - a);
        b += 2.0;
        d = 1.0 / awayFromZero(factor * d + b);
        c = awayFromZero(b + factor / c);
        fraction *= d * c;
        if (std::abs(d * c - 1.0) < kLastChange) break;
    }
    return fraction * std::exp(a * std::log(x) - x - logGamma(a));
}

}  // namespace

double fTail(double value, double above, double below)
{
    if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
    if (value <= 0.0) return 1.0;
    if (std::isinf(value)) return 0.0;
    const double whole = below + above * value;
    return incompleteBeta(below / 2.0, above / 2.0, below / whole, above * value / whole);
}

double chiSquareTail(double value, double freedom)
{
    if (std::isnan(value)) return std::numeric_limits<double>::quiet_NaN();
    if (value <= 0.0) return 1.0;
    if (std::isinf(value)) return 0.0;
    const double a = freedom / 2.0, x = value / 2.0;
    return x < a + 1.0 ? 1.0 - gammaSeries(a, x) : gammaFraction(a, x);
}

}  // namespace skein
