// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"

#include <cstdint>
#include <vector>

namespace skein {

/// What one anomaly has to do with the length of a call.
struct CausePart {
    std::uint32_t anomaly = 0;  ///< place in FoundAnomalies::calls
    TimeNs lostNs = 0;          ///< of the call, because of it; all waits together
    CauseChain chain;  ///< of the longest of these waits; without links where the anomaly lies in the call
};

/// Why a call lasted longer than usual: Σ parts + restNs = lostNs.
struct CallExplanation {
    TimeNs lostNs = 0;             ///< its duration less the median of its function; may be negative
    TimeNs restNs = 0;             ///< what no anomaly explains
    std::vector<CausePart> parts;  ///< the greatest first
    bool contradiction = false;    ///< a chain ended where clocks contradict each other
};

/// Backwards from a call over what it waited for. O(log waits + waits in the call).
CallExplanation explainCall(const Experiment& experiment, const FoundAnomalies& found, LocationId location,
                            std::uint32_t call);

/// A wait that an anomaly is to blame for.
struct BlamedWait {
    std::uint32_t wait = 0;  ///< number among FoundAnomalies::waits
    TimeNs lostNs = 0;
};

/// Forwards: what other locations waited for an anomaly, the longest first; Σ = JudgedCall::costNs. O(waits).
std::vector<BlamedWait> waitsFor(const FoundAnomalies& found, std::uint32_t anomaly);

}  // namespace skein
