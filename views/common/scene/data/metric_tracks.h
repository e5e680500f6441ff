// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/metric_steps.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace skein {

/// The metric that calls are coloured by: the wanted one where a trace has samples of it, else, of the first
/// trace with samples, the one of most (not of call paths where there are others). Empty where there are
/// none. O(streams).
std::string coloringMetric(const Session& session, MetricRef wanted);

/// 0…1 within a range. Logarithms are of 1 + the distance from the low end in thousandths of the whole, so
/// that zero has a place. 1 where the range has no length.
double partOfRange(double value, double low, double high, ColorScaling scaling);

/// A metric over time on all locations of a session.
struct MetricTrack {
    std::string metric;
    std::string unit;
    StepRange whole;  ///< over all experiments
    std::vector<std::vector<StepSeries>>
        steps;  ///< [experiment][location]; without steps where nothing was recorded

    /// Null where the location has not recorded it.
    const StepSeries* of(LocationRef location) const;
};
using MetricTrackPtr = std::shared_ptr<const MetricTrack>;

/// Errors: NotFound where no experiment has samples of it; Cancelled. O(samples).
Result<MetricTrackPtr> makeMetricTrack(const Session& session, const std::string& metric, const Task& task);

/// Tracks that were asked for. Thread-safe.
class MetricTracks {
public:
    /// Of coloringMetric(), unless nobody chose it and it never changes: of the next one that does.
    /// O(streams) but for the first time: see makeMetricTrack(), which has the errors, too. Who waits for
    /// another one's first time hears a stop as well; what was stopped is made again the next time.
    Result<MetricTrackPtr> of(const Session& session, MetricRef wanted, const Task& task);

private:
    std::timed_mutex mutex_;
    std::map<std::string, MetricTrackPtr> known_;
};

}  // namespace skein
