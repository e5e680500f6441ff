// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_verdicts.h"
#include "core/select/call_verdict.h"

#include <cstdint>
#include <vector>

namespace skein {

/// What was said of the calls of one archive of a session. O(verdicts).
std::vector<SaidOfCall> saidOfCalls(const std::vector<CallVerdict>& verdicts, std::uint32_t experiment);

}  // namespace skein
