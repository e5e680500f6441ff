// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/wait_share.h"

#include <chrono>

namespace skein {

Result<WaitIndexPtr> WaitShare::ofTrace(const Experiment& experiment, const Task& task)
{
    for (const Entry& entry : entries_)
        if (entry.trace.lock() == experiment.trace) return entry.waits;
    auto found = findWaitStates(experiment, task);
    if (!found) return Unexpected(found.error());
    entries_.push_back({experiment.trace, std::make_shared<const WaitIndex>(std::move(*found))});
    return entries_.back().waits;
}

Result<SessionWaitsPtr> WaitShare::of(const Session& session, const Task& task)
{
    constexpr auto kBetweenStopChecks = std::chrono::milliseconds(5);
    std::unique_lock lock(mutex_, std::defer_lock);
    while (!lock.try_lock_for(kBetweenStopChecks))
        if (task.stopRequested()) return cancelled();
    std::erase_if(entries_, [](const Entry& entry) { return entry.trace.expired(); });
    auto result = std::make_shared<SessionWaits>();
    const auto count = static_cast<double>(session.experiments.size());
    for (const ExperimentPtr& experiment : session.experiments) {
        const auto done = static_cast<double>(result->experiments.size());
        result->experiments.emplace_back();
        if (!experiment->trace) continue;
        auto waits = ofTrace(*experiment, task.part(done / count, (done + 1) / count));
        if (!waits) return Unexpected(waits.error());
        result->experiments.back() = std::move(*waits);
    }
    return SessionWaitsPtr(std::move(result));
}

}  // namespace skein
