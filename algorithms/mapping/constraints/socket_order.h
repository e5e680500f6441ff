// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/task.h"

#include <cstdint>
#include <span>
#include <vector>

namespace skein {

/// Bytes between ranks that share a node but no socket; both directions. O(entries).
std::int64_t bytesBetweenSockets(const MappingProblem& problem, std::span<const std::uint32_t> slotOfRank);

/// Distance inside nodes as a level of its own: exchanges slots inside each node until no exchange lowers
/// bytesBetweenSockets, or the clock's time is over. Hop-bytes and link loads stay as they are, and so does
/// every constraint that `slotOfRank` meets. Pinned ranks stay. O(slots · ranks per node · degree) a pass.
void orderSockets(const MappingProblem& problem, std::vector<std::uint32_t>& slotOfRank,
                  const SearchClock& clock, const Task& task);

}  // namespace skein
