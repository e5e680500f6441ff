// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/timeline_data.h"

#include <string>
#include <vector>

namespace skein {

/// Three short lines about a call that can be drawn: name; duration, begin and, where it is less, own time;
/// location and source. What they cover is sent over X when they appear; the end stands in *Details*.
std::vector<std::string> callTooltip(const TimelineData& data, IntervalRef interval);

/// Names and numbers for tooltips, shortened in the middle to so many letters.
std::string tooltipText(const std::string& text, double letters = 90);

}  // namespace skein
