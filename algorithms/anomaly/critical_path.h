// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/dependences.h"

#include <vector>

namespace skein {

/// A stretch of the critical path in the own time of one call.
struct PathPiece {
    LocationId location;
    std::uint32_t call = kNoInterval;  ///< kNoInterval: outside all calls
    TimeSpan span;
};

/// A function on the critical path, and indicators after Böhme, de Supinski, Geimer, Schulz, Wolf, "Scalable
/// critical-path based performance analysis", IPDPS 2012.
struct CriticalFunction {
    std::uint32_t function = 0;
    TimeNs criticalNs = 0;   ///< on the path
    double averageNs = 0.0;  ///< a process spends in it without waiting
    double imbalanceNs =
        0.0;              ///< of the path, which balanced processes would save: max(0, critical − average)
    double costNs = 0.0;  ///< what all processes together lose by it: imbalance × processes
    TimeNs gainNs = 0;    ///< by which the run would be shorter if the function were twice as fast
};

struct CriticalPath {
    std::vector<PathPiece> pieces;            ///< from the begin of the run to its end, without gaps
    std::vector<CriticalFunction> functions;  ///< the longest on the path first
    TimeNs lengthNs = 0;                      ///< Σ pieces
    std::uint32_t processes = 0;
    bool contradiction = false;        ///< clocks contradict: the path stops where it would run in a circle
    std::uint64_t contradictions = 0;  ///< dependences that were left out because of clocks
    std::uint64_t gainsOf = 0;         ///< the first so many functions have a gain worked out
};

/// Walks from the last event of a run back to its begin: through a call's own work, and from a call that
/// waited to what it waited for. Errors: NotRecorded without a trace; Cancelled.
/// O(calls + messages log messages + mostGains · points).
Result<CriticalPath> criticalPath(const Experiment& experiment, const FunctionsOfCalls& functions,
                                  std::size_t mostGains, const Task& task);

}  // namespace skein
