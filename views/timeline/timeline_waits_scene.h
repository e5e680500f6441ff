// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"
#include "views/common/scene/draw_list.h"
#include "views/timeline/timeline_layout_scene.h"

#include <string>
#include <vector>

namespace skein {

/// Appends a band along the lower edge of every row, coloured by kind wherever the location waited. Every wait state of
/// the visible span has at least one pixel; where several begin within one, the longest of up to 16 gives its colour.
/// O(pixels · log waits). `options.waits` must be there.
void drawWaits(DrawList& list, const TimelineData& data, const TimelineOptions& options, const TimelineLayout& layout);

/// The wait of a call; null where it did not wait or is not known.
const WaitState* waitOf(const TimelineData& data, const SessionWaits& waits, IntervalRef call);

/// "late sender: waited 3.2 ms for Rank 5 (MPI_Isend)"; empty where the call did not wait.
std::string waitTooltip(const TimelineData& data, const SessionWaits& waits, IntervalRef call);

/// Selects the call that this one waited for, or its location where no call is known; empty where it did not wait.
Selection selectCauseOf(const TimelineData& data, const SessionWaits& waits, IntervalRef call);

}  // namespace skein
