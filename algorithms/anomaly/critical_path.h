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
    double averageNs = 0.0;  ///< the first thread of a process spends in it without waiting
    double imbalanceNs =
        0.0;              ///< of the path, which balanced processes would save: max(0, critical − average)
    double costNs = 0.0;  ///< what all processes together lose by it: imbalance × processes
    TimeNs gainNs = 0;    ///< by which the run would be shorter if the function were twice as fast
};

struct CriticalPath {
    std::vector<PathPiece> pieces;            ///< from the begin of the run to its end, without gaps
    std::vector<CriticalFunction> functions;  ///< the longest on the path first
    TimeNs beforeCallsNs = 0;                 ///< of the path, before the first call of a location
    TimeNs outsideCallsNs = 0;                ///< of the path, in no call, but behind the first one
    TimeNs lengthNs = 0;                      ///< Σ pieces = Σ criticalNs + beforeCallsNs + outsideCallsNs
    std::uint32_t processes = 0;  ///< of the run: location groups with calls, without those of accelerators
    std::uint32_t threads = 0;    ///< of the run: locations with calls of these processes
    std::uint32_t processesOnPath = 0;
    std::uint32_t threadsOnPath = 0;
    bool contradiction = false;        ///< clocks contradict: the path stops where it would run in a circle
    std::uint64_t contradictions = 0;  ///< dependences that were left out because of clocks
    std::uint64_t gainsOf = 0;         ///< the first so many functions have a gain worked out
};

/// Whether a piece outside all calls lies before the first call of its location.
bool liesBeforeCalls(const Trace& trace, const PathPiece& piece);

/// Walks from the last event of a run back to its begin: through a call's own work, and from a call that
/// waited to what it waited for. Errors: NotRecorded without a trace; Cancelled.
/// O(calls + messages log messages + mostGains · points).
Result<CriticalPath> criticalPath(const Experiment& experiment, const FunctionsOfCalls& functions,
                                  std::size_t mostGains, const Task& task);

}  // namespace skein
