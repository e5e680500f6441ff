// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/behavior/span_levels.h"

#include <cstddef>

/// Whether entities jumped from one level to another, or drifted: levels of a drift are stairs of which none
/// is a change.
namespace skein {

/// Whether rows [first, last) are told by entities that drift, rather than by a jump at `row`: a line with a
/// bend at `row` leaves less of the variance than two levels do, and a jump on top of it is not worth its
/// parameter (Schwarz 1978), summed over the entities. False where there are too few rows to tell, and where
/// nothing moves. O(values).
bool isDrift(const ComparedEntities& entities, std::size_t first, std::size_t row, std::size_t last);

}  // namespace skein
