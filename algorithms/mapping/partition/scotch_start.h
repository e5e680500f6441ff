// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/mapping/base/search_clock.h"
#include "algorithms/mapping/problem/mapping_problem.h"
#include "core/base/task.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace skein {

/// A map by Scotch (static mapping by dual recursive bipartitioning, Pellegrini and Roman 1996) onto tori,
/// meshes and fat trees, made in a thread of its own while other methods search. Where Scotch puts more ranks
/// on a node than it has slots, the last of them go to the nearest nodes with room. The same map for the same
/// problem.
///
/// Scotch cannot be stopped. Whoever does not wait for it loses nothing but its work: the thread has copies
/// of all it reads, ends by itself, and its map is dropped.
class ScotchStart {
public:
    /// Starts where Scotch knows the machine (rings and lines in at most five dimensions, more where pairs of
    /// dimensions of two positions can be joined to rings of four; hypercubes; blocks in blocks; all slots
    /// open) and is expected to end within `seconds`; else there will be no map. O(entries) before it
    /// returns.
    ScotchStart(const MappingProblem& problem, double seconds);

    /// Slot of each rank; empty where there is none: not started, failed, or not ended before the clock was
    /// spent to `share` (by time) or the task stopped.
    std::vector<std::uint32_t> wait(const SearchClock& clock, double share, const Task& task) const;

private:
    struct Job;

    const MappingProblem& problem_;
    std::shared_ptr<Job> job_;
};

}  // namespace skein
