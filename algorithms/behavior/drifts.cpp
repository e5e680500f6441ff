// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/drifts.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace skein {
namespace {

/// The terms of a series around a row.
enum DriftTerm : int { kLevel, kSlope, kBend, kJump };
constexpr double kDriftTerms = 4.0;
constexpr std::array<int, 2> kLevelTerms{kLevel, kJump};
constexpr std::array<int, 3> kBentTerms{kLevel, kSlope, kBend};
constexpr std::array<int, 4> kAllTerms{kLevel, kSlope, kBend, kJump};

/// Of as many terms as are taken: one type for all of them is a third of the time to compile.
using DriftProducts = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 4, 4>;
using DriftValues = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, 4, 1>;

/// Least squares of one entity's rows: sums of products of the terms with each other and with the values.
class DriftFit {
public:
    /// `base` is near the values, so that their squares lose nothing.
    explicit DriftFit(double base) : base_(base) {}

    /// `place`: rows from the one in question, in shares of the span.
    void add(double place, double value)
    {
        const bool after = place >= 0.0;
        const Eigen::Vector4d terms(1.0, place, after ? place : 0.0, after ? 1.0 : 0.0);
        const double distance = value - base_;
        products_ += terms * terms.transpose();
        values_ += terms * distance;
        squares_ += distance * distance;
        ++count_;
    }

    double count() const { return count_; }
    double variance() const { return squares_ - values_[kLevel] * values_[kLevel] / count_; }

    /// What these terms leave of the squares; never 0, lest logarithms are endless.
    double left(std::span<const int> terms) const
    {
        const auto size = static_cast<Eigen::Index>(terms.size());
        DriftProducts products(size, size);
        DriftValues values(size);
        for (Eigen::Index i = 0; i < size; ++i) {
            values[i] = values_[terms[static_cast<std::size_t>(i)]];
            for (Eigen::Index j = 0; j < size; ++j)
                products(i, j) =
                    products_(terms[static_cast<std::size_t>(i)], terms[static_cast<std::size_t>(j)]);
        }
        constexpr double kLeastPart = 1e-12;
        return std::max(squares_ - values.dot(products.ldlt().solve(values)), kLeastPart * variance());
    }

private:
    double base_ = 0.0, squares_ = 0.0, count_ = 0.0;
    Eigen::Matrix4d products_ = Eigen::Matrix4d::Zero();
    Eigen::Vector4d values_ = Eigen::Vector4d::Zero();
};

DriftFit driftFitOf(const ComparedEntities& entities, std::size_t entity, std::size_t first, std::size_t row,
                    std::size_t last)
{
    double base = 0.0;
    for (std::size_t at = first; at < last && !(base != 0.0); ++at)
        if (const double value = entities.at(at, entity); std::isfinite(value)) base = value;
    DriftFit fit(base);
    const auto span = static_cast<double>(last - first);
    for (std::size_t at = first; at < last; ++at)
        if (const double value = entities.at(at, entity); std::isfinite(value))
            fit.add((static_cast<double>(at) - static_cast<double>(row)) / span, value);
    return fit;
}

}  // namespace

bool isDrift(const ComparedEntities& entities, std::size_t first, std::size_t row, std::size_t last)
{
    constexpr std::size_t kFewestBeside = 3;
    if (row < first + kFewestBeside || last < row + kFewestBeside) return false;
    double levels = 0.0;  // by how much two levels tell more than a drift does: log-likelihoods
    double jump = 0.0;    // what a jump adds to a drift, less the price of its parameter
    for (std::size_t entity = 0; entity < entities.size(); ++entity) {
        const DriftFit fit = driftFitOf(entities, entity, first, row, last);
        const double count = fit.count();
        if (count <= kDriftTerms || !(fit.variance() > 0.0)) continue;
        const double byLevels = fit.left(kLevelTerms);
        const double byDrift = fit.left(kBentTerms);
        const double byBoth = fit.left(kAllTerms);
        levels += count * std::log(byDrift / (count - 3.0) / (byLevels / (count - 2.0)));
        jump += count * std::log(byDrift / byBoth) - std::log(count);
    }
    return levels < 0.0 && jump < 0.0;
}

}  // namespace skein
