// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/anomaly/hand_over_causes.h"

#include <optional>
#include <span>
#include <vector>

namespace skein {

/// A call that is not normal, of one program of a workflow.
struct WorkflowCall {
    std::uint32_t program = 0;
    std::uint32_t place = 0;  ///< in FoundAnomalies::calls

    bool operator==(const WorkflowCall&) const = default;
};

/// Where the causes of calls are, programs of a workflow included: a call that was found to be an anomaly, or
/// the victim of a stall, is the consequence of another program's anomaly where it waited for data itself and
/// at least half of what it lost is attributed to anomalies behind these hand-overs, see handOverCauses().
/// Its cause is the one with most. Without hand-overs all is as each program alone has it. Immutable.
class WorkflowCauses {
public:
    WorkflowCauses() = default;
    /// O(calls that are not normal · hand-overs) at most.
    WorkflowCauses(std::span<const JudgedProgram> programs, std::span<const HandOver> handOvers);

    /// Where the chain of causes of a call ends: at an anomaly, of a call that is one at itself; nothing
    /// where it is not known. Where clocks lead in circles, at the last one that is new.
    std::optional<WorkflowCall> causeOf(const WorkflowCall& call) const;
    /// What the call is, knowing the other programs.
    AnomalyLabel labelOf(const WorkflowCall& call) const;
    /// Whether any call has its cause in another program.
    bool any() const;

private:
    struct Place {
        AnomalyLabel label = AnomalyLabel::Normal;
        std::uint32_t cause = kNoCause;      ///< in the program itself
        std::optional<WorkflowCall> across;  ///< in another one
    };
    const Place* find(const WorkflowCall& call) const;

    std::vector<std::vector<Place>> places_;  ///< by program and place
};

}  // namespace skein
