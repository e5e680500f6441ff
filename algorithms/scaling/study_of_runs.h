// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/series/scaling_study.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace skein {

/// A name as a part of the path of a series: '/' separates, one in a name has a backslash before it, as has a
/// backslash. partsOfPath() takes it apart.
std::string partOfPath(std::string name);
/// The names in a path; a backslash before another letter stands for itself.
std::vector<std::string> partsOfPath(const std::string& path);

enum class ScalingAmount { Exclusive, Inclusive };

/// Makes a study out of runs, one after another, so that only one has to be open at a time. The value of a
/// call path is its mean over all locations that recorded something; times are in seconds.
class StudyOfRuns {
public:
    /// `metrics` are names as metricColumn() knows them; "visits" and "calls" are the number of calls of any
    /// profile.
    StudyOfRuns(std::vector<std::string> parameters, std::vector<std::string> metrics, ScalingAmount amount);

    /// Adds a run with its values of the parameters; runs with the same ones are repetitions. Errors: those
    /// of profileOf() and metricColumn().
    Result<void> add(const Experiment& experiment, const std::vector<double>& point, const Task& task);

    ScalingStudy take() && { return std::move(study_); }

private:
    std::size_t pointOf(const std::vector<double>& point);
    Result<void> addDerived(const Experiment& experiment, std::size_t point, const std::string& expression,
                            const Task& task);
    Result<void> addMetric(const Experiment& experiment, std::size_t point, const std::string& metric,
                           const Task& task);
    void addValue(const std::string& path, const std::string& metric, const std::string& unit,
                  std::size_t point, double value);

    std::vector<std::string> metrics_;
    ScalingAmount amount_;
    ScalingStudy study_;
    std::map<std::pair<std::string, std::string>, std::size_t> numbers_;
};

}  // namespace skein
