// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/call_models.h"
#include "core/trace/trace.h"

#include <vector>

namespace skein {

/// A call that something is strange about, before it is asked why.
struct AnomalyCandidate {
    LocationId location;
    MeasuredCall measured;
    std::uint32_t callIndex = 0;
    TimeSpan span;
    Judgement own;                ///< of the time in itself
    bool longOwn = false;         ///< by the detector
    bool longWorks = false;       ///< with its callees, without those that block
    std::size_t rareHeight = 0;   ///< of its subtree; 0: not rare
    std::vector<OddFeature> odd;  ///< of the chosen ones, the strangest first
    TimeSpan gap;                 ///< the longest stretch of its own time; only of those that are longOwn

    bool any() const { return longOwn || longWorks || rareHeight > 0 || !odd.empty(); }
};

/// All of a location, by call. O(calls).
std::vector<AnomalyCandidate> candidatesOf(const Trace& trace, LocationId location,
                                           const FunctionsOfCalls& functions, const CallModels& models,
                                           const Task& task);

/// Takes back what most locations show at the same call of a function: that is how the program runs.
void forgetWhatAllDo(std::vector<AnomalyCandidate>& candidates, const CallModels& models, const Task& task);

/// For each candidate whether its process stood still together with another one: the same span, within a
/// tenth of what was lost.
std::vector<bool> sharedStalls(const std::vector<AnomalyCandidate>& candidates, const CallModels& models,
                               const std::vector<PlaceOfLocation>& places);

/// The first call behind those inside `call`. O(calls inside) at most, O(log) mostly.
std::uint32_t endOfSubtree(const CallIntervals& calls, std::uint32_t call);

}  // namespace skein
