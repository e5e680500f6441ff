// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/var_model.h"

#include "algorithms/behavior/var_moments.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skein {
namespace {

using var::Matrix;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
/// A smaller part of a combination is rounding.
constexpr double kPartOfCombination = 1e-4;

Eigen::Index varIndex(std::size_t number) { return static_cast<Eigen::Index>(number); }

std::vector<std::size_t> keptVariables(const std::vector<VarIdentity>& identity)
{
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < identity.size(); ++i)
        if (identity[i] != VarIdentity::Dropped) kept.push_back(i);
    return kept;
}

/// Which variables have lagged values that are combinations of others, and of which.
std::vector<VarIdentity> findIdentities(const var::Moments& moments, const var::Scales& scales,
                                        std::span<const std::size_t> chosen)
{
    std::vector<VarIdentity> identity(scales.constant.size(), VarIdentity::Dropped);
    for (const std::size_t variable : chosen) identity[variable] = VarIdentity::Told;
    const auto variableOf = [&](std::size_t column) {
        return chosen[(column - moments.head) % moments.variables];
    };
    var::GrowingFactor factor(moments.products);
    for (std::size_t column = 0; column < moments.regressors(); ++column) {
        if (factor.take(column)) continue;
        const Eigen::VectorXd parts = factor.combination();
        for (std::size_t i = 0; i < factor.taken().size(); ++i) {
            const std::size_t part = factor.taken()[i];
            if (part < moments.head || std::abs(parts(varIndex(i))) < kPartOfCombination) continue;
            auto& other = identity[variableOf(part)];
            if (other == VarIdentity::Told) other = VarIdentity::Entangled;
        }
        if (column >= moments.head) identity[variableOf(column)] = VarIdentity::Dropped;
    }
    return identity;
}

/// The moments of those variables alone that are told apart, and which these are.
struct SoundMoments {
    var::Scales scales;
    var::Moments moments;
    std::vector<VarIdentity> identity;
    std::vector<std::size_t> kept;
};

Unexpected tooFewRows(std::size_t rows, std::size_t regressors, std::size_t lags)
{
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("There are too few time points for {} {}: {} can be learnt from, and more than {} "
                    "are needed.",
                    lags, lags == 1 ? "lag" : "lags", rows, regressors));
}

/// Whether rows are too few for so many lags of those variables that are told apart at one lag: then all of
/// them look like combinations of each other. 0: there are enough, else the regressors.
Result<std::size_t> regressorsBeyond(const SeriesTable& table, std::span<const std::size_t> rows,
                                     std::span<const std::size_t> varying, std::size_t lags,
                                     const var::Scales& scales, VarTrend trend, const Task& task)
{
    const std::size_t head = trend == VarTrend::Constant ? 1 : 0;
    if (lags < 2 || varying.empty() || rows.size() > head + lags * varying.size()) return 0;
    auto one = var::momentsOf(table, varying, rows, 1, scales, trend, task);
    if (!one) return Unexpected(one.error());
    const std::size_t apart = keptVariables(findIdentities(*one, scales, varying)).size();
    const std::size_t regressors = head + lags * apart;
    return rows.size() <= regressors ? regressors : 0;
}

/// `deep`: lags up to which combinations are looked for.
Result<SoundMoments> soundMoments(const SeriesTable& table, std::span<const std::size_t> rows,
                                  std::size_t lags, std::size_t deep, VarTrend trend, const Task& task)
{
    SoundMoments sound;
    sound.scales = var::scalesOf(table, rows, trend);
    std::vector<std::size_t> varying;
    for (std::size_t i = 0; i < table.columns.size(); ++i)
        if (!sound.scales.constant[i]) varying.push_back(i);
    const auto beyond = regressorsBeyond(table, rows, varying, deep, sound.scales, trend, task);
    if (!beyond) return Unexpected(beyond.error());
    if (*beyond > 0) return tooFewRows(rows.size(), *beyond, lags);
    auto moments = var::momentsOf(table, varying, rows, deep, sound.scales, trend, task);
    if (!moments) return Unexpected(moments.error());
    sound.identity = findIdentities(*moments, sound.scales, varying);
    sound.kept = keptVariables(sound.identity);
    if (sound.kept.empty())
        return fail(ErrorCode::InvalidArgument,
                    "No series can be told from a constant or from the others: there is nothing to model.");
    if (sound.kept.size() < varying.size() || deep != lags) {
        moments = var::momentsOf(table, sound.kept, rows, lags, sound.scales, trend, task);
        if (!moments) return Unexpected(moments.error());
    }
    sound.moments = std::move(*moments);
    return sound;
}

