// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/causality.h"
#include "views/common/scene/data/session_behavior.h"

#include <memory>
#include <string>
#include <vector>

/// Which metric of a trace leads which: what the causality view shows.
namespace skein {

struct CausalityRequest {
    BehaviorRequest series;            ///< entities, bins, span and filters; its metric does not count
    std::vector<std::string> metrics;  ///< the variables, each by its representative series
    std::size_t lags = 0;              ///< 0: as many as serve best
    std::size_t horizon = 10;          ///< steps that answers are told for

    bool operator==(const CausalityRequest&) const = default;
};

/// A metric that is no variable of the model, and why.
struct UntoldMetric {
    std::string name;
    std::string reason;
};

/// What was found. Immutable; may cross threads.
struct SessionCausality {
    CausalityRequest request;
    SeriesTable variables;  ///< a column a metric
    VarModel model;
    VarResponse response;
    std::vector<CausalLink> links;  ///< by rising p
    std::vector<UntoldMetric> untold;
    double binNs = 0;  ///< mean length of a step

    const std::string& name(std::size_t variable) const { return variables.columns[variable]; }
    /// The answer of `to` to a shock of one standard deviation in `from`, a value a step.
    std::vector<double> answer(std::size_t from, std::size_t to) const;
};

using SessionCausalityPtr = std::shared_ptr<const SessionCausality>;

/// What skein-cli causality prints of these metrics. Metrics that the trace does not have, and those that are
/// constant or made of others, are told and left out. Errors: those of behaviorBins() and fitVar(),
/// NotRecorded (fewer than two metrics are left), Cancelled.
Result<SessionCausalityPtr> makeCausality(const Session& session, const CausalityRequest& request,
                                          const Task& task);

}  // namespace skein
