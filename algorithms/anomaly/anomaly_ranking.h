// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"
#include "core/base/time_span.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

/// Who has most anomalies, and who has them unevenly: ranks or functions by statistics of their anomalies in
/// windows of time, as the stream view of Chimbuko's visualization ranks them.
namespace skein {

enum class AnomalyStatistic : std::uint8_t {
    Count,     ///< anomalies of the whole run
    Severity,  ///< time that they lost
    Delta,     ///< anomalies in the last window less those in the one before
    Minimum,   ///< of the anomalies in a window; so are those below
    Maximum,
    Mean,
    Deviation,  ///< divisor n − 1
    Skewness,
    Kurtosis  ///< excess
};
inline constexpr std::size_t kAnomalyStatistics = 9;
std::string_view name(AnomalyStatistic statistic);

/// One anomaly of one item: a rank, or a function.
struct CountedAnomaly {
    std::uint32_t item = 0;
    TimeNs time = 0;
    TimeNs severityNs = 0;
};

struct RankedItem {
    std::uint32_t item = 0;
    std::uint64_t anomalies = 0;
    TimeNs severityNs = 0;
    double values[kAnomalyStatistics] = {};

    double of(AnomalyStatistic statistic) const { return values[static_cast<std::size_t>(statistic)]; }
};

/// Equal windows of `span`: of ten seconds where the run has twenty of them or more, else sixty.
std::uint32_t anomalyWindows(TimeSpan span);

/// Every item 0 … items − 1, also those without anomalies. Anomalies outside of `span` count for the nearest
/// window. windows ≥ 1. O(anomalies log + items · windows with any).
std::vector<RankedItem> rankAnomalies(std::span<const CountedAnomaly> anomalies, std::uint32_t items,
                                      TimeSpan span, std::uint32_t windows);

enum class RankingEnd : std::uint8_t { Top, Bottom };
/// The `most` greatest, or smallest, by a statistic; equal ones by their number.
std::vector<RankedItem> extremeItems(std::vector<RankedItem> items, AnomalyStatistic statistic,
                                     RankingEnd end, std::size_t most);

/// Functions to look at, the most interesting first: those that make up `share` of all interest (share of
/// time × variability), at most `most`; those that block are left out, for they only wait. Σ interest 0:
/// none.
std::vector<std::uint32_t> proposedFunctions(const FoundAnomalies& found, double share, std::size_t most);

}  // namespace skein
