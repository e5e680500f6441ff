// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace skein {

/// x^(numerator/denominator) · log2(x)^logarithm: a building block of the performance model normal form
/// (Calotoiu, Hoefler, Poke, Wolf, SC 2013, section 4).
struct PerformanceTerm {
    std::int8_t numerator = 0;
    std::int8_t denominator = 1;
    std::int8_t logarithm = 0;

    bool operator==(const PerformanceTerm&) const = default;
    double exponent() const { return static_cast<double>(numerator) / denominator; }
    /// x > 0.
    double at(double x) const;
    /// "p^(1/3) * log2(p)^(1)", as Extra-P writes it.
    std::string text(std::string_view parameter) const;
    /// How likely such a term is before anything was measured, relative to others: plain exponents before odd
    /// ones, few logarithms before many.
    double plainness() const;
};

/// The terms that are tried: exponents 0 to 3 of Extra-P with 0 to 2 logarithms, then some negative
/// exponents, for what gets less. Growing ones first; the constant is none of them.
std::span<const PerformanceTerm> performanceTerms();

/// How many of performanceTerms() grow.
std::size_t growingTerms();

}  // namespace skein
