// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/profile_share.h"

#include <algorithm>
#include <chrono>

namespace skein {

/// Asked under the lock. Entries that nobody is at or has anything of go.
ProfileShare::Entry& ProfileShare::entryOf(const ExperimentPtr& experiment, const ProfilePart& part)
{
    std::erase_if(entries_, [](const Entry& entry) {
        return !entry.building && entry.waiting == 0 && entry.profile.expired();
    });
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.experiment.lock() == experiment && entry.part == part;
    });
    return found == entries_.end() ? entries_.emplace_back(Entry{experiment, part, {}}) : *found;
}

/// For the one who builds; null where that came to nothing, or after a stop request.
std::shared_ptr<const Profile> ProfileShare::wait(Entry& entry, std::unique_lock<std::mutex>& lock,
                                                  const Task& task)
{
    constexpr auto kBetweenStopChecks = std::chrono::milliseconds(5);
    ++entry.waiting;
    while (entry.building && !task.stopRequested()) changed_.wait_for(lock, kBetweenStopChecks);
    auto profile = entry.handedOver;
    if (--entry.waiting == 0) entry.handedOver.reset();
    return profile;
}

Result<std::shared_ptr<const Profile>> ProfileShare::build(Entry& entry, std::unique_lock<std::mutex>& lock,
                                                           const Task& task)
{
    const ExperimentPtr experiment = entry.experiment.lock();
    entry.building = true;
    lock.unlock();
    const auto end = [&] {
        lock.lock();
        entry.building = false;
        changed_.notify_all();
    };
    try {
        auto built = profileOfPart(*experiment, entry.part, task);
        end();
        if (built) entry.profile = *built;
        if (built && entry.waiting > 0) entry.handedOver = *built;
        return built;
    } catch (...) {
        end();
        throw;
    }
}

Result<std::shared_ptr<const Profile>> ProfileShare::of(const ExperimentPtr& experiment,
                                                        const ProfilePart& part, const Task& task)
{
    std::unique_lock lock(mutex_);
    Entry& entry = entryOf(experiment, part);
    while (entry.building) {
        if (auto profile = wait(entry, lock, task)) return profile;
        if (task.stopRequested()) return cancelled();
    }
    if (auto known = entry.profile.lock()) return known;
    return build(entry, lock, task);
}

}  // namespace skein
