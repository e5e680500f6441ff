// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"

#include <cstddef>
#include <vector>

namespace skein {

/// The parts of a ViewState that the user edits and wants to take back: filters, marks, the order of rows,
/// the shifts of clocks, the machine, what is left of the tree and verdicts. Where the user looks is another
/// matter, see ViewHistory.
struct Edits {
    std::vector<Filter> filters;
    std::vector<Mark> marks;
    RowArrangement rows;
    std::vector<TimeNs> clockShiftsNs;
    MachineChoice machine;
    TreeEdits tree;
    std::vector<CallVerdict> verdicts;

    bool operator==(const Edits&) const = default;
};

Edits editsOf(const ViewState& state);
void apply(const Edits& edits, ViewState& state);

/// Undo and redo of edits. Keeps the last 200. Not thread-safe.
class EditHistory {
public:
    /// What is so now; forgets what was undone. The same again is no edit.
    void record(const Edits& edits);
    bool canUndo() const { return current_ > 0; }
    bool canRedo() const { return current_ + 1 < states_.size(); }
    /// Step and give what is to be so; stay where there is nothing to go to.
    const Edits& undo();
    const Edits& redo();
    /// Forgets everything; `edits` are so from now on.
    void restart(const Edits& edits);

private:
    std::vector<Edits> states_{Edits{}};
    std::size_t current_ = 0;
};

}  // namespace skein
