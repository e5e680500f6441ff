// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/scaling/model_rows.h"
#include "algorithms/scaling/study_of_runs.h"
#include "core/select/view_state.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace skein {

/// What is modelled.
struct ScalingRequest {
    std::string metric = "time";  ///< as StudyOfRuns and texts know it
    ScalingAmount amount = ScalingAmount::Exclusive;
    std::string parameters;  ///< "p=27,64,125": one value a run; empty: what folders' names tell

    bool operator==(const ScalingRequest&) const = default;
};

/// Measurements of one metric at every point. Immutable; may cross threads.
struct ScalingSource {
    SessionPtr session;  ///< whose runs they are; null: they stand in a text
    ScalingStudy study;
    RunParameters fixed;  ///< what has one value in all runs
};
using ScalingSourcePtr = std::shared_ptr<const ScalingSource>;

/// "time", "visits" and every other metric of the session's profiles, in the words of StudyOfRuns, each with
/// what it is called.
std::vector<std::pair<std::string, std::string>> scalingMetrics(const Session& session);
/// The metrics of a text, in their order.
std::vector<std::string> scalingMetrics(const ScalingStudy& text);

/// The runs of a session as a study. Errors: those of pointsOfRuns() and StudyOfRuns::add(); Cancelled.
Result<ScalingSourcePtr> sourceOfSession(SessionPtr session, const ScalingRequest& request, const Task& task);
/// One metric of a text. Errors: InvalidArgument where there is none of this name.
Result<ScalingSourcePtr> sourceOfText(const ScalingStudy& text, const std::string& metric);

/// Models of all call paths. Immutable; may cross threads.
struct ScalingData {
    ScalingSourcePtr source;
    std::vector<double> target;  ///< what is predicted for
    std::vector<std::optional<ScalingModel>> models;
    std::vector<ModelRow> rows;  ///< what dominates at the target first
    std::size_t left = 0;        ///< series that were measured at too few points

    const ScalingStudy& study() const { return source->study; }
    const std::vector<std::string>& parameters() const { return source->study.parameters; }
    /// The row of a call path.
    std::optional<std::size_t> rowOf(const std::string& path) const;
};
using ScalingDataPtr = std::shared_ptr<const ScalingData>;

/// `at` as targetPoint() reads it. Errors: those of targetPoint() and modelScaling().
Result<ScalingDataPtr> modelSource(ScalingSourcePtr source, const std::string& at, const Task& task);

/// A model along one parameter, the others being fixed.
struct ScalingCurve {
    std::vector<double> fixed;  ///< a point; its value of that parameter does not count
    bool atTarget = false;      ///< the others are those of the target
    std::vector<double> x;
    std::vector<ScalingPrediction> told;              ///< one a value of x
    std::vector<std::pair<double, double>> measured;  ///< x and value, one a repetition
};

/// The curves through the measured points of a row, the most points first, with that of the target at the
/// end; at most `most` of them. `steps` values of x in equal ratios from the least measured to the greatest
/// that was measured or is asked for. O(series of one model + curves · steps).
std::vector<ScalingCurve> scalingCurves(const ScalingData& data, std::size_t row, std::size_t parameter,
                                        std::size_t steps = 96, std::size_t most = 6);

/// "12.5 ms", "1.4 M": a value of a row in its unit.
std::string scalingAmount(const ModelRow& row, double value);
/// The last name of a path, and the path above it.
std::pair<std::string, std::string> leafOfPath(const std::string& path);

/// Every call path, or region of a flat profile, that the path of a series names. O(call paths of all runs).
Selection selectionOfPath(const Session& session, const std::string& path);
/// The path of a selected call path, or else region; empty where nothing is selected.
std::string pathOfSelection(const Session& session, const Selection& selected);

}  // namespace skein
