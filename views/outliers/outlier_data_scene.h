// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/scope.h"

#include "algorithms/timeline/duration_density.h"
#include "algorithms/timeline/outlier_points.h"
#include "views/common/scene/data/timeline_data.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace skein {

/// What does not change while a session is open.
struct OutlierSource {
    TimelineDataPtr data;
    std::vector<CallTotals> totals;  ///< one an experiment; empty ones where there is no trace
    std::vector<LocationRef>
        locations;     ///< that recorded calls, by experiment, rank and thread: the order of their colours
    bool any = false;  ///< the session has outliers at all
};

using OutlierSourcePtr = std::shared_ptr<const OutlierSource>;

/// O(locations · regions). Errors: Cancelled.
Result<OutlierSourcePtr> makeOutlierSource(TimelineDataPtr data, const Task& task);

/// The same with its clocks shifted as the state says. Cheap.
OutlierSourcePtr withClockOf(const OutlierSourcePtr& source, const ViewState& state);

struct OutlierRequest {
    TimeSpan span;  ///< session time
    std::vector<Filter> filters;
    std::vector<RegionRef> regions;  ///< only these and their namesakes; empty: all of them

    bool operator==(const OutlierRequest&) const = default;
};

/// One call that is much longer than its region's usual.
struct OutlierPoint {
    IntervalRef call;
    RegionRef region;
    std::uint32_t place = 0;  ///< of its location in OutlierSource::locations
    TimeNs begin = 0;         ///< session time
    TimeNs durationNs = 0;
    double usualNs = 0;  ///< mean of all other calls of the region

    double excessNs() const { return static_cast<double>(durationNs) - usualNs; }
};

/// The outliers of one location.
struct OutlierRank {
    LocationRef location;
    std::uint32_t place = 0;
    std::uint64_t calls = 0;
    double excessNs = 0;
    OutlierPoint worst;
};

struct OutlierData {
    OutlierSourcePtr source;
    OutlierRequest request;
    std::vector<OutlierPoint>
        points;  ///< least excess first, so that the worst are drawn last; at most kMostPoints
    std::vector<OutlierRank> ranks;  ///< of all outliers, least excess first
    std::uint64_t total = 0;
    double excessNs = 0;
    DurationDensity density;  ///< of all calls whose region has a usual, over the request's span

    static constexpr std::size_t kMostPoints = 20'000;
};

using OutlierDataPtr = std::shared_ptr<const OutlierData>;

/// Outliers and the density of calls behind them. O(outliers in the span + 2^20 calls at most). Errors:
/// Cancelled.
Result<OutlierDataPtr> makeOutlierData(const OutlierSourcePtr& source, const OutlierRequest& request,
                                       const Task& task);

/// What of the state outliers depend on: the visible span as far as filters keep it; `regions`: those of the
/// selection.
OutlierRequest outlierRequest(const TimelineData& data, const ViewState& state, const Scope& scope,
                              bool selectedRegionsOnly);

/// Region, location, entry, duration and times the usual of a call.
std::vector<std::string> outlierTooltip(const OutlierSource& source, const OutlierPoint& point);
std::vector<std::string> outlierTooltip(const OutlierSource& source, const OutlierRank& rank);

/// "Rank 3", with the experiment's title where several are open.
std::string outlierLocationName(const OutlierSource& source, LocationRef location);

}  // namespace skein
