// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/efficiency.h"
#include "core/select/view_state.h"
#include "views/common/scene/drawing/table_cell.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

struct PhaseRequest {
    std::string region;                 ///< a phase is a call of it; empty: a marked span is one
    std::vector<Mark> marks;            ///< moments are no phases
    std::optional<TimeSpan> span;       ///< session time, in which phases begin; nullopt: the whole run
    std::vector<Filter> filters;        ///< as in ViewState, with the scope's locations
    std::vector<TimeNs> clockShiftsNs;  ///< as in ViewState

    bool operator==(const PhaseRequest&) const = default;
};

struct BalancePhase {
    Efficiency efficiency;  ///< its `phase` counts from 1; of marked spans that are in the scope
    TimeSpan span;          ///< session time: the marked one, or from the first begin to the last end
    std::string note;       ///< of the mark
};

/// One experiment.
struct PhaseRun {
    ExperimentPtr experiment;
    std::string title;
    std::vector<BalancePhase> phases;  ///< by number; those that no process was in are left out
    std::string message;               ///< why there are none
};

/// The efficiencies of the processes by phase. Immutable; may cross threads.
struct BalancePhases {
    std::string what;  ///< "calls of step", "marked spans"
    std::vector<PhaseRun> runs;

    /// The greatest number of a phase; 0: there are none.
    std::size_t count() const;
};

using BalancePhasesPtr = std::shared_ptr<const BalancePhases>;

/// What efficiencyByPhase() tells of a region, and efficiencyOf() of marked spans: the numbers of `skein-cli
/// efficiency`. Of some of the processes none are told. Errors: Cancelled. Complexity: that of these two.
Result<BalancePhases> makeBalancePhases(const Session& session, const PhaseRequest& request,
                                        const Task& task);

/// Regions whose calls may be phases: those of repeatingRegions() of any experiment but those of MPI, in
/// which nothing is useful.
std::vector<std::string> proposedPhaseRegions(const Session& session, const Task& task);

/// "50 phases · parallel efficiency 31.2 % to 52.4 %, least in phase 7": a run in a line; where it has none,
/// why.
std::string phaseRunText(const PhaseRun& run);

/// A phase by its place in BalancePhases.
struct PhasePlace {
    std::size_t run = 0;
    std::size_t phase = 0;

    bool operator==(const PhasePlace&) const = default;
};

/// A row a phase, run after run: phase, begin, parallel efficiency, load balance, communication efficiency,
/// useful time, the most of a process, that process, runtime, processes, note, run. At most 20 000.
struct PhaseTable {
    std::vector<std::vector<TableCell>> rows;
    std::vector<PhasePlace> places;  ///< of the rows
    std::size_t left = 0;            ///< more phases that have no room
};
PhaseTable phaseTable(const BalancePhases& phases);

}  // namespace skein
