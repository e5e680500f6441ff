// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

namespace skein::test {

/// The run as it was recorded up to `end`: calls that were open then end there, what had not arrived has not,
/// and operations of several are known once all have come.
Experiment cutAt(const Experiment& experiment, TimeNs end);

}  // namespace skein::test
