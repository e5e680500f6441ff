// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/var_causality.h"

#include "algorithms/behavior/sampling_order.h"
#include "algorithms/behavior/tail_probabilities.h"
#include "algorithms/behavior/var_moments.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

using var::Matrix;

constexpr double kUntold = std::numeric_limits<double>::quiet_NaN();

Eigen::Index causeIndex(std::size_t number) { return static_cast<Eigen::Index>(number); }

/// The part of the inverse Gram matrix that belongs to the lags of some variables, by lag.
Matrix inverseOfCauses(const VarModel& model, std::span<const std::size_t> causes)
{
    const std::size_t d = model.variables, size = causes.size() * model.lags, stride = d * model.lags;
    const auto placeOf = [&](std::size_t i) { return i / causes.size() * d + causes[i % causes.size()]; };
    Matrix part(causeIndex(size), causeIndex(size));
    for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = 0; b < size; ++b)
            part(causeIndex(a), causeIndex(b)) = model.gramInverse[placeOf(a) * stride + placeOf(b)];
    return part;
}

/// Lower factor of a positive definite matrix whose diagonal is brought to 1 first; empty where it has none.
Matrix scaledFactor(const Matrix& matrix)
{
    const Eigen::VectorXd size = matrix.diagonal().cwiseSqrt();
    if (!(size.minCoeff() > 0.0) || !size.allFinite()) return {};
    const Matrix scaled = size.cwiseInverse().asDiagonal() * matrix * size.cwiseInverse().asDiagonal();
    var::GrowingFactor factor(scaled);
    for (Eigen::Index i = 0; i < matrix.rows(); ++i)
        if (!factor.take(static_cast<std::size_t>(i))) return {};
    return size.asDiagonal() * Matrix(factor.lower());
}

Eigen::VectorXd coefficientsOf(const VarModel& model, std::size_t to, std::span<const std::size_t> causes)
{
    Eigen::VectorXd values(causeIndex(causes.size() * model.lags));
    for (std::size_t lag = 0; lag < model.lags; ++lag)
        for (std::size_t i = 0; i < causes.size(); ++i)
            values(causeIndex(lag * causes.size() + i)) = model.coefficient(lag, to, causes[i]);
    return values;
}

bool canBeTold(const VarModel& model, std::size_t to, std::span<const std::size_t> causes)
{
    const auto told = [&](std::size_t variable) { return model.identity[variable] == VarIdentity::Told; };
    return told(to) && std::all_of(causes.begin(), causes.end(), told);
}

/// The test for causes whose factor is known.
GrangerTest testWithFactor(const VarModel& model, std::size_t to, std::span<const std::size_t> causes,
                           const Matrix& factor)
{
    if (!canBeTold(model, to, causes) || factor.size() == 0)
        return {kUntold, kUntold, kUntold, kUntold, kUntold, kUntold, kUntold};
    const Eigen::VectorXd half =
        factor.triangularView<Eigen::Lower>().solve(coefficientsOf(model, to, causes));
    GrangerTest test;
    const double freedom = static_cast<double>(model.rows - model.regressors);
    test.above = static_cast<double>(model.lags * causes.size());
    test.below = static_cast<double>(model.kept()) * freedom;
    test.chiSquare = half.squaredNorm() / model.covariance[to * model.variables + to];
    test.f = test.chiSquare / test.above;
    test.pValue = fTail(test.f, test.above, test.below);
    test.pSingle = fTail(test.f, test.above, freedom);
    test.pChiSquare = chiSquareTail(test.chiSquare, test.above);
    return test;
}

/// A d × d block of a list of values with only the variables of the model.
class KeptBlocks {
public:
    explicit KeptBlocks(const VarModel& model) : d_(model.variables)
    {
        for (std::size_t i = 0; i < d_; ++i)
            if (model.identity[i] != VarIdentity::Dropped) kept_.push_back(i);
    }
    std::size_t count() const { return kept_.size(); }
    std::size_t variable(std::size_t i) const { return kept_[i]; }

    Matrix read(const std::vector<double>& values, std::size_t block) const
    {
        Matrix matrix(causeIndex(count()), causeIndex(count()));
        for (std::size_t i = 0; i < count(); ++i)
            for (std::size_t j = 0; j < count(); ++j)
                matrix(causeIndex(i), causeIndex(j)) = values[(block * d_ + kept_[i]) * d_ + kept_[j]];
        return matrix;
    }
    void write(const Matrix& matrix, std::vector<double>& values, std::size_t block) const
    {
        for (std::size_t i = 0; i < count(); ++i)
            for (std::size_t j = 0; j < count(); ++j)
                values[(block * d_ + kept_[i]) * d_ + kept_[j]] = matrix(causeIndex(i), causeIndex(j));
    }

private:
    std::size_t d_;
    std::vector<std::size_t> kept_;
};

