// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/edit_history.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kMostEdits = 200;

std::string quoted(const char* what, const std::string& label)
{
    return label.empty() ? what : std::string(what) + " “" + label + "”";
}

/// The one that came, went or changed.
std::string filterEdit(const std::vector<Filter>& before, const std::vector<Filter>& after)
{
    if (after.empty())
        return before.size() == 1 ? quoted("Removal of", before.front().label) : "Removal of All Filters";
    for (const Filter& filter : after)
        if (std::find(before.begin(), before.end(), filter) == before.end())
            return quoted("Filter", filter.label);
    for (const Filter& filter : before)
        if (std::find(after.begin(), after.end(), filter) == after.end())
            return quoted("Removal of", filter.label);
    return "Filter";
}

std::string placementEdit(const std::vector<KeptPlacement>& before, const std::vector<KeptPlacement>& after)
{
    if (after.size() > before.size()) return quoted("Placement", after.back().name);
    return after.size() < before.size() ? "Removal of a Placement" : "Name of a Placement";
}

std::string markEdit(const std::vector<Mark>& before, const std::vector<Mark>& after)
{
    if (after.size() > before.size()) return "Mark";
    return after.size() < before.size() ? "Removal of a Mark" : "Note of a Mark";
}

}  // namespace

Edits editsOf(const ViewState& state)
{
    return {state.filters,      state.marks,    state.rows,         state.clockShiftsNs, state.machine,
            state.tree,         state.verdicts, state.verdictUse,   state.panels,        state.comparison,
            state.placements,   state.colors,   state.colorScaling, state.grouping,      state.waitMarks,
            state.messageLines, state.metric,   state.derived};
}

void apply(const Edits& edits, ViewState& state)
{
    state.filters = edits.filters;
    state.marks = edits.marks;
    state.rows = edits.rows;
    state.clockShiftsNs = edits.clockShiftsNs;
    state.machine = edits.machine;
    state.tree = edits.tree;
    state.verdicts = edits.verdicts;
    state.verdictUse = edits.verdictUse;
    state.panels = edits.panels;
    state.comparison = edits.comparison;
    state.placements = edits.placements;
    state.colors = edits.colors;
    state.colorScaling = edits.colorScaling;
    state.grouping = edits.grouping;
    state.waitMarks = edits.waitMarks;
    state.messageLines = edits.messageLines;
    state.metric = edits.metric;
    state.derived = edits.derived;
}

std::string editName(const Edits& before, const Edits& after)
{
    if (before.filters != after.filters) return filterEdit(before.filters, after.filters);
    if (before.marks != after.marks) return markEdit(before.marks, after.marks);
    if (before.rows != after.rows) return "Arrangement of Rows";
    if (before.clockShiftsNs != after.clockShiftsNs) return "Shift of Clocks";
    if (before.machine != after.machine) return "Choice of the Machine";
    if (before.placements != after.placements) return placementEdit(before.placements, after.placements);
    if (before.tree != after.tree) return "Change of the Call Tree";
    if (before.verdicts != after.verdicts) return "Verdict";
    if (before.verdictUse != after.verdictUse) return "Use of Verdicts";
    if (before.comparison != after.comparison) return "Choice of What Is Compared";
    if (before.colors != after.colors) return "Choice of Colours";
    if (before.colorScaling != after.colorScaling) return "Scaling of Colours";
    if (before.grouping != after.grouping) return "Grouping of Regions";
    if (before.waitMarks != after.waitMarks) return "Marks of Wait States";
    if (before.messageLines != after.messageLines) return "Lines of Messages";
    if (before.metric != after.metric) return "Choice of the Metric";
    if (before.derived != after.derived) return "Metric by Expression";
    return "Choice in a Panel";
}

void EditHistory::record(const Edits& edits, std::string name)
{
    const Edits& present = steps_[current_].edits;
    if (edits == present) return;
    if (name.empty()) name = editName(present, edits);
    steps_.resize(current_ + 1);
    steps_.push_back({edits, std::move(name)});
    if (steps_.size() > kMostEdits) steps_.erase(steps_.begin());
    current_ = steps_.size() - 1;
}

const Edits& EditHistory::undo()
{
    if (canUndo()) --current_;
    return steps_[current_].edits;
}

const Edits& EditHistory::redo()
{
    if (canRedo()) ++current_;
    return steps_[current_].edits;
}

void EditHistory::restart(const Edits& edits)
{
    steps_.assign(1, {edits, {}});
    current_ = 0;
}

}  // namespace skein
