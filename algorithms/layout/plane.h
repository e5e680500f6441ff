// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/force_layout.h"
#include "algorithms/layout/pull_graph.h"

#include <span>
#include <vector>

namespace skein {

/// Moves, turns and resizes a layout: the middle is at 0, the longer side lies, the mean edge is 1 long; the
/// part with more nodes is on the left and on top, so that the same picture comes out whatever it was turned
/// by. O(nodes + edges).
void normalize(std::vector<PlanePoint>& points, const PullGraph& graph);

/// Moves circles apart that overlap, each no farther than it must; after 60 rounds what still overlaps stays
/// so. `fixed` may be empty. False where the task was stopped. O(rounds · nodes · circles near).
bool moveApart(std::vector<PlanePoint>& points, std::span<const double> radii, std::span<const char> fixed,
               const Task& task);

}  // namespace skein
