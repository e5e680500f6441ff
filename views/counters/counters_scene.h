// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/metric_steps.h"
#include "core/base/task.h"
#include "views/common/scene/axes/time_frame.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace skein {

enum class CounterStyle : std::uint8_t { Lines, Heat };
enum class CounterScale : std::uint8_t { Linear, Logarithmic };

/// One metric on one location.
struct CounterLane {
    LocationRef location;
    std::string label;
    StepSeries steps;  ///< experiment time
};

/// The lanes of one metric in one experiment, in the order of the ranks.
struct CounterSection {
    std::string metric;
    std::string component;  ///< the experiment's title where several are open
    std::string unit;
    bool rate = false;
    StepRange whole;  ///< over all experiments
    std::vector<CounterLane> lanes;
};

struct CounterData {
    std::vector<CounterSection> sections;
};

using CounterDataPtr = std::shared_ptr<const CounterData>;

/// Steps of the metrics of these names, where any experiment has them. Errors: Cancelled. O(samples).
Result<CounterDataPtr> makeCounterData(const Session& session, const std::vector<std::string>& metrics,
                                       const Task& task);

/// Names to choose from, over all experiments: see laneMetricNames().
std::vector<std::string> counterNames(const Session& session);

/// The first of the names whose values differ at all, of the first 16; the first one where none does.
/// O(samples).
std::string metricToBeginWith(const Session& session, const std::vector<std::string>& names,
                              const Task& task);

struct CounterOptions {
    CounterStyle style = CounterStyle::Lines;
    CounterScale scale = CounterScale::Linear;
    double scrollY = 0;

    bool operator==(const CounterOptions&) const = default;
};

/// A lane that has a place. Device pixels.
struct PlacedLane {
    std::uint32_t section = 0;
    std::uint32_t lane = 0;  ///< index into CounterSection::lanes; kHeader for the section's title
    double y = 0;
    double height = 0;

    static constexpr std::uint32_t kHeader = 0xFFFFFFFFu;
};

struct CounterLayout {
    Rect caption;
    TimeFrame frame;
    std::vector<PlacedLane> places;
    double maximumScroll = 0;

    const PlacedLane* placeAt(double y) const;
};

CounterLayout counterLayout(const TimelineData& data, const CounterData& counters, const ViewState& state,
                            const CounterOptions& options, const Canvas& canvas);

/// What a lane did in each pixel column: extremes and mean of exactly the time that the column stands for.
/// The columns together cover the span without gap, so nothing is lost however short it was. O(columns · log
/// steps).
std::vector<StepRange> sampleColumns(const CounterLane& lane, const TimelineData& data,
                                     const TimeScale& scale);

/// Every lane either as a line from step to step with the range of each column behind it, or as a row whose
/// upper part has the colour of each column's maximum and the lower part that of its mean.
DrawList countersScene(const TimelineData& data, const CounterData& counters, const ViewState& state,
                       const CounterOptions& options, const Canvas& canvas, const Task& task);

/// Brush, pointer and the selected locations.
DrawList countersOverlay(const TimelineData& data, const ViewState& state, const CounterData& counters,
                         const CounterLayout& layout, const Canvas& canvas);

Hover countersHit(const CounterData& counters, const CounterLayout& layout, Point point);

/// Metric, location, value at the time, and extremes and mean of the column where they differ.
std::vector<std::string> countersTooltip(const TimelineData& data, const CounterData& counters,
                                         const CounterLayout& layout, Point point);

}  // namespace skein