/// ln |matrix| of a symmetric matrix by a factor of its own; −∞ where it is singular.
double logDeterminantOf(const Matrix& matrix)
{
    var::GrowingFactor factor(matrix);
    double sum = 0.0;
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
        if (!factor.take(static_cast<std::size_t>(i))) return -std::numeric_limits<double>::infinity();
        sum += 2.0 * std::log(factor.lower()(i, i));
    }
    return sum;
}

double logScales(const SoundMoments& sound)
{
    double sum = 0.0;
    for (const std::size_t variable : sound.kept) sum += 2.0 * std::log(sound.scales.scale[variable]);
    return sum;
}

/// The errors' products, row by row of the table: differences of sums would cancel where the fit is close.
Matrix errorProducts(const SeriesTable& table, std::span<const std::size_t> rows, const SoundMoments& sound,
                     const Matrix& solution)
{
    const std::size_t width = sound.kept.size(), head = sound.moments.head;
    Matrix products = Matrix::Zero(varIndex(width), varIndex(width));
    constexpr std::size_t kChunk = 256;
    Eigen::MatrixXd regressors(varIndex(kChunk), solution.rows()), errors(varIndex(kChunk), varIndex(width));
    for (std::size_t first = 0; first < rows.size(); first += kChunk) {
        const std::size_t count = std::min(kChunk, rows.size() - first);
        if (head > 0) regressors.col(0).setOnes();
        for (std::size_t i = 0; i < width; ++i) {
            const std::size_t variable = sound.kept[i];
            const double center = sound.scales.center[variable], scale = sound.scales.scale[variable];
            for (std::size_t row = 0; row < count; ++row) {
                const std::size_t t = rows[first + row];
                errors(varIndex(row), varIndex(i)) = (table.at(t, variable) - center) / scale;
                for (std::size_t lag = 0; lag < sound.moments.lags; ++lag)
                    regressors(varIndex(row), varIndex(head + lag * width + i)) =
                        (table.at(t - lag - 1, variable) - center) / scale;
            }
        }
        auto part = errors.topRows(varIndex(count));
        part.noalias() -= regressors.topRows(varIndex(count)) * solution;
        products.selfadjointView<Eigen::Lower>().rankUpdate(part.transpose());
    }
    products.triangularView<Eigen::StrictlyUpper>() = products.transpose();
    return products;
}

/// Puts values of scaled variables into their places and units.
void placeCoefficients(const SoundMoments& sound, const Matrix& solution, VarModel& model)
{
    const std::size_t d = model.variables, width = sound.kept.size();
    model.coefficients.assign(model.lags * d * d, kUnknown);
    model.intercept.assign(d, kUnknown);
    for (std::size_t i = 0; i < width; ++i) {
        const std::size_t to = sound.kept[i];
        const double unit = sound.scales.scale[to];
        double level =
            sound.moments.head > 0 ? solution(0, varIndex(i)) * unit + sound.scales.center[to] : 0.0;
        for (std::size_t lag = 0; lag < model.lags; ++lag) {
            for (std::size_t j = 0; j < width; ++j) {
                const std::size_t from = sound.kept[j];
                const double value = solution(varIndex(sound.moments.head + lag * width + j), varIndex(i))
                    * unit / sound.scales.scale[from];
                model.coefficients[(lag * d + to) * d + from] = value;
                level -= value * sound.scales.center[from];
            }
        }
        model.intercept[to] = level;
    }
}

