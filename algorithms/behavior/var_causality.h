// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/latency_budget.h"
#include "algorithms/behavior/var_model.h"

#include <span>
#include <vector>

/// What follows from a vector autoregression: who leads whom, by how much and for how long.
namespace skein {

/// Whether the past of some variables helps to foretell another one (Granger 1969), as a Wald test that all
/// of their coefficients are 0. All NaN where it cannot be told.
struct GrangerTest {
    double f = 0.0;
    double above = 0.0;    ///< degrees of freedom: lags · causes
    double below = 0.0;    ///< variables · (rows − regressors), of the whole system
    double pValue = 1.0;   ///< of F(above, below)
    double pSingle = 1.0;  ///< of F(above, rows − regressors), as for one equation alone
    double chiSquare = 0.0;
    double pChiSquare = 1.0;
};

/// Causes are named once and none is `to`. O((lags · causes)³).
GrangerTest testGranger(const VarModel& model, std::size_t to, std::span<const std::size_t> causes);

/// p-values of every pair, [to × variables + from]; NaN on the diagonal and where it cannot be told.
std::vector<double> grangerPairs(const VarModel& model);

/// How each variable answers to a shock in another one. Values that concern variables that are not in the
/// model are NaN; so is all of what needs a factor of the errors' covariance where that is singular.
struct VarResponse {
    std::size_t steps = 0;           ///< h = 0 … steps
    std::vector<double> plain;       ///< [h × d² + to × d + from]: to a shock of 1 in one variable alone
    std::vector<double> orthogonal;  ///< the same: to one of a standard deviation, and what comes with it in
                                     ///< the variables behind
    std::vector<double> shares;      ///< [to × steps × d + h × d + from]: of the error of a forecast h + 1
                                     ///< steps ahead; they add up to 1
};

/// Impulse responses Φ and Θ, and the decomposition of the forecast errors' variance. The order of the
/// variables matters for the orthogonal ones. O(steps · lags · variables³).
VarResponse varResponse(const VarModel& model, std::size_t steps);

/// The next number of rows to learn from: s · √(remaining / cost), rounded down, in [1, most] (Kesavan et al.
/// 2020, section 4.2.4).
std::size_t nextSampleSize(std::size_t size, double remaining, double cost, std::size_t most);
/// Where to begin when new rows have come: the last size, smaller where its cost was over the limit.
std::size_t firstSampleSize(std::size_t last, double cost, double limit);
/// The fewest rows that a model can be fitted to: regressors + variables + 1.
std::size_t leastSampleSize(std::size_t variables, std::size_t lags);

struct ProgressiveVar {
    VarModel model;
    std::size_t sampled = 0;    ///< regression rows of the last fit
    std::size_t available = 0;  ///< rows that there are
};

/// Fits to more and more rows drawn at random, each with its true lags, until the budget is used or all rows
/// are in; one fit at least, from `first` rows on. The same seed and clock give the same bits. Errors: those
/// of fitVar().
Result<ProgressiveVar> fitVarProgressively(const SeriesTable& table, const VarParams& params,
                                           std::size_t first, std::uint64_t seed, const LatencyBudget& budget,
                                           const Task& task);

}  // namespace skein
