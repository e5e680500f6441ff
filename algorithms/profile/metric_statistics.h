// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/moments.h"
#include "core/session/experiment.h"

#include <cstddef>
#include <vector>

namespace skein {

enum class MetricSource { Samples, CallPathSums, UserEvents, Unused };

/// What an experiment knows of one metric from one kind of source.
struct MetricRow {
    MetricId metric;
    MetricSource source = MetricSource::Unused;
    std::size_t locations = 0;  ///< that recorded it
    Moments values;             ///< of samples or user events; nothing for the columns of a profile
};

/// Every metric in the order of the definitions, a row for each source that has it: samples of a trace, user
/// events of a profile (those over the whole run), columns of a profile; or one row as unused. O(samples).
std::vector<MetricRow> metricStatistics(const Experiment& experiment);

}  // namespace skein
