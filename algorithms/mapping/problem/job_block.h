// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/machine/placement.h"
#include "core/machine/topology.h"

#include <cstdint>
#include <vector>

namespace skein {

/// Slots from which on a job that is far smaller than its machine is searched for in a block of it.
inline constexpr std::uint64_t kSlotsOfHugeMachine = std::uint64_t{1} << 18;

/// 1 for the nodes of a block of the machine (a range of positions in every dimension of its numbering)
/// around those that run ranks: as even as can be, with at least 16 slots for each rank and 65,536 in all.
/// Empty, which stands for all nodes, where the machine has no more than kSlotsOfHugeMachine slots or not so
/// many for each rank. Within a block as large as this the distances that small jobs need are all there.
/// O(nodes).
std::vector<std::uint8_t> blockAroundJob(const Topology& topology, const Placement& placement);

}  // namespace skein
