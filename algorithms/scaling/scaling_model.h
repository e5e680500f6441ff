// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/scaling_function.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/scaling_study.h"

#include <optional>
#include <vector>

/// How what was measured with some values of a parameter goes on with others: models in the performance model
/// normal form (Calotoiu et al., SC 2013; several parameters: Calotoiu et al., CLUSTER 2016). See
/// docs/SCALING.md.
namespace skein {

/// What a model tells of a point, and between what it is with the probability asked for.
struct ScalingPrediction {
    double value = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// A function that the measurements do not exclude.
struct ScalingAlternative {
    ScalingFunction function;
    double weight = 0.0;  ///< how likely, 0…1
};

/// A place where values change at once: a cache that overflows, another protocol.
struct ScalingJump {
    std::size_t parameter = 0;
    double below = 0.0, above = 0.0;  ///< the last value before it and the first one behind it
    double factor = 1.0;              ///< the function behind it over the one before it, between the two
    ScalingFunction before;
};

struct ScalingModel {
    ScalingFunction function;  ///< behind the jump where there is one
    std::optional<ScalingJump> jump;
    double smape = 0.0;         ///< at the measured points, in percent: mean of 200 |f − y| / (|f| + |y|)
    double leftOutSmape = 0.0;  ///< the same where each point was told by the others alone
    std::vector<ScalingPrediction> predictions;    ///< one a point asked for
    std::vector<ScalingAlternative> alternatives;  ///< with the function itself; the likeliest first

    /// The function on the point's side of the jump.
    double at(std::span<const double> point) const;
};

struct ScalingParams {
    std::vector<std::vector<double>> at;  ///< points to be told, one value > 0 a parameter
    double probability = 0.95;            ///< of the interval
};

/// A model a series; nothing where fewer than three points were measured. Errors: InvalidArgument for points
/// that are not above 0, for no parameter or more than four, for points of another number of values, for a
/// study whose parameters do not vary; Cancelled. About 30 µs a series of one parameter; one thread a series.
Result<std::vector<std::optional<ScalingModel>>> modelScaling(const ScalingStudy& study,
                                                              const ScalingParams& params, const Task& task);

/// One series of a study, as above.
Result<std::optional<ScalingModel>> modelSeries(const ScalingStudy& study, std::size_t series,
                                                const ScalingParams& params);

/// What is asked for where nobody says: each parameter as many times its largest value as that is of the one
/// before it.
std::vector<double> nextScale(const ScalingStudy& study);

}  // namespace skein
