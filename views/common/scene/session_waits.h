// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/wait_index.h"
#include "views/common/scene/color.h"

#include <memory>
#include <vector>

namespace skein {

/// The wait states of the traces that are open together. Immutable, may cross threads.
struct SessionWaits {
    std::vector<WaitIndexPtr> experiments;  ///< null where there is no trace
};

using SessionWaitsPtr = std::shared_ptr<const SessionWaits>;

/// Colours of wait states: apart from each other and from the red of MPI calls, in which they happen.
Color waitColor(WaitKind kind, bool dark);

}  // namespace skein
