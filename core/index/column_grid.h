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

/// What a column shows.
struct ColumnSample {
    std::uint32_t callPath = 0xFFFFFFFFu;  ///< CallPathId::kNone: no call at all
    float timeNs = 0;                      ///< time known to be taken by its region in the column's cells
};

}  // namespace skein
