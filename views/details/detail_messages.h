// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/details/detail_numbers.h"

#include <vector>

namespace skein {

/// Several selected messages, a row each: ends, size, times and bandwidth; of one alone, which is told in
/// words, nothing. O(rows).
std::vector<DetailTable> messageDetails(const Session& session, const ViewState& state);

}  // namespace skein
