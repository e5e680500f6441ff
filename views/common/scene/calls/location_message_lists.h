// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/index/location_messages.h"
#include "core/select/view_state.h"
#include "core/session/experiment.h"

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace skein {

using LocationMessagesPtr = std::shared_ptr<const LocationMessages>;

/// The messages of the locations of a session that were looked at last. Thread-safe.
class LocationMessageLists {
public:
    /// O(messages of the trace) for the first time. Null where there is no such location, and after a stop.
    LocationMessagesPtr of(const Session& session, LocationRef location, const Task& task)
    {
        if (auto ready = known(location)) return ready;
        if (location.experiment >= session.experiments.size()
            || !session.experiments[location.experiment]->trace)
            return nullptr;
        auto made = std::make_shared<const LocationMessages>(
            messagesOf(session.experiments[location.experiment]->trace->messages, location.id, task));
        if (task.stopRequested()) return nullptr;
        const std::lock_guard lock(mutex_);
        if (lists_.size() >= kMost) lists_.erase(lists_.begin());
        lists_.emplace_back(location, made);
        return made;
    }

    /// Null where nobody has asked of() for it; does not wait.
    LocationMessagesPtr known(LocationRef location) const
    {
        const std::lock_guard lock(mutex_);
        for (const auto& [of, list] : lists_)
            if (of == location) return list;
        return nullptr;
    }

private:
    static constexpr std::size_t kMost = 8;

    mutable std::mutex mutex_;
    std::vector<std::pair<LocationRef, LocationMessagesPtr>> lists_;  ///< the oldest first
};

}  // namespace skein
