// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/navigate.h"
#include "views/common/scene/data/timeline_data.h"

#include <optional>
#include <string>

namespace skein {

/// Session time from the first to the last of the selected calls and messages; nullopt where there are none.
std::optional<TimeSpan> spanOfSelected(const TimelineData& data, const Selection& selected);

/// "Rank 3 has no later call of MPI_Send". The call exists.
std::string noOtherCall(const Session& session, IntervalRef call, Direction direction);

}  // namespace skein
