// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/incremental_pca.h"

#include "algorithms/behavior/symmetric_eigen.h"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>

namespace skein {
namespace {

using PcaRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using PcaRowsView = Eigen::Map<const PcaRows>;

/// What of a row is left of rounding: less of the largest singular value counts as 0.
constexpr double kPcaNoise = 1e-14;

Eigen::Index pcaIndex(std::size_t number) { return static_cast<Eigen::Index>(number); }

/// The leading right singular vectors of a stack of rows, not yet of length 1: their lengths are the singular
/// values. The smaller of both Gram matrices is taken apart; lengths are taken of what is projected, which
/// keeps the precision that squares lose.
PcaRows leadingRows(const PcaRows& stack, Eigen::Index count)
{
    if (stack.rows() <= stack.cols()) {
        const Eigen::MatrixXd vectors = symmetricEigen(stack * stack.transpose()).vectors;
        return vectors.rightCols(count).rowwise().reverse().transpose() * stack;
    }
    const Eigen::MatrixXd vectors = symmetricEigen(stack.transpose() * stack).vectors;
    PcaRows rows = vectors.rightCols(count).rowwise().reverse().transpose();
    for (Eigen::Index i = 0; i < count; ++i) rows.row(i) *= (stack * rows.row(i).transpose()).norm();
    return rows;
}

/// Takes from row `index` what lies along the rows before it, which have length 1.
void takeOutBefore(PcaRows& rows, Eigen::Index index)
{
    for (Eigen::Index before = 0; before < index; ++before)
        rows.row(index) -= rows.row(index).dot(rows.row(before)) * rows.row(before);
}

/// Some unit vector across the rows before: of those along an axis the first that is far enough from them.
void fillRow(PcaRows& rows, Eigen::Index index)
{
    for (Eigen::Index axis = 0; axis < rows.cols(); ++axis) {
        rows.row(index).setZero();
        rows(index, axis) = 1.0;
        takeOutBefore(rows, index);
        takeOutBefore(rows, index);
        const double length = rows.row(index).norm();
        if (length * length * static_cast<double>(rows.cols()) < 0.5) continue;
        rows.row(index) /= length;
        return;
    }
}

/// Makes the rows orthonormal in their order; gives the lengths that they had.
std::vector<double> orthonormalise(PcaRows& rows)
{
    std::vector<double> lengths;
    for (Eigen::Index i = 0; i < rows.rows(); ++i) {
        takeOutBefore(rows, i);
        const double length = rows.row(i).norm();
        if (length <= kPcaNoise * (lengths.empty() ? 0.0 : lengths.front())) {
            lengths.push_back(0.0);
            fillRow(rows, i);
            continue;
        }
        lengths.push_back(length);
        rows.row(i) /= length;
        takeOutBefore(rows, i);
        rows.row(i).normalize();
    }
    return lengths;
}

}  // namespace

IncrementalPca::IncrementalPca(std::size_t columns, std::size_t components, double forgetting)
    : columns_(columns), wanted_(std::min(components, columns)), forgetting_(forgetting), mean_(columns, 0.0)
{
}

void IncrementalPca::update(std::span<const double> rows)
{
    if (columns_ == 0 || rows.size() < columns_) return;
    const PcaRowsView batch(rows.data(), pcaIndex(rows.size() / columns_), pcaIndex(columns_));
    const double added = static_cast<double>(batch.rows());
    Eigen::Map<Eigen::RowVectorXd> mean(mean_.data(), pcaIndex(columns_));
    const Eigen::RowVectorXd batchMean = batch.colwise().mean();
    const Eigen::RowVectorXd shift = mean - batchMean;
    const auto kept = pcaIndex(singularValues_.size());
    const bool first = seen_ == 0.0;
    PcaRows stack(kept + batch.rows() + (first ? 0 : 1), pcaIndex(columns_));
    for (Eigen::Index i = 0; i < kept; ++i)
        stack.row(i) = forgetting_ * singularValues_[static_cast<std::size_t>(i)]
            * PcaRowsView(components_.data(), kept, pcaIndex(columns_)).row(i);
    stack.middleRows(kept, batch.rows()) = batch.rowwise() - batchMean;
    const double between = first ? 0.0 : seen_ * added / (seen_ + added);
    squares_ = forgetting_ * forgetting_ * squares_ + stack.middleRows(kept, batch.rows()).squaredNorm()
        + between * (first ? 0.0 : shift.squaredNorm());
    if (!first) stack.bottomRows(1) = std::sqrt(between) * shift;
    const double past = forgetting_ * seen_;
    mean = (past * mean + added * batchMean) / (past + added);
    seen_ = past + added;
    PcaRows leading = leadingRows(stack, std::min({pcaIndex(wanted_), stack.rows(), stack.cols()}));
    singularValues_ = orthonormalise(leading);
    components_.assign(leading.data(), leading.data() + leading.size());
}

std::vector<double> IncrementalPca::project(std::span<const double> rows) const
{
    const std::size_t count = columns_ == 0 ? 0 : rows.size() / columns_;
    std::vector<double> scores(count * componentCount());
    if (scores.empty()) return scores;
    const PcaRowsView values(rows.data(), pcaIndex(count), pcaIndex(columns_));
    const PcaRowsView components(components_.data(), pcaIndex(componentCount()), pcaIndex(columns_));
    const Eigen::Map<const Eigen::RowVectorXd> mean(mean_.data(), pcaIndex(columns_));
    Eigen::Map<PcaRows> out(scores.data(), pcaIndex(count), pcaIndex(componentCount()));
    // Row by row: the mean is taken off before the products, which a large offset would otherwise drown.
    Eigen::RowVectorXd centred(pcaIndex(columns_));
    for (Eigen::Index row = 0; row < values.rows(); ++row) {
        centred = values.row(row) - mean;
        for (Eigen::Index i = 0; i < components.rows(); ++i) out(row, i) = centred.dot(components.row(i));
    }
    return scores;
}

std::vector<double> IncrementalPca::explainedVariance() const
{
    std::vector<double> variance;
    for (const double value : singularValues_)
        variance.push_back(seen_ > 1.0 ? value * value / (seen_ - 1.0) : 0.0);
    return variance;
}

std::vector<double> IncrementalPca::explainedVarianceRatio() const
{
    std::vector<double> ratio;
    for (const double value : singularValues_)
        ratio.push_back(squares_ > 0.0 ? value * value / squares_ : 0.0);
    return ratio;
}

}  // namespace skein
