// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/timeline/timeline_layout_scene.h"

#include <optional>
#include <string>

namespace skein {

/// The region that took most time of all locations of a collapsed row in the pixel column at `x`, as the
/// row's colours say; invalid where they called nothing or filters hide all of it. As cheap as one column of
/// a picture.
RegionRef regionTogetherAt(const TimelineData& data, const ViewState& state, const TimelineOptions& options,
                           const TimelineLayout& layout, const TimelineRow& row, double x);

}  // namespace skein
