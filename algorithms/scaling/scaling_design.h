// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/performance_term.h"
#include "algorithms/scaling/scaling_function.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

constexpr std::size_t kMostScalingParameters = 4;

/// One term of some parameters: [parameter] 1 + its place in performanceTerms(), 0: none of this parameter.
using TermProduct = std::array<std::uint8_t, kMostScalingParameters>;

/// How a function continues above a jump.
enum class JumpForm : std::uint8_t {
    None,
    Shift,   ///< something is added
    Factor,  ///< the terms have another coefficient each, the constant is the same
    Both,    ///< everything has another coefficient
};

/// What a function looks like, without its coefficients.
struct ScalingShape {
    static constexpr std::size_t kMostProducts = 3;

    bool constant = true;
    std::uint8_t products = 0;
    std::array<TermProduct, kMostProducts> product{};
    double logPrior = 0.0;
    JumpForm form = JumpForm::None;
    std::uint8_t jumpParameter = 0;
    double below = 0.0;  ///< the last value before the jump

    /// How many coefficients the function has.
    std::size_t columns() const;
    /// Coefficients, and what else was searched for: exponents, the place of a jump.
    std::size_t searched() const;
    /// The value of each column at a point. `row` holds columns().
    void fillRow(std::span<const double> point, std::span<double> row) const;
    /// The function on one side of the jump; without one both are the same.
    ScalingFunction function(std::span<const double> coefficients, bool above) const;
};

/// The points of a study, with the values of all terms there. Immutable; for many series and threads.
class ScalingDesign {
public:
    /// One to kMostScalingParameters values > 0 a point.
    explicit ScalingDesign(std::vector<std::vector<double>> points);

    std::size_t points() const { return points_.size(); }
    std::size_t parameters() const { return levels_.size(); }
    std::span<const double> point(std::size_t index) const { return points_[index]; }
    /// The values of a parameter, each once, increasing.
    std::span<const double> levels(std::size_t parameter) const { return levels_[parameter]; }
    /// The values of a term at all points.
    const double* term(std::size_t parameter, std::size_t term) const
    {
        return terms_[parameter].data() + term * points_.size();
    }
    /// Points that differ in this parameter alone, in groups of three and more.
    const std::vector<std::vector<std::uint32_t>>& slices(std::size_t parameter) const
    {
        return slices_[parameter];
    }
    /// Writes the columns of a shape, each times the weights, one behind the other.
    void fillColumns(const ScalingShape& shape, std::span<const double> weights, double* columns) const;

private:
    void findSlices(std::size_t parameter);
    void fillProduct(const TermProduct& product, std::span<const double> weights, double* column) const;

    std::vector<std::vector<double>> points_, levels_;
    std::vector<std::vector<double>> terms_;
    std::vector<std::vector<std::vector<std::uint32_t>>> slices_;
};

/// The shapes of one parameter: the constant, and every term with and without it.
std::vector<ScalingShape> shapesOfOneParameter();

/// The shapes of one parameter that have a falling term and a growing one: work that is divided, and what
/// dividing it costs.
std::vector<ScalingShape> shapesWithOverhead();

/// The shapes that sums of products of these terms make, and the constant. `terms` are places in
/// performanceTerms() [parameter]. The number grows with the product of how many terms there are.
std::vector<ScalingShape> shapesOfParameters(std::span<const std::vector<std::uint8_t>> terms);

/// The shape with a jump in each form at every place that has two values of the parameter on either side.
void appendJumps(const ScalingShape& shape, const ScalingDesign& design, std::vector<ScalingShape>& out);

}  // namespace skein
