// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/timeline_data.h"

#include <string>
#include <vector>

namespace skein {

/// Lines about a message of the data: size, ends, how long it was under way and the calls at its ends took,
/// tag.
std::vector<std::string> messageTooltip(const TimelineData& data, MessageRef reference);

}  // namespace skein
