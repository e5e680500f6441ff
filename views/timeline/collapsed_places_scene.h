// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/timeline_layout_scene.h"

namespace skein {

/// The place of a location's row, or of the row of the collapsed group that it is in; null where it has none.
/// O(locations).
const PlacedRow* placeOrCollapsed(const TimelineLayout& layout, LocationRef location);

}  // namespace skein
