// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/scaling_function.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein {
namespace {

std::string coefficientText(double value, int digits)
{
    return digits > 0 ? fmt::format("{:.{}g}", value, digits) : fmt::format("{}", value);
}

}  // namespace

double ScalingFunction::at(std::span<const double> parameters) const
{
    double sum = constant;
    for (const Summand& summand : summands) {
        double product = summand.coefficient;
        for (const auto& [parameter, term] : summand.factors) product *= term.at(parameters[parameter]);
        sum += product;
    }
    return sum;
}

std::string ScalingFunction::text(std::span<const std::string> parameters, int digits) const
{
    std::string text;
    if (constant != 0.0 || summands.empty()) text = coefficientText(constant, digits);
    for (const Summand& summand : summands) {
        text += (text.empty() ? "" : " + ") + coefficientText(summand.coefficient, digits);
        for (const auto& [parameter, term] : summand.factors)
            text += " * " + term.text(parameters[parameter]);
    }
    return text;
}

bool ScalingFunction::sameTerms(const ScalingFunction& other) const
{
    return std::equal(summands.begin(), summands.end(), other.summands.begin(), other.summands.end(),
                      [](const Summand& a, const Summand& b) { return a.factors == b.factors; });
}

}  // namespace skein
