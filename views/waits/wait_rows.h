// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/select/view_state.h"
#include "core/session/session_clock.h"
#include "views/common/scene/data/session_waits.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// One wait within the span that was asked for.
struct SingleWait {
    WaitState state;     ///< cut at the span; experiment time
    TimeNs beginNs = 0;  ///< session time
};

/// Waits that belong together, and the longest of them.
struct WaitRow {
    std::uint32_t experiment = 0;
    std::string name;  ///< of the region, location, cause or kind
    WaitSum sum;
    WaitKind kind{};                    ///< that most of the time was lost to
    LocationId cause;                   ///< that most of the time was lost to
    TimeNs causeNs = 0;                 ///< of this cause
    std::vector<SingleWait> longest;    ///< longest first, at most WaitRequest::longest
    std::optional<MpiTotals> mpi = {};  ///< of a region: what its time in MPI went to; see addMpiTimes()
};

struct WaitRequest {
    std::optional<TimeSpan> span;  ///< session time; nullopt: the whole run
    std::vector<Filter> filters;
    WaitGrouping grouping = WaitGrouping::Region;
    std::vector<TimeNs> clockShiftsNs = {};
    std::size_t longest = 100;
};

/// Who waited for whom in a span of session time.
struct WaitRows {
    std::vector<WaitRow> rows;  ///< greatest total first
    TimeNs totalNs = 0;
    std::uint64_t count = 0;
    std::uint64_t hidden = 0;  ///< waits of the span that filters hide
    std::uint64_t inferredCollectives = 0;
    WaitGrouping grouping = WaitGrouping::Region;
    MpiTotals mpi = {};  ///< of all regions; see addMpiTimes()
};

/// Sums are those of sumWaitStates(). Waits of locations and regions, and for messages, that filters hide are
/// left out; causes may be hidden. O(states log states).
WaitRows makeWaitRows(const Session& session, const SessionWaits& waits, const WaitRequest& request);

/// Adds what the waits of the span and locations of the request leave open of the time in MPI: of all
/// regions, hidden ones too, and where rows are regions of each. Regions that did not wait get rows behind
/// the others, unless filters hide them. Errors: Cancelled. O(calls).
Result<void> addMpiTimes(WaitRows& rows, const Session& session, const SessionWaits& waits,
                         const WaitRequest& request, const Task& task);

/// The waiting call, and the call that it waited for; that is its location alone where no call is known.
Selection selectWait(const Session& session, std::uint32_t experiment, const WaitState& state);
Selection selectCause(const Session& session, std::uint32_t experiment, const WaitState& state);

/// Session time from the earlier of the two calls' begins to the end of the wait.
TimeSpan spanOfWait(const Session& session, const SessionClock& clock, std::uint32_t experiment,
                    const WaitState& state);

}  // namespace skein
