// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/aggregate.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"
#include "core/session/session_clock.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace skein {

struct SummaryRow {
    std::uint32_t experiment = 0;
    RegionRow region;
};

/// What each region took of a span of session time, over all experiments of a session.
struct SummaryRows {
    std::vector<SummaryRow> rows;  ///< greatest exclusive amount of an experiment first
    double totalExclusive = 0.0;
    bool time = true;              ///< values are ns; false: of another metric
    bool wholeRun = true;          ///< false: of a span
    bool someWithoutTimes = false; ///< some experiments are profiles: they cannot be asked for a span and are left out
};

/// Nothing as the span: the whole run, for profiles too. Errors: Cancelled.
Result<SummaryRows> makeSummaryRows(const Session& session, const SessionClock& clock, const std::optional<TimeSpan>& span,
                                    const Task& task);

}  // namespace skein
