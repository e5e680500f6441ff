// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/timeline_data.h"

#include <string>
#include <vector>

namespace skein {

/// Short lines about a call that can be drawn: name; duration and times; own time where that is less;
/// location, source. What they cover is sent over X when they appear.
std::vector<std::string> callTooltip(const TimelineData& data, IntervalRef interval);

/// Names and numbers for tooltips, shortened in the middle to 90 letters.
std::string tooltipText(const std::string& text);

}  // namespace skein
