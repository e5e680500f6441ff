// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/run_parameters.h"
#include "algorithms/scaling/scaling_model.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// What the command `model` and the scaling view tell alike of models.
namespace skein {

/// A series with its model, in the order in which they are shown.
struct ModelRow {
    const ScalingSeries* series = nullptr;
    const ScalingModel* model = nullptr;
    double percent = 0.0;  ///< of what all call paths of its metric are told to take
};

/// By metric as they come, then what is largest at the first point that was asked for first. `models` are
/// those of the study's series; those without a model are left out. Points into both. O(series log series).
std::vector<ModelRow> modelRows(const ScalingStudy& study,
                                const std::vector<std::optional<ScalingModel>>& models);

/// The point that a text such as "p=4096,size=30" names; what it leaves out is at its largest value, and an
/// empty text names nextScale(). `fixed` has the same value in all runs, and only that may be named. Errors:
/// InvalidArgument.
Result<std::vector<double>> targetPoint(const ScalingStudy& study, const RunParameters& fixed,
                                        std::string_view text);

/// Parameters of runs: those that `texts` assign ("p=27,64,125": one value a run, in their order), or where
/// there are no texts those of the runs' folders. Errors: InvalidArgument.
Result<std::vector<RunParameters>> parametersOfRuns(const std::vector<std::string>& runs,
                                                    const std::vector<std::string>& texts);

/// "× 1.8 between p = 16 and 32"; empty where there is no jump.
std::string jumpText(const ScalingModel& model, const std::vector<std::string>& parameters);
/// "p = 4096, size = 30"
std::string pointText(const std::vector<double>& point, const std::vector<std::string>& parameters);

/// Only the series of these metrics stay; all where none are named. Errors: InvalidArgument where there is
/// none of a name.
Result<void> keepMetrics(ScalingStudy& study, const std::vector<std::string>& wanted);

/// How many values of a parameter were measured.
std::size_t levelsOf(const ScalingStudy& study, std::size_t parameter);
/// As many values as Extra-P asks for of a parameter: with fewer models are less sound.
inline constexpr std::size_t kSoundLevels = 5;

}  // namespace skein
