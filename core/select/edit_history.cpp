// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/edit_history.h"

namespace skein {
namespace {

constexpr std::size_t kMostEdits = 200;

}  // namespace

Edits editsOf(const ViewState& state)
{
    return {state.filters, state.marks, state.rows,    state.clockShiftsNs,
            state.machine, state.tree,  state.verdicts};
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
}

void EditHistory::record(const Edits& edits)
{
    if (edits == states_[current_]) return;
    states_.resize(current_ + 1);
    states_.push_back(edits);
    if (states_.size() > kMostEdits) states_.erase(states_.begin());
    current_ = states_.size() - 1;
}

const Edits& EditHistory::undo()
{
    if (canUndo()) --current_;
    return states_[current_];
}

const Edits& EditHistory::redo()
{
    if (canRedo()) ++current_;
    return states_[current_];
}

void EditHistory::restart(const Edits& edits)
{
    states_.assign(1, edits);
    current_ = 0;
}

}  // namespace skein
