// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/timeline_index.h"
#include "core/trace/trace.h"

namespace skein {

/// Has the system read from the disk, in the background and all at once, what a picture of the whole time of
/// all locations looks at. Met one by one these stretches would come one after the other. Some microseconds a
/// location.
void expectFirstPicture(const Trace& trace, const TimelineIndex& index);

}  // namespace skein
