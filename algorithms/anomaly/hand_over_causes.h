// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/find_anomalies.h"
#include "core/select/cause_links.h"
#include "core/session/hand_over.h"

#include <span>
#include <vector>

namespace skein {

/// A program of a workflow and what was found in it.
struct JudgedProgram {
    const Experiment* experiment = nullptr;
    const FoundAnomalies* found = nullptr;  ///< null where it has no trace
};

/// Links of a chain of causes that lead into other programs: where calls within `call` waited for data that
/// another program was to hand over, a link goes to the call that wrote it, and from there one to each
/// anomaly that made the writer late since it wrote for that reader before: in its own calls, or by what it
/// waited for. A wait of w is attributed to these, the longest first, to w at most; hand-overs without any
/// have no links. O(hand-overs · (anomalies + waits of the writer)).
std::vector<CauseLink> handOverCauses(std::span<const JudgedProgram> programs,
                                      std::span<const HandOver> handOvers, const IntervalRef& call);

}  // namespace skein
