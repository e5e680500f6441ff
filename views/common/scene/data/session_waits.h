// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/timeline/wait_index.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"
#include "views/common/scene/color/color.h"
#include "views/common/scene/data/memo.h"
#include "views/common/scene/data/message_filters.h"

#include <memory>
#include <string>
#include <vector>

namespace skein {

/// The wait states of the traces that are open together. Immutable, may cross threads.
struct SessionWaits {
    std::vector<WaitIndexPtr> experiments;  ///< null where there is no trace
    std::shared_ptr<Memo<std::vector<Filter>, SessionWaits>> passing =
        std::make_shared<Memo<std::vector<Filter>, SessionWaits>>();  ///< see waitsPassing()

    /// Null where there is none.
    const WaitIndex* of(std::uint32_t experiment) const
    {
        return experiment < experiments.size() ? experiments[experiment].get() : nullptr;
    }
};

using SessionWaitsPtr = std::shared_ptr<const SessionWaits>;

/// Those whose location and region, and the message that they were for, pass the filters, in the same order.
/// O(states · filters + rules of messages · (call paths + locations)).
WaitStates waitsPassing(const Session& session, std::uint32_t experiment, const WaitStates& waits,
                        const std::vector<Filter>& filters);
/// As above, of all traces; the last answer is remembered. Without filters the waits themselves.
SessionWaitsPtr waitsPassing(const Session& session, const SessionWaitsPtr& waits,
                             const std::vector<Filter>& filters);

/// Whether the call waited for what these filters leave, as waitsPassing() says: for one call, while the
/// window waits. O(filters) where `memo` has the filters of messages.
bool waitPasses(const Session& session, const SessionWaits& waits, IntervalRef call,
                const std::vector<Filter>& filters, MessageFiltersMemo& memo);

/// Colours of wait states: apart from each other and from the red of MPI calls, in which they happen.
Color waitColor(WaitKind kind, bool dark);

/// The wait of a call; null where it did not wait or is not known.
const WaitState* waitOf(const Session& session, const SessionWaits& waits, IntervalRef call);

/// "late sender: waited 1.2 ms for Rank 3"; empty where the call waited for nobody.
std::string waitSummary(const Session& session, const SessionWaits& waits, IntervalRef call);

/// "late sender: waited 3.2 ms for Rank 5 (MPI_Isend)"; empty where the call did not wait.
std::string waitText(const Session& session, const SessionWaits& waits, IntervalRef call);

/// Selects the call that this one waited for, or its location where no call is known; empty where it did not
/// wait.
Selection selectCauseOf(const Session& session, const SessionWaits& waits, IntervalRef call);

}  // namespace skein
