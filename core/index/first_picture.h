// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/timeline_index.h"
#include "core/trace/trace.h"

namespace skein {

/// Asks the system to read, in the background, everything that a picture of the whole run needs. The disk
/// then serves these reads together instead of one after the other. Some microseconds per location.
void expectFirstPicture(const Trace& trace, const TimelineIndex& index);

}  // namespace skein
