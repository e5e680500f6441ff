// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/common/scene/data/session_behavior.h"
#include "views/details/detail_numbers.h"

#include <vector>

namespace skein {

/// Numbers of the selected change points and clusters, as far as this behaviour has them: of changes when,
/// how sure and who moved by how much; of clusters how many they are and how they differ. `behavior` may be
/// null: then the times of changes alone. O(values).
std::vector<DetailTable> behaviorDetails(const SessionBehaviorPtr& behavior, const Selection& selected);

}  // namespace skein
