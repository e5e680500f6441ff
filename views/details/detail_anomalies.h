// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/details/detail_numbers.h"

#include <vector>

namespace skein {

/// Of selected calls that are anomalies, or consequences of one: score, severity and cost in numbers, and
/// why. Nothing where nobody has looked for anomalies yet. O(selected + calls that are not normal).
std::vector<DetailTable> anomalyDetails(const DetailRequest& request, const Task& task);

}  // namespace skein
