// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace skein::generator {

/// What is simulated: `ranks` processes on a periodic grid that exchange halos with up to six neighbours,
/// compute, and agree on the next time step.
struct Options {
    std::uint32_t ranks = 64;
    std::uint32_t steps = 100;
    std::uint32_t ranksPerNode = 16;
    std::uint64_t seed = 1;
    std::uint32_t fields = 1;     ///< arrays that are exchanged: so many messages to each neighbour in a step
    std::uint32_t anomalies = 0;  ///< calls that are made different, at most one a rank and step
    double anomalySize = 10;      ///< by how many times its usual duration a slow one lasts longer
    /// Steps from which the blocks of all ranks take longer, and from every second one on as long as before.
    std::vector<std::uint32_t> phases = {};
    double phaseSize = 0.3;       ///< by what share they take longer
    std::uint32_t slowRanks = 0;  ///< whose blocks take longer all the time
    double slowSize = 0.3;        ///< by what share
    std::uint32_t causeLag = 0;   ///< steps by which limit_slope leads compute_boundary; 0: it does not
    double causeSize = 1;  ///< how far both go up and down, 0…2: 1 is more than they do by themselves
    bool steady = false;   ///< no load wanders over the ranks, and nothing is interrupted
    bool metrics = false;  ///< two hardware counters before every enter and leave, as Score-P records them
};

/// What an archive was given; the numbers that a reader must find again.
struct Counts {
    std::uint64_t events = 0;
    std::uint64_t enters = 0;
    std::uint64_t sends = 0;
    std::uint64_t sendCompletions = 0;  ///< MpiIsendComplete, of sends that did not block
    std::uint64_t sentBytes = 0;
    std::uint64_t collectives = 0;  ///< operations of a communicator, not of a rank
    std::uint64_t metricRecords = 0;
    std::uint64_t lastTimeNs = 0;
};

/// A call that was made different, or interrupted; what a detector must find.
struct TrueAnomaly {
    std::string kind;  ///< "slow", "extra_children", "missing_child", "interrupted"
    std::uint32_t rank = 0;
    std::string function;
    std::uint64_t callIndex = 0;  ///< among the calls of the function on its rank
    std::uint64_t beginNs = 0;
    std::uint64_t durationNs = 0;
    std::uint64_t delayNs = 0;
};

/// With more fields the ends of receives and of sends, a nanosecond apart, would not fit into MPI_Waitall.
constexpr std::uint32_t kMostFields = 8;

/// Messages that a rank sends in a step, without those of rebalancing.
std::uint32_t messagesOfStep(const Options& options);

/// Ranks along x, y and z: the most cubic factorisation, largest first. Any number of ranks has one.
std::array<std::uint32_t, 3> gridOf(std::uint32_t ranks);

}  // namespace skein::generator
