// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/annealing/annealing.h"

#include <functional>

namespace skein {

/// Called with the map of every annealing that ended.
using EndedAnnealing = std::function<void(const AnnealingOutcome& outcome)>;

/// One annealing from a start, as anneal() and annealGenerally() do it.
using AnnealOnce =
    std::function<AnnealingOutcome(std::vector<std::uint32_t> start, const AnnealingSchedule& schedule,
                                   std::uint64_t seed, const SearchClock& clock, const Task& task)>;

/// Anneals from the start again and again, with other seeds, temperatures and lengths, until the clock is
/// over. Every run has a fixed number of steps, so the k-th run is the same at any speed of the machine, and
/// a longer search includes every shorter one. A run that the clock cuts off is reported only if none has
/// ended. For small machines with an irregular landscape, where one run ends in one of many valleys. The
/// shortest run has `shortest` tries. Returns the steps of all runs.
std::uint64_t annealWithRestarts(const AnnealOnce& once, const std::vector<std::uint32_t>& start,
                                 std::uint64_t shortest, std::uint64_t seed, const SearchClock& clock,
                                 const EndedAnnealing& ended, const Task& task);

}  // namespace skein
