// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/clocks/clock_offsets.h"
#include "core/session/experiment.h"

#include <optional>
#include <vector>

namespace skein::gui {

/// How far the clocks of each experiment are apart; nothing for a profile.
using ClockEstimates = std::vector<std::optional<ClockOffsets>>;

/// Errors: those of clockOffsetsOf().
Result<ClockEstimates> estimateClocks(const Session& session, const Task& task);

/// The session with the clocks of all its traces on one; experiments that need no correction are the same
/// objects. Errors: those of correctClocks().
Result<Session> correctAll(const Session& session, const ClockEstimates& estimates, const Task& task);

}  // namespace skein::gui
