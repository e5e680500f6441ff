// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

namespace skein {

/// The session with experiments that share a name renamed after their paths: "sim/trace-otf2" and "ana/trace-otf2", as
/// many folders as it takes to tell them apart, and numbered when they were opened from the same path. Others are shared
/// with the session given.
Session withDistinctNames(const Session& session);

}  // namespace skein
