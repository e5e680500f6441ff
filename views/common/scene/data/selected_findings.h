// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/session_behavior.h"

#include <optional>
#include <vector>

/// When and where the findings about behaviour are that are selected: which they are this behaviour knows,
/// which may be null.
namespace skein {

/// Session time of the periods before and after the selected changes; nullopt: none of them is known.
std::optional<TimeSpan> spanOfChanges(const SessionBehaviorPtr& behavior, const Selection& selected);

/// The locations of those who moved farthest at the selected changes, and of the selected clusters; sorted.
std::vector<LocationRef> locationsOfFindings(const SessionBehaviorPtr& behavior, const Selection& selected);

}  // namespace skein
