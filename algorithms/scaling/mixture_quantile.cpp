// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/scaling/mixture_quantile.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace skein {
namespace {

/// Up to so many degrees of freedom probabilities are worked out in a moment.
constexpr double kFewFreedoms = 2.0;
constexpr int kMostHalvings = 60;
/// How exactly quantiles are told, in spreads.
constexpr double kPrecision = 1e-3;
constexpr std::size_t kCellsOfTable = 128;

/// Tables stand over |value| / (2 + |value|), which has most places where most values are and in which the
/// tails end smoothly.
constexpr double kMiddleOfTable = 2.0;
double placeOf(double size) { return size / (kMiddleOfTable + size); }
double sizeAt(double place) { return kMiddleOfTable * place / (1.0 - place); }

/// Through four neighbouring values, 0 ≤ at ≤ 3.
double throughFour(const double* values, double at)
{
    const double a = at, b = at - 1.0, c = at - 2.0, d = at - 3.0;
    return (values[3] * a * b * c - values[0] * b * c * d) / 6.0
        + (values[1] * a * c * d - values[2] * a * b * d) / 2.0;
}

double mixtureProbability(std::span<const MixtureComponent> components, const StudentTable& student,
                          double value)
{
    double sum = 0.0;
    for (const MixtureComponent& one : components)
        sum += one.weight
            * (one.spread > 0.0 ? student.probability((value - one.center) / one.spread)
                                : (value >= one.center ? 1.0 : 0.0));
    return sum;
}

/// Where an increasing function passes a value, between low and high: by the line between the two where that
/// is nearer than halving (Oliveira and Takahashi, An enhancement of the bisection method, 2021).
template <typename Function>
double whereItPasses(const Function& function, double wanted, double low, double high, double precision)
{
    constexpr double kTruncation = 0.2;
    const double width = high - low;
    if (!(width > precision)) return 0.5 * (low + high);
    const double halvings = std::min<double>(kMostHalvings, std::ceil(std::log2(width / precision)));
    double reach = 0.5 * precision * std::exp2(halvings + 1.0);
    double below = function(low) - wanted, above = function(high) - wanted;
    for (int step = 0; step <= kMostHalvings && high - low > precision; ++step, reach *= 0.5) {
        const double middle = 0.5 * (low + high);
        const double line = above > below ? (above * low - below * high) / (above - below) : middle;
        const double toMiddle = line < middle ? 1.0 : -1.0;
        const double shift = kTruncation * (high - low) * (high - low) / width;
        double at = shift <= std::abs(middle - line) ? line + toMiddle * shift : middle;
        const double most = reach - 0.5 * (high - low);
        if (std::abs(at - middle) > most) at = middle - toMiddle * std::max(most, 0.0);
        const double found = function(at) - wanted;
        (found < 0.0 ? low : high) = at;
        (found < 0.0 ? below : above) = found;
    }
    return 0.5 * (low + high);
}

}  // namespace

double studentProbability(double value, double freedoms)
{
    if (freedoms <= 1.0) return 0.5 + std::atan(value) / std::numbers::pi;
    if (freedoms <= kFewFreedoms) return 0.5 + value / (2.0 * std::sqrt(2.0 + value * value));
    const double normal = std::sqrt(freedoms * std::log1p(value * value / freedoms)) * (8.0 * freedoms + 1.0)
        / (8.0 * freedoms + 3.0);
    return 0.5 * std::erfc((value < 0.0 ? normal : -normal) / std::numbers::sqrt2);
}

StudentTable::StudentTable(double freedoms) : freedoms_(freedoms)
{
    if (freedoms <= kFewFreedoms) return;
    for (std::size_t cell = 0; cell < kCellsOfTable; ++cell)
        upper_.push_back(studentProbability(sizeAt(static_cast<double>(cell) / kCellsOfTable), freedoms));
    upper_.push_back(1.0);
}

double StudentTable::probability(double value) const
{
    if (upper_.empty()) return studentProbability(value, freedoms_);
    const double place = placeOf(std::min(1e300, std::abs(value))) * kCellsOfTable;
    const std::size_t first = std::min(static_cast<std::size_t>(place), kCellsOfTable - 2);
    const std::size_t begin = std::max<std::size_t>(first, 1) - 1;
    const double upper = throughFour(upper_.data() + begin, place - static_cast<double>(begin));
    return value < 0.0 ? 1.0 - upper : upper;
}

double StudentTable::quantile(double wanted) const
{
    const double more = 2.0 * wanted - 1.0;
    if (freedoms_ <= 1.0) return std::tan(0.5 * std::numbers::pi * more);
    if (freedoms_ <= kFewFreedoms) return more * std::sqrt(2.0 / (1.0 - more * more));
    constexpr double kFarthest = 1e6, kPlacePrecision = 1e-12;
    const double size =
        sizeAt(whereItPasses([&](double place) { return probability(sizeAt(place)); },
                             std::max(wanted, 1.0 - wanted), 0.0, placeOf(kFarthest), kPlacePrecision));
    return wanted < 0.5 ? -size : size;
}

const StudentTable& StudentTables::of(double freedoms)
{
    for (const StudentTable& table : tables_)
        if (table.freedoms() == freedoms) return table;
    return tables_.emplace_back(freedoms);
}

double mixtureQuantile(std::span<const MixtureComponent> components, const StudentTable& student,
                       double probability)
{
    // Between the least and the greatest of what each would say alone.
    const double alone = student.quantile(probability);
    double low = components.front().center + alone * components.front().spread, high = low;
    double finest = components.front().spread;
    for (const MixtureComponent& one : components) {
        const double quantile = one.center + alone * one.spread;
        low = std::min(low, quantile);
        high = std::max(high, quantile);
        finest = std::min(finest, one.spread);
    }
    return whereItPasses([&](double value) { return mixtureProbability(components, student, value); },
                         probability, low, high, kPrecision * finest);
}

}  // namespace skein
