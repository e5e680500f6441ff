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

inline constexpr std::size_t kMostAnomalyRows = 100'000;

/// What the rows of a table of anomalies are.
enum class AnomalyRowsOf { Calls, Functions, Ranks };

/// The picture as a table, with what each row stands for: of the three lists below that of `of` has one for
/// each row, the others are empty.
struct AnomalyRows {
    AnomalyRowsOf of = AnomalyRowsOf::Calls;
    /// Of calls: title, label, why, begin in session time, duration, own time, what was lost, score, cost of
    /// all others, because of what. Of functions and ranks: name and all statistics; of functions also calls,
    /// regular ones, the share of anomalies, mean and deviation of durations, interest. Times in ns.
    std::vector<std::vector<TableCell>> cells;
    std::vector<std::uint32_t> points;   ///< indices into SessionAnomalies::points
    std::vector<std::string> functions;  ///< names
    std::vector<LocationRef> locations;
    bool showsPart = false;  ///< see showsPartOfRun(): calls are still those of the whole run
};

/// Of the calls that are shown those that are not normal, at most kMostAnomalyRows: anomalies before
/// consequences, of both those first that lost most; or what was found of functions or ranks among all that
/// are shown. O(points · log rows). Errors: Cancelled.
Result<AnomalyRows> anomalyRows(AnomalyRowsOf of, const SessionAnomalies& anomalies, const ViewState& state,
                                const AnomalyChoices& choices, const Task& task);

}  // namespace skein
