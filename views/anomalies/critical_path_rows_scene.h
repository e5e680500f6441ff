// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/references.h"
#include "views/common/scene/data/session_critical_path.h"
#include "views/common/scene/drawing/table_cell.h"

#include <vector>

namespace skein {

/// A function on the critical path, or what no call covers of it.
struct CriticalPathRow {
    RegionRef function;  ///< the first region of its name; invalid: in no call, or not defined
    std::vector<TableCell>
        cells;  ///< name, time on the path, share of it, time of a process, imbalance, what all
                ///< processes lose, gain if twice as fast; empty where there is none
};

/// Of every trace the longest first; the shares of a trace's rows add up to 1. O(functions).
std::vector<CriticalPathRow> criticalPathRows(const Session& session, const SessionCriticalPath& paths);

}  // namespace skein
