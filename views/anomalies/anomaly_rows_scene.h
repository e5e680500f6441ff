// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/references.h"
#include "views/anomalies/anomalies_scene.h"
#include "views/common/scene/drawing/table_cell.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace skein {

/// What the rows of a table of anomalies are.
enum class AnomalyRowKind { Calls, Functions, Ranks };

/// The picture as a table, with what each row stands for in the session, whatever is found later: of the
/// three lists below that of the kind has one for each row, the others are empty.
struct AnomalyRows {
    AnomalyRowKind kind = AnomalyRowKind::Calls;
    /// Of calls: title, label, why, begin in session time, duration, own time, what was lost, score, cost of
    /// all others, because of what. Of functions and ranks: name and all statistics; of functions also calls,
    /// regular ones, the share of anomalies, mean and deviation of durations, interest. Times in ns.
    std::vector<std::vector<TableCell>> cells;
    std::vector<SevereCall> calls;
    std::vector<RegionRef> functions;  ///< the first region of each name; invalid where none is defined
    std::vector<LocationRef> locations;
    bool showsPart = false;  ///< see showsPartOfRun(): calls are still those of the whole run
};

/// Of the calls that are shown those that are not normal, at most 100,000: anomalies before consequences, of
/// both those first that lost most; or what was found of functions or ranks among all that are shown. The
/// verdicts of `state` are what the user says; what is learned from them counts where its verdictUse says
/// so. O(points + rows · log rows). Errors: Cancelled.
Result<AnomalyRows> anomalyRows(AnomalyRowKind kind, const SessionAnomalies& anomalies,
                                const ViewState& state, const AnomalyChoices& choices, const Task& task);

}  // namespace skein