void placeCovariance(const SoundMoments& sound, const Matrix& products, VarModel& model)
{
    const std::size_t d = model.variables;
    const double freedom = static_cast<double>(model.rows - model.regressors);
    model.covariance.assign(d * d, kUnknown);
    model.covarianceMle.assign(d * d, kUnknown);
    for (std::size_t i = 0; i < sound.kept.size(); ++i) {
        for (std::size_t j = 0; j < sound.kept.size(); ++j) {
            const std::size_t place = sound.kept[i] * d + sound.kept[j];
            const double value = products(varIndex(i), varIndex(j)) * sound.scales.scale[sound.kept[i]]
                * sound.scales.scale[sound.kept[j]];
            model.covariance[place] = value / freedom;
            model.covarianceMle[place] = value / static_cast<double>(model.rows);
        }
    }
    model.logDeterminant = logDeterminantOf(products / static_cast<double>(model.rows)) + logScales(sound);
}

void placeGramInverse(const SoundMoments& sound, const Matrix& inverse, VarModel& model)
{
    const std::size_t d = model.variables, size = d * model.lags, width = sound.kept.size();
    model.gramInverse.assign(size * size, kUnknown);
    const auto placeOf = [&](std::size_t column) { return column / width * d + sound.kept[column % width]; };
    for (std::size_t a = 0; a < width * model.lags; ++a)
        for (std::size_t b = 0; b < width * model.lags; ++b)
            model.gramInverse[placeOf(a) * size + placeOf(b)] =
                inverse(varIndex(sound.moments.head + a), varIndex(sound.moments.head + b))
                / (sound.scales.scale[sound.kept[a % width]] * sound.scales.scale[sound.kept[b % width]]);
}

std::vector<std::size_t> columnsWithValues(const SeriesTable& table)
{
    std::vector<std::size_t> known;
    for (std::size_t column = 0; column < table.columns.size(); ++column) {
        std::size_t row = 0;
        while (row < table.rows() && !std::isfinite(table.at(row, column))) ++row;
        if (row < table.rows()) known.push_back(column);
    }
    return known;
}

Result<void> checkVarParams(const SeriesTable& table, const VarParams& params)
{
    if (params.lags == 0) return fail(ErrorCode::InvalidArgument, "A model needs one lag at least.");
    if (params.lags >= table.rows()) return tooFewRows(0, params.lags * table.columns.size(), params.lags);
    for (const std::size_t row : params.rows)
        if (row < params.lags || row >= table.rows())
            return fail(ErrorCode::InvalidArgument, "A row to learn from has no lags.");
    return {};
}

double penalised(const VarModel& model, double penalty)
{
    return model.logDeterminant
        + penalty * static_cast<double>(model.kept() * model.regressors) / static_cast<double>(model.rows);
}

}  // namespace

std::size_t VarModel::kept() const { return keptVariables(identity).size(); }
double VarModel::aic() const { return penalised(*this, 2.0); }
double VarModel::bic() const { return penalised(*this, std::log(static_cast<double>(rows))); }
double VarModel::hqic() const
{
    return penalised(*this, 2.0 * std::log(std::log(static_cast<double>(rows))));
}

std::vector<std::size_t> varRows(const SeriesTable& table, std::size_t lags)
{
    const std::vector<std::size_t> known = columnsWithValues(table);
    std::vector<std::size_t> rows;
    std::size_t whole = 0;
    for (std::size_t row = 0; row < table.rows(); ++row) {
        const bool gap = std::any_of(known.begin(), known.end(),
                                     [&](std::size_t i) { return !std::isfinite(table.at(row, i)); });
        whole = gap ? 0 : whole + 1;
        if (whole > lags) rows.push_back(row);
    }
    return rows;
}

