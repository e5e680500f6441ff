// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/var_causality.h"

#include <limits>
#include <vector>

/// Which metric leads which: the whole way from series to pairs of causes and effects (Kesavan et al. 2020,
/// sections 4.2.4 and 5.4).
namespace skein {

/// The variables of a model: of one table its columns, of several, which have the same times, the
/// representative series of each, called by its metric. Errors: InvalidArgument (no table, or other times),
/// Cancelled.
Result<SeriesTable> causalVariables(std::vector<SeriesTable> tables, const Task& task);

struct LagChoice {
    std::size_t lags = 0;      ///< 0: as many as serve best, at least one
    std::size_t mostLags = 0;  ///< that are tried; 0: as usual for so many time points
    VarCriterion criterion = VarCriterion::Bic;
};

/// A model with the lags that are chosen. Errors: those of fitVar().
Result<VarModel> fitWithLags(const SeriesTable& table, const LagChoice& choice, const Task& task);

/// That one variable leads another one. NaN where it cannot be told.
struct CausalLink {
    std::size_t from = 0;
    std::size_t to = 0;
    double pValue = std::numeric_limits<double>::quiet_NaN();    ///< of the Granger test
    std::size_t step = 0;                                        ///< at which the answer is largest
    double response = std::numeric_limits<double>::quiet_NaN();  ///< the answer there, to an orthogonal shock
    double share = std::numeric_limits<double>::quiet_NaN();     ///< of the variance at the last step
};

/// All pairs of two variables by rising p; what cannot be told comes last.
std::vector<CausalLink> causalLinks(const VarModel& model, const VarResponse& response);

/// How many of so many tests fall below a threshold by chance.
double chanceFindings(const VarModel& model, double threshold);

}  // namespace skein
