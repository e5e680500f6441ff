// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <cstddef>
#include <vector>

namespace skein {

/// An order in which each element stands next to one that is like it: from the first element on, always the
/// nearest one of those left (nearest-neighbour chain; ties: the smaller index). The distance of two elements
/// is the sum of the absolute differences of their shares (Manhattan distance of rows scaled to a sum of 1;
/// rows of zeros stay zeros), so that only the mix counts and not the amount. Every row has the same length.
/// O(n² · length). Errors: Cancelled; InvalidArgument where lengths differ.
Result<std::vector<std::size_t>> similarityOrder(std::vector<std::vector<double>> rows, const Task& task);

}  // namespace skein