Result<VarModel> fitVar(const SeriesTable& table, const VarParams& params, const Task& task)
{
    if (const auto good = checkVarParams(table, params); !good) return Unexpected(good.error());
    const std::vector<std::size_t> rows = params.rows.empty() ? varRows(table, params.lags) : params.rows;
    const std::size_t head = params.trend == VarTrend::Constant ? 1 : 0;
    if (rows.size() <= head + params.lags)
        return tooFewRows(rows.size(), head + params.lags * table.columns.size(), params.lags);
    auto sound = soundMoments(table, rows, params.lags, params.lags, params.trend, task);
    if (!sound) return Unexpected(sound.error());
    const std::size_t regressors = sound->moments.regressors();
    if (rows.size() <= regressors) return tooFewRows(rows.size(), regressors, params.lags);
    var::GrowingFactor factor(sound->moments.products);
    for (std::size_t column = 0; column < regressors; ++column)
        if (!factor.take(column)) return tooFewRows(rows.size(), regressors, params.lags);
    if (task.stopRequested()) return cancelled();
    const auto q = varIndex(regressors);
    const Matrix lower = factor.lower();
    const Matrix half = lower.triangularView<Eigen::Lower>().solve(Matrix::Identity(q, q));
    const Matrix inverse = half.transpose() * half;
    const auto width = varIndex(sound->kept.size());
    Matrix solution =
        lower.triangularView<Eigen::Lower>().solve(sound->moments.products.block(0, q, q, width));
    solution = lower.transpose().triangularView<Eigen::Upper>().solve(solution).eval();
    VarModel model;
    model.variables = table.columns.size();
    model.lags = params.lags;
    model.trend = params.trend;
    model.rows = rows.size();
    model.regressors = regressors;
    model.identity = sound->identity;
    placeCoefficients(*sound, solution, model);
    placeCovariance(*sound, errorProducts(table, rows, *sound, solution), model);
    placeGramInverse(*sound, inverse, model);
    return model;
}

std::size_t VarOrders::best(VarCriterion criterion) const
{
    const auto& values = criterion == VarCriterion::Aic ? aic : criterion == VarCriterion::Bic ? bic : hqic;
    return static_cast<std::size_t>(std::min_element(values.begin(), values.end()) - values.begin());
}

std::size_t usualMostLags(const SeriesTable& table)
{
    constexpr std::size_t kMostRegressors = 1000;
    const double rows = static_cast<double>(table.rows());
    const auto usual = static_cast<std::size_t>(std::llround(12.0 * std::pow(rows / 100.0, 0.25)));
    const std::size_t width = std::max<std::size_t>(1, columnsWithValues(table).size());
    // Of each equation no more than a third of the rows is used up.
    const std::size_t affordable = std::min(kMostRegressors, table.rows() / 3) / width;
    std::size_t most = std::max<std::size_t>(1, std::min(usual, affordable));
    // Where there are gaps fewer rows have all that come before them.
    while (most > 1 && varRows(table, most).size() + most < 3 * most * width) --most;
    return most;
}

Result<VarOrders> compareVarOrders(const SeriesTable& table, std::size_t most, VarTrend trend,
                                   const Task& task)
{
    const std::vector<std::size_t> rows = varRows(table, most);
    const std::size_t head = trend == VarTrend::Constant ? 1 : 0;
    const std::size_t regressors = head + most * columnsWithValues(table).size();
    if (rows.size() <= regressors) return tooFewRows(rows.size(), regressors, most);
    auto sound = soundMoments(table, rows, most, std::min<std::size_t>(1, most), trend, task);
    if (!sound) return Unexpected(sound.error());
    const var::Moments& moments = sound->moments;
    const auto width = varIndex(moments.variables), q = varIndex(moments.regressors());
    const double count = static_cast<double>(rows.size());
    Matrix left = moments.products.bottomRightCorner(width, width);
    var::GrowingFactor factor(moments.products);
    Matrix halves(q, width);
    VarOrders orders;
    Eigen::Index column = 0;
    for (std::size_t lags = 0; lags <= most; ++lags) {
        const Eigen::Index first = column, last = varIndex(moments.regressors(lags));
        for (; column < last; ++column) {
            if (!factor.take(static_cast<std::size_t>(column))) return orders;
            const auto row = factor.lower().row(column);
            halves.row(column) =
                (moments.products.row(column).segment(q, width) - row.head(column) * halves.topRows(column))
                / row(column);
        }
        const auto added = halves.middleRows(first, last - first);
        left.noalias() -= added.transpose() * added;
        const double base = logDeterminantOf(left / count) + logScales(*sound);
        const double used = static_cast<double>(width * last) / count;
        orders.aic.push_back(base + 2.0 * used);
        orders.bic.push_back(base + std::log(count) * used);
        orders.hqic.push_back(base + 2.0 * std::log(std::log(count)) * used);
        if (task.stopRequested()) return cancelled();
    }
    return orders;
}

}  // namespace skein
