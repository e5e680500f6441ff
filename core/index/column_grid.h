// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace skein {

/// Equally wide columns over time: column c is [begin + c·nsPerColumn, begin + (c + 1)·nsPerColumn).
struct ColumnGrid {
    double begin = 0;
    double nsPerColumn = 1;
    std::uint32_t count = 0;

    double end() const { return begin + nsPerColumn * count; }
};

/// What a column shows: how the time of all its locations divides.
struct ColumnSample {
    std::uint32_t callPath =
        0xFFFFFFFFu;   ///< of the region that took most; CallPathId::kNone: no call at all
    float timeNs = 0;  ///< time known to be taken by this region
    std::uint32_t second =
        0xFFFFFFFFu;  ///< of the region that took most beside it; CallPathId::kNone: none did
    float secondNs = 0;
    std::uint32_t rest = 0xFFFFFFFFu;  ///< one of all other regions, each in as many columns as it took time
    float restNs = 0;                  ///< of all of them
    float wholeNs = 0;                 ///< of all locations, in calls or not
    bool holdsMany = false;            ///< more than two calls

    bool operator==(const ColumnSample&) const = default;
};

}  // namespace skein
