// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/calltree/compare_runs.h"
#include "views/common/scene/data/call_tree_rows.h"
#include "views/common/scene/tree/derived_column.h"

#include <memory>
#include <string>
#include <vector>

/// Two runs, or two parts of one, beside each other: what call tree, summary, call graph and the panel
/// Comparison show.
namespace skein {

struct ComparedRowsRequest {
    ComparisonChoice choice;
    MetricRef metric;  ///< as in ViewState
    std::vector<Filter> filters;
    std::vector<TimeNs> clockShiftsNs;
    bool byRegion = false;  ///< a row a region instead of a call path
    bool proposes = false;  ///< look for call paths that may have been renamed or moved
    /// Of both runs, or of one where it names them: `b.time / a.time`. Empty: none.
    std::string expression = {};
};

/// The union of both. Immutable; may cross threads.
struct ComparedRows {
    /// Call paths have those of A, where A has them, else those of B; both lead to the row. Amounts are the
    /// absolute differences, calls are those of B.
    CallTreeRows rows;
    std::vector<ChangeEstimate> inclusive, exclusive;  ///< a row; times in ns
    std::vector<ChangeVerdict> verdicts;               ///< a row, of the exclusive amounts
    std::vector<std::vector<CallPathRef>> callPaths;   ///< a row: of both
    std::vector<std::vector<RegionRef>> regions;       ///< a row: of both
    std::string titleA, titleB;                        ///< "run, 1 s … 2 s"
    std::string unit;                                  ///< "ns" for times
    double ranksA = 0, ranksB = 0;
    bool repeated = false;                 ///< runs are: differences have intervals
    std::vector<MatchProposal> proposals;  ///< that are not confirmed yet
    /// The expression's value of A and that of B, or the one that it has where it names them; of repeated
    /// runs the chosen one's. What a run does not have counts as 0.
    std::vector<DerivedColumn> derived;

    /// Efficiency of B for a problem of the same size, of a speed-up.
    double efficiency(double speedUp) const { return ranksB > 0 ? speedUp * ranksA / ranksB : 0; }
};
using ComparedRowsPtr = std::shared_ptr<const ComparedRows>;

/// Errors: those of measuredTable(); InvalidArgument for a metric that a run does not have; Cancelled.
Result<ComparedRowsPtr> makeComparedRows(const Session& session, const ComparedRowsRequest& request,
                                         const Task& task);

/// "lulesh.p27" or "lulesh.p27, 1 s … 2 s".
std::string comparedTitle(const Session& session, const ComparedPart& part);

/// Rows in the order of their exclusive differences, those that got slower (or more) first.
std::vector<std::uint32_t> byGrowth(const ComparedRows& compared);

/// A selection of what a row stands for in both runs.
Selection selectionOfCompared(const Session& session, const ComparedRows& compared, std::size_t row);

}  // namespace skein
