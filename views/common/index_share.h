// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"
#include "core/index/timeline_index.h"
#include "core/session/experiment.h"
#include "views/common/scene/timeline_data.h"

#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

namespace skein {

/// The level-of-detail indexes of the open traces: those they came with; others are built when the first view
/// asks, once however many ask. An index is kept as long as its trace is. All methods may be called from any
/// thread.
class IndexShare {
public:
    /// Waits where another thread builds the same index. Errors: Cancelled only.
    Result<TimelineIndexPtr> of(const Experiment& experiment, const Task& task);

    /// The indexes of all traces of a session and their clock.
    Result<TimelineDataPtr> dataOf(const Session& session, const Task& task);

private:
    struct Entry {
        std::weak_ptr<const Trace> trace;
        TimelineIndexPtr index;  ///< null while it is being built
        bool building = false;
    };

    Entry& entryOf(const std::shared_ptr<const Trace>& trace);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::vector<Entry> entries_;
};

}  // namespace skein
