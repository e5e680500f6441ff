// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"
#include "views/common/scene/session_waits.h"

#include <memory>
#include <mutex>
#include <vector>

namespace skein {

/// The wait states of the open traces: found when the first view asks, once however many ask. They are kept
/// as long as their trace is. May be called from any thread.
class WaitShare {
public:
    /// Waits where another thread is at it. Errors: Cancelled only.
    Result<SessionWaitsPtr> of(const Session& session, const Task& task);

private:
    struct Entry {
        std::weak_ptr<const Trace> trace;
        WaitIndexPtr waits;
    };

    Result<WaitIndexPtr> ofTrace(const Experiment& experiment, const Task& task);

    std::timed_mutex mutex_;
    std::vector<Entry> entries_;
};

}  // namespace skein
