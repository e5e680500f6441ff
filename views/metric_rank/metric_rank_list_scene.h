// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/routing/ranked_metric.h"
#include "core/base/result.h"
#include "core/select/view_state.h"
#include "views/common/scene/data/session_communication.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace skein {

/// What is put into an order: pairs of ranks, routes between nodes, links, or ranks.
enum class RankedQuantity : std::uint8_t {
    PairBytes,
    PairMessages,
    RouteBytes,
    RouteLength,
    HopBytes,
    LinkBytes,
    InDegree,
    OutDegree,
    InMinusOut,
};

inline constexpr std::size_t kRankedQuantities = 9;

/// "Bytes of pairs", "Length of routes" …
std::string titleOf(RankedQuantity quantity);
/// What a value is, in a word: "Bytes", "Hops" …
std::string valueNameOf(RankedQuantity quantity);

/// Values in descending order, and what they are of. Immutable; may cross threads.
struct MetricRankList {
    SessionCommunicationPtr communication;
    RankedQuantity quantity = RankedQuantity::PairBytes;
    std::vector<RankedValue> values;  ///< as skein-cli rank prints them
    double total = 0;
    double mean = 0, median = 0, lowerQuartile = 0, upperQuartile = 0;  ///< of the values
    std::vector<std::size_t> histogram;  ///< values of equal steps from the least to the greatest

    std::size_t size() const { return values.size(); }
    bool ofPairs() const;
    bool ofRanks() const;
    bool inBytes() const;
};

using MetricRankListPtr = std::shared_ptr<const MetricRankList>;

/// Errors: NotRecorded for routes and links without a machine; those of rankedRoutes(). O(n log n).
Result<MetricRankListPtr> makeMetricRankList(SessionCommunicationPtr communication, RankedQuantity quantity);

/// "1.2 MiB", "5 hops", "12".
std::string rankedText(const MetricRankList& list, double value);
/// "Rank 3 to Rank 4", "0 1 -> 0 2" …
std::string rankedName(const MetricRankList& list, std::size_t place);

/// The two ends of what a value is of: ranks or nodes; of a rank alone the second is empty.
std::pair<std::string, std::string> rankedEnds(const MetricRankList& list, const RankedValue& value);

/// What values are of, by their places in the list, for all communication views: pairs of ranks, and links
/// where values are of links. O(entries).
Selection selectionOf(const Session& session, const MetricRankList& list,
                      const std::vector<std::size_t>& places);
/// The same of the values [first, end).
Selection selectionOf(const Session& session, const MetricRankList& list, std::size_t first, std::size_t end);

/// The values that make the top part (0 … 1) of the list, at least one of a list that has any.
std::size_t topCount(const MetricRankList& list, double part);

/// The value at a part (0 … 1) of descending values, by linear interpolation; 0 of none.
double quantileOf(const std::vector<RankedValue>& descending, double part);

}  // namespace skein
