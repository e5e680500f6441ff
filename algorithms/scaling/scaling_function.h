// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/performance_term.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace skein {

/// A function of parameters in the performance model normal form: a constant and summands, each a coefficient
/// times one term of some of the parameters.
struct ScalingFunction {
    struct Summand {
        double coefficient = 0.0;
        std::vector<std::pair<std::size_t, PerformanceTerm>> factors;  ///< parameter and its term
    };
    double constant = 0.0;
    std::vector<Summand> summands;

    /// One value > 0 a parameter.
    double at(std::span<const double> parameters) const;
    /// "-223687.6 + 340722.8 * p^(1/3)", as Extra-P writes it; coefficients with so many significant digits,
    /// 0: as many as tell the number apart.
    std::string text(std::span<const std::string> parameters, int digits = 0) const;
    /// True when both have the same terms, whatever their coefficients.
    bool sameTerms(const ScalingFunction& other) const;
};

}  // namespace skein
