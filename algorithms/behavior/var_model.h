// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/series_table.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

/// Vector autoregression (Lütkepohl, New Introduction to Multiple Time Series Analysis, 2005, chapters 2 and
/// 3): how the last values of all variables lead to the next one of each, y_t = c + Σ A_k y_{t−k} + e_t.
namespace skein {

enum class VarTrend : std::uint8_t { Constant, None };

struct VarParams {
    std::size_t lags = 1;  ///< ≥ 1
    VarTrend trend = VarTrend::Constant;
    /// Rows t of the table to learn from, each with the `lags` rows before it; sorted. Empty: all that have
    /// them.
    std::vector<std::size_t> rows;
};

/// What makes a variable useless for a model.
enum class VarIdentity : std::uint8_t {
    Told,       ///< nothing does
    Entangled,  ///< it is in the model, but others that are not are made of it
    Dropped,    ///< constant, or made of others: it is not in the model
};

/// A fitted model. Values that concern a variable that is not in it are NaN.
struct VarModel {
    std::size_t variables = 0;
    std::size_t lags = 0;
    VarTrend trend = VarTrend::Constant;
    std::size_t rows = 0;               ///< that were learnt from
    std::size_t regressors = 0;         ///< of each equation
    std::vector<VarIdentity> identity;  ///< a variable
    std::vector<double> intercept;      ///< c; 0 without a constant
    std::vector<double> coefficients;   ///< [(lag − 1) × d² + to × d + from]
    std::vector<double> covariance;     ///< of the errors, [to × d + from], divisor rows − regressors
    std::vector<double> covarianceMle;  ///< the same, divisor rows
    std::vector<double> gramInverse;    ///< of the lagged values, [(lag, from) × (lag, from)]
    double logDeterminant = 0.0;        ///< of covarianceMle over the variables in the model

    double coefficient(std::size_t lag, std::size_t to, std::size_t from) const
    {
        return coefficients[(lag * variables + to) * variables + from];
    }
    /// Variables in the model.
    std::size_t kept() const;
    double aic() const;
    double bic() const;
    double hqic() const;
};

/// Fits by least squares; columns are scaled, so that units do not matter. Rows with a gap, or in whose lags
/// there is one, are left out. Constant variables and those that are combinations of others (as they come
/// first) are left out and told. Errors: InvalidArgument (no lags, fewer rows than regressors + 1, or no
/// variable that could be told), Cancelled. O(rows · (variables · lags)²).
Result<VarModel> fitVar(const SeriesTable& table, const VarParams& params, const Task& task);

/// The rows that a model with so many lags may learn from: those without a gap in themselves and their lags.
/// Series without any value are in no model, and their gaps do not count.
std::vector<std::size_t> varRows(const SeriesTable& table, std::size_t lags);

enum class VarCriterion : std::uint8_t { Aic, Bic, Hqic };

/// How well each number of lags does, from 0, all on the same rows.
struct VarOrders {
    std::vector<double> aic, bic, hqic;
    std::size_t best(VarCriterion criterion) const;
};

/// The criteria for 0 … `most` lags, as far as lagged values are not combinations of each other; one
/// decomposition serves all of them. Errors: those of fitVar().
Result<VarOrders> compareVarOrders(const SeriesTable& table, std::size_t most, VarTrend trend,
                                   const Task& task);

/// As many lags as are worth a look: 12 · (rows / 100)^¼, where there are rows enough without a gap for them.
std::size_t usualMostLags(const SeriesTable& table);

}  // namespace skein
