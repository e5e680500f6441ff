// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/column_grid.h"
#include "core/index/timeline_index.h"
#include "core/session/experiment.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Rows of locations over columns of time: how deep the call stacks were.
struct CallDepths {
    std::uint32_t columns = 0;
    std::vector<float> depth;  ///< [row × columns + column]: 1 = outermost calls; 0 = nothing was called

    float at(std::size_t row, std::size_t column) const { return depth[row * columns + column]; }
};

/// For each row, which is one or several locations of an experiment, and each column of experiment time: the
/// level of the call path of the region that took most time there (see RowSampler), averaged over the
/// locations of the row in which anything was called. `levels` has one of each call path: how many calls
/// around and including it count; 0 is as if nothing was called. Rows are worked on in parallel. O(locations
/// · columns), whatever the number of calls. Errors: Cancelled.
Result<CallDepths> callDepths(const Experiment& experiment, const TimelineIndex& index,
                              std::span<const std::uint32_t> levels,
                              const std::vector<std::vector<LocationId>>& rows, const ColumnGrid& grid,
                              const Task& task);

}  // namespace skein
