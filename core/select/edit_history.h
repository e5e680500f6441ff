// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace skein {

/// The parts of a ViewState that the user edits and wants to take back: filters, marks, the order of rows,
/// the shifts of clocks, the machine, placements that are kept, what is left of the tree, verdicts, choices
/// in panels, what is compared, the metric, what calls are coloured by, what groups are, and whether waits
/// and messages are drawn over time. Where the user looks is another matter, see ViewHistory.
struct Edits {
    std::vector<Filter> filters;
    std::vector<Mark> marks;
    RowArrangement rows;
    std::vector<TimeNs> clockShiftsNs;
    MachineChoice machine;
    TreeEdits tree;
    std::vector<CallVerdict> verdicts;
    VerdictUse verdictUse = VerdictUse::OfCalls;
    std::map<std::string, PanelSettings> panels;
    ComparisonChoice comparison;
    std::vector<KeptPlacement> placements;
    ColorMode colors = ColorMode::Region;
    ColorScaling colorScaling = ColorScaling::Linear;
    RegionGrouping grouping = RegionGrouping::Role;
    WaitMarks waitMarks = WaitMarks::WhenLookedFor;
    MessageLines messageLines = MessageLines::Shown;
    MetricRef metric;
    std::string derived;

    bool operator==(const Edits&) const = default;
};

Edits editsOf(const ViewState& state);
void apply(const Edits& edits, ViewState& state);

/// What was done, for menus: "Filter “MPI hidden”", "Mark", "Shift of Clocks".
std::string editName(const Edits& before, const Edits& after);

/// Undo and redo of edits. Keeps the last 200. Not thread-safe.
class EditHistory {
public:
    /// What is so now; forgets what was undone. The same again is no edit. `name` says what was done; empty:
    /// as editName() does.
    void record(const Edits& edits, std::string name = {});
    bool canUndo() const { return current_ > 0; }
    bool canRedo() const { return current_ + 1 < steps_.size(); }
    /// What undo() takes back, and what redo() makes again; empty where there is nothing.
    std::string undoName() const { return canUndo() ? steps_[current_].name : std::string(); }
    std::string redoName() const { return canRedo() ? steps_[current_ + 1].name : std::string(); }
    /// Step and give what is to be so; stay where there is nothing to go to.
    const Edits& undo();
    const Edits& redo();
    /// Forgets everything; `edits` are so from now on.
    void restart(const Edits& edits);

private:
    struct Step {
        Edits edits;
        std::string name;  ///< of what led to it
    };
    std::vector<Step> steps_{Step{}};
    std::size_t current_ = 0;
};

}  // namespace skein
