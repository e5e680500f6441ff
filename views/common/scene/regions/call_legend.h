// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/drawing/picture_frame.h"
#include "views/common/scene/drawing/theme.h"

#include <vector>

namespace skein {

/// What the colours of calls stand for in the state's colour mode: the regions that dominate the runs, those
/// of most time first; the groups; or the ends of a scale. Without what filters hide. O(regions).
std::vector<LegendEntry> callLegend(const Session& session, const ViewState& state, const Theme& theme);

/// The same for pictures that divide the time of a column: what they leave of a group has the group's colour
/// there. Groups of which at most one region passes the filters leave nothing. O(regions).
std::vector<LegendEntry> dividedLegend(const Session& session, const ViewState& state, const Theme& theme);

}  // namespace skein
