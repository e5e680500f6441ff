// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/data/timeline_data.h"
#include "views/timeline/timeline_layout_scene.h"

#include <cstddef>
#include <vector>

namespace skein {

struct NamedPlace {
    std::size_t place = 0;  ///< index into TimelineLayout::places
    double top = 0;         ///< of the line of text, device pixels
};

/// The rows whose names are drawn, from top to bottom: of high rows all, of low ones as many as have room.
/// Where rows are low, the first one of a process goes before its other threads. O(places).
std::vector<NamedPlace> namedPlaces(const TimelineData& data, const TimelineLayout& layout, double lineHeight,
                                    double scale);

}  // namespace skein
