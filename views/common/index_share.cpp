// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/index_share.h"

#include <algorithm>
#include <chrono>

namespace skein {

/// Asked under the lock. Entries of traces that are gone go as well.
IndexShare::Entry& IndexShare::entryOf(const std::shared_ptr<const Trace>& trace)
{
    std::erase_if(entries_, [](const Entry& entry) { return entry.trace.expired(); });
    const auto found = std::find_if(entries_.begin(), entries_.end(),
                                    [&](const Entry& entry) { return entry.trace.lock() == trace; });
    return found == entries_.end() ? entries_.emplace_back(Entry{trace, nullptr, false}) : *found;
}

Result<TimelineIndexPtr> IndexShare::of(const Experiment& experiment, const Task& task)
{
    if (experiment.timelineIndex) return experiment.timelineIndex;
    constexpr auto kBetweenStopChecks = std::chrono::milliseconds(5);
    std::unique_lock lock(mutex_);
    while (entryOf(experiment.trace).building) {
        if (task.stopRequested()) return cancelled();
        changed_.wait_for(lock, kBetweenStopChecks);
    }
    if (const TimelineIndexPtr& known = entryOf(experiment.trace).index) return known;
    entryOf(experiment.trace).building = true;
    lock.unlock();
    auto built = buildTimelineIndex(*experiment.trace, *experiment.callTree,
                                    firstOfName(experiment.definitions), task);
    lock.lock();
    Entry& entry = entryOf(experiment.trace);
    entry.building = false;
    changed_.notify_all();
    if (!built) return Unexpected(built.error());
    entry.index = std::make_shared<const TimelineIndex>(std::move(*built));
    return entry.index;
}

Result<TimelineDataPtr> IndexShare::dataOf(const Session& session, const Task& task)
{
    std::vector<TimelineIndexPtr> indexes;
    const auto count = static_cast<double>(session.experiments.size());
    for (const ExperimentPtr& experiment : session.experiments) {
        const auto done = static_cast<double>(indexes.size());
        indexes.emplace_back();
        if (!experiment->trace) continue;
        auto index = of(*experiment, task.part(done / count, (done + 1) / count));
        if (!index) return Unexpected(index.error());
        indexes.back() = std::move(*index);
    }
    return makeTimelineData(session, std::move(indexes));
}

}  // namespace skein
