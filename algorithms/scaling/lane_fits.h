// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/scaling_design.h"
#include "algorithms/scaling/small_fit.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Which coefficients of a shape without a jump tell what it is where all parameters are 1, and which ones
/// are of summands: a bit each.
struct ShapeSigns {
    std::uint8_t atOne = 0, summands = 0;
};
ShapeSigns signsOf(const ScalingShape& shape);

/// Shapes that differ in the term of their last summand alone: their other columns are the same, so that they
/// are fitted side by side. Made once a design. Immutable.
class ShapeFamily {
public:
    /// Fits that are worked out at once.
    static constexpr std::size_t kLanes = 4;
    static constexpr std::size_t kMostColumns = 4;

    /// One and more shapes with a summand each, of one family.
    ShapeFamily(std::vector<ScalingShape> shapes, const ScalingDesign& design);

    const std::vector<ScalingShape>& shapes() const { return shapes_; }
    const ShapeSigns& signs(std::size_t shape) const { return signs_[shape]; }
    std::size_t columns() const { return shared_.size() + own_.size(); }
    /// Which columns of a shape all shapes have in common, and which ones are its own.
    std::span<const std::uint8_t> shared() const { return shared_; }
    std::span<const std::uint8_t> own() const { return own_; }
    /// The values of a column that all have, at all points.
    const double* sharedValues(std::size_t column) const { return sharedValues_.data() + column * points_; }
    /// [own column][point][lane] of the shapes from kLanes · block on; the last block is filled up.
    const double* ownValues(std::size_t block) const
    {
        return ownValues_.data() + block * own_.size() * points_ * kLanes;
    }

private:
    std::vector<ScalingShape> shapes_;
    std::vector<ShapeSigns> signs_;
    std::size_t points_;
    std::vector<std::uint8_t> shared_, own_;
    std::vector<double> sharedValues_, ownValues_;
};

/// The families of shapes with one summand and more, in the order in which they begin. Shapes that have more
/// columns than a family can are left out.
std::vector<ShapeFamily> familiesOf(std::span<const ScalingShape> shapes, const ScalingDesign& design);

/// The fit of a shape.
struct ShapeFit {
    double squares = 0.0;       ///< of the residuals
    double leftOut = 0.0;       ///< Σ residual² / (1 − leverage)
    double logVariances = 0.0;  ///< Σ log(1 − leverage)
    std::array<double, SmallFit::kMostColumns> coefficients{};
    bool independent = true;  ///< false: its columns are not, and nothing else counts
};

/// Least squares of all shapes of a family by modified Gram-Schmidt, as SmallFit does it for one. Keeps its
/// memory between fits.
class LaneFits {
public:
    /// No leverage is nearer to 1 than by this.
    static constexpr double kLeastLeft = 1e-9;

    /// One a shape; empty where the columns in common are not independent. `values` are multiplied by the
    /// weights already. Valid until the next run. O(shapes · points · columns).
    std::span<const ShapeFit> run(const ShapeFamily& family, std::span<const double> weights,
                                  std::span<const double> values);

private:
    SmallFit shared_;
    std::vector<double> columns_, scratch_;
    std::vector<ShapeFit> fits_;
};

}  // namespace skein
