// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/search/load_search.h"

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>

namespace skein {

/// A mapping on the way of a search, and when it was found.
struct MappingProgress {
    double seconds = 0.0;
    std::uint64_t steps = 0;
    std::int64_t objective = 0;
};

/// What a mapping shall lower.
enum class RemapObjective : std::uint8_t {
    HopBytes,     ///< Σ bytes × hops
    MaxLinkLoad,  ///< bytes over the most loaded link
    Weighted,     ///< half of hop-bytes, half of the maximum load in units where both are equal before
};

/// One way to search. `names` are unique; all are anytime, seeded, and the same bits for any number of
/// threads when the budget is in steps.
struct RemapMethod {
    std::string_view name;
    std::string_view title;
    std::string_view source;  ///< paper or reason
};

/// Names of methods.
inline constexpr std::string_view kAnnealingMethod = "annealing";
inline constexpr std::string_view kAutoMethod = "auto";
inline constexpr std::string_view kFoldingMethod = "folding";
inline constexpr std::string_view kGreedyMethod = "greedy";
inline constexpr std::string_view kMultilevelMethod = "multilevel";
inline constexpr std::string_view kOptimalMethod = "optimal";
inline constexpr std::string_view kPublishedMethod = "published";
inline constexpr std::string_view kRandomMethod = "random";
inline constexpr std::string_view kTabuMethod = "tabu";

struct RemapParams {
    std::string method{kAutoMethod};  ///< a name of remapMethods()
    RemapObjective objective = RemapObjective::HopBytes;
    RouteOfNodes route;       ///< needed by objectives with link loads
    std::uint32_t links = 0;  ///< how many links routes may name
    SearchBudget budget;
    std::uint64_t seed = 1;
    std::int64_t lowerBound =
        0;  ///< no mapping costs less hop-bytes (hopBytesLowerBound); a search that gets there ends
    /// Called from the searching thread whenever a better mapping is known.
    std::function<void(const MappingProgress&)> onImprovement;
    /// The same with the mapping itself: the slot of each rank.
    std::function<void(std::span<const std::uint32_t> slotOfRank)> onMapping = {};
};

}  // namespace skein
