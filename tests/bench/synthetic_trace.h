// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"

#include <cstdint>

namespace skein::bench {

/// A time-stepping halo exchange as columns, without any file: about `events` enter and leave records over
/// `locations` processes on nodes of `perNode`, call depth 6, irregular durations, a message per exchange.
/// Seeded, the same for the same numbers.
ExperimentPtr syntheticExperiment(std::uint32_t locations, std::uint64_t events, std::uint32_t perNode = 16);

}  // namespace skein::bench
