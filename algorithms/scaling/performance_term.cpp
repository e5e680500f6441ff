// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/performance_term.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <fmt/format.h>
#include <vector>

namespace skein {
namespace {

constexpr std::array<std::array<std::int8_t, 2>, 20> kExponents{
    {{0, 1}, {1, 4}, {1, 3}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {1, 1}, {5, 4},  {4, 3},
     {3, 2}, {5, 3}, {7, 4}, {2, 1}, {9, 4}, {7, 3}, {5, 2}, {8, 3}, {11, 4}, {3, 1}}};
constexpr std::array<std::array<std::int8_t, 2>, 5> kFallingExponents{
    {{-1, 3}, {-1, 2}, {-2, 3}, {-1, 1}, {-2, 1}}};
constexpr std::int8_t kMostLogarithms = 2;

std::vector<PerformanceTerm> makeTerms()
{
    std::vector<PerformanceTerm> terms;
    for (const auto& [numerator, denominator] : kExponents)
        for (std::int8_t logarithm = numerator == 0 ? 1 : 0; logarithm <= kMostLogarithms; ++logarithm)
            terms.push_back({numerator, denominator, logarithm});
    for (const auto& [numerator, denominator] : kFallingExponents)
        terms.push_back({numerator, denominator, 0});
    return terms;
}

}  // namespace

double PerformanceTerm::at(double x) const
{
    double value = numerator == 0 ? 1.0 : denominator == 1 && numerator == 1 ? x : std::pow(x, exponent());
    const double log = logarithm > 0 ? std::log2(x) : 0.0;
    for (int power = 0; power < logarithm; ++power) value *= log;
    return value;
}

std::string PerformanceTerm::text(std::string_view parameter) const
{
    std::string text;
    if (numerator != 0)
        text = denominator == 1 ? fmt::format("{}^({})", parameter, numerator)
                                : fmt::format("{}^({}/{})", parameter, numerator, denominator);
    if (logarithm == 0) return text;
    return text + fmt::format("{}log2({})^({})", text.empty() ? "" : " * ", parameter, logarithm);
}

double PerformanceTerm::plainness() const
{
    constexpr std::array<double, 6> ofDenominator{0.0, 1.0, 1.0, 0.8, 0.5, 0.25};
    constexpr std::array<double, 3> ofLogarithms{1.0, 0.6, 0.25};
    const double twice = logarithm == 2 && numerator != 0 ? 0.7 : 1.0;
    return ofDenominator[static_cast<std::size_t>(denominator)]
        * ofLogarithms[static_cast<std::size_t>(logarithm)] * twice * (numerator < 0 ? 0.5 : 1.0);
}

std::span<const PerformanceTerm> performanceTerms()
{
    static const std::vector<PerformanceTerm> terms = makeTerms();
    return terms;
}

std::size_t growingTerms() { return performanceTerms().size() - kFallingExponents.size(); }

}  // namespace skein