void decomposeErrors(const std::vector<Matrix>& orthogonal, const KeptBlocks& blocks, std::size_t d,
                     VarResponse& response)
{
    const auto size = causeIndex(blocks.count());
    Matrix sums = Matrix::Zero(size, size);
    for (std::size_t h = 0; h < response.steps; ++h) {
        sums += orthogonal[h].cwiseAbs2();
        for (std::size_t i = 0; i < blocks.count(); ++i) {
            const double whole = sums.row(causeIndex(i)).sum();
            for (std::size_t j = 0; j < blocks.count(); ++j)
                response.shares[(blocks.variable(i) * response.steps + h) * d + blocks.variable(j)] =
                    sums(causeIndex(i), causeIndex(j)) / whole;
        }
    }
}

}  // namespace

GrangerTest testGranger(const VarModel& model, std::size_t to, std::span<const std::size_t> causes)
{
    return testWithFactor(model, to, causes, scaledFactor(inverseOfCauses(model, causes)));
}

std::vector<double> grangerPairs(const VarModel& model)
{
    std::vector<double> pValues(model.variables * model.variables, kUntold);
    for (std::size_t from = 0; from < model.variables; ++from) {
        const Matrix factor = scaledFactor(inverseOfCauses(model, std::span(&from, 1)));
        for (std::size_t to = 0; to < model.variables; ++to)
            if (to != from)
                pValues[to * model.variables + from] =
                    testWithFactor(model, to, std::span(&from, 1), factor).pValue;
    }
    return pValues;
}

VarResponse varResponse(const VarModel& model, std::size_t steps)
{
    const std::size_t d = model.variables;
    VarResponse response;
    response.steps = steps;
    response.plain.assign((steps + 1) * d * d, kUntold);
    response.orthogonal.assign((steps + 1) * d * d, kUntold);
    response.shares.assign(d * steps * d, kUntold);
    const KeptBlocks blocks(model);
    std::vector<Matrix> lagged, plain, orthogonal;
    for (std::size_t lag = 0; lag < model.lags; ++lag) lagged.push_back(blocks.read(model.coefficients, lag));
    const auto size = causeIndex(blocks.count());
    const Matrix factor = scaledFactor(blocks.read(model.covariance, 0));
    for (std::size_t h = 0; h <= steps; ++h) {
        Matrix phi = h == 0 ? Matrix(Matrix::Identity(size, size)) : Matrix(Matrix::Zero(size, size));
        for (std::size_t k = 1; k <= std::min(h, model.lags); ++k)
            phi.noalias() += plain[h - k] * lagged[k - 1];
        blocks.write(phi, response.plain, h);
        if (factor.size() > 0) {
            orthogonal.push_back(phi * factor);
            blocks.write(orthogonal.back(), response.orthogonal, h);
        }
        plain.push_back(std::move(phi));
    }
    if (factor.size() > 0) decomposeErrors(orthogonal, blocks, d, response);
    return response;
}

std::size_t nextSampleSize(std::size_t size, double remaining, double cost, std::size_t most)
{
    const double next = std::floor(static_cast<double>(size) * std::sqrt(std::max(0.0, remaining) / cost));
    if (!(next < static_cast<double>(most))) return most;
    return std::max<std::size_t>(1, static_cast<std::size_t>(next));
}

std::size_t firstSampleSize(std::size_t last, double cost, double limit)
{
    if (!(cost > limit)) return last;
    const double smaller = std::floor(static_cast<double>(last) * std::sqrt(limit / cost));
    return std::max<std::size_t>(1, static_cast<std::size_t>(smaller));
}

std::size_t leastSampleSize(std::size_t variables, std::size_t lags)
{
    return variables * lags + 1 + variables + 1;
}

Result<ProgressiveVar> fitVarProgressively(const SeriesTable& table, const VarParams& params,
                                           std::size_t first, std::uint64_t seed, const LatencyBudget& budget,
                                           const Task& task)
{
    const std::vector<std::size_t> all = varRows(table, params.lags);
    const std::size_t least = leastSampleSize(table.columns.size(), params.lags);
    SplitRandom random(seed);
    ProgressiveVar result;
    result.available = all.size();
    for (std::size_t size = std::min(std::max(first, least), all.size());;) {
        const double begin = budget.elapsed();
        VarParams part = params;
        part.rows.clear();
        for (const std::uint32_t i : samplingOrder(all.size(), {}, all.size(), random.next())) {
            if (part.rows.size() == size) break;
            part.rows.push_back(all[i]);
        }
        std::sort(part.rows.begin(), part.rows.end());
        auto model = fitVar(table, part, task);
        if (!model) return Unexpected(model.error());
        result.model = std::move(*model);
        result.sampled = size;
        const double now = budget.elapsed();
        const double remaining = budget.seconds() - now;
        if (size == all.size() || !(remaining > 0.0)) return result;
        size =
            std::min(std::max(nextSampleSize(size, remaining, now - begin, all.size()), least), all.size());
    }
}

}  // namespace skein
