// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "views/common/scene/data/call_tree_rows.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace skein {

struct CallerRowsOptions {
    std::string function = {};       ///< only this one; empty: every one
    std::uint32_t levels = 100'000;  ///< of callers; 0: functions alone
    std::size_t mostRows = 100'000;
    std::size_t mostMembers = 8'000'000;  ///< call paths named in all rows together: bounds memory
};

struct CallerRows {
    CallTreeRows rows;
    std::uint32_t levels = 0;  ///< of callers that are there
    bool complete = true;      ///< false: callers further out were left out for their number
};

/// The tree from the inside out: a row a function, below it those that called it. A row's exclusive amount is
/// that of the function when it was called in this way; its inclusive amount counts outermost calls of a
/// recursion only. Its call paths are those of the function. Rows stand behind their parents, in the order of
/// their level; how amounts are divided among locations is not known of sums over call paths. O(call paths ·
/// depth) up to the bounds. After a stop request some callers are missing.
CallerRows makeCallerRows(const CallTreeRows& rows, const CallerRowsOptions& options, const Task& task);

}  // namespace skein
