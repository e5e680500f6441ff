// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/search/load_search.h"

#include <cstdint>
#include <functional>
#include <string>

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

struct RemapParams {
    std::string method = "auto";  ///< a name of remapMethods()
    RemapObjective objective = RemapObjective::HopBytes;
    RouteOfNodes route;       ///< needed by objectives with link loads
    std::uint32_t links = 0;  ///< how many links routes may name
    SearchBudget budget;
    std::uint64_t seed = 1;
    std::int64_t lowerBound =
        0;  ///< no mapping costs less hop-bytes (hopBytesLowerBound); a search that gets there ends
    /// Called from the searching thread whenever a better mapping is known.
    std::function<void(const MappingProgress&)> onImprovement;
};

}  // namespace skein
