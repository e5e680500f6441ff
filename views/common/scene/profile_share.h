// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/profile/restrict.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/session/experiment.h"

#include <condition_variable>
#include <list>
#include <memory>
#include <mutex>

namespace skein {

/// Profiles of parts of runs that several views ask for at once, as when an archive is opened: summed up by
/// the first, for all of them. Nothing is kept that nobody has or waits for. May be called from any thread.
class ProfileShare {
public:
    /// As profileOfPart(). Waits where another thread is at it; goes on itself where that was stopped or
    /// failed.
    Result<std::shared_ptr<const Profile>> of(const ExperimentPtr& experiment, const ProfilePart& part,
                                              const Task& task);

private:
    struct Entry {
        std::weak_ptr<const Experiment> experiment;
        ProfilePart part;
        std::weak_ptr<const Profile> profile;
        std::shared_ptr<const Profile> handedOver = {};  ///< while somebody waits
        int waiting = 0;
        bool building = false;
    };

    Entry& entryOf(const ExperimentPtr& experiment, const ProfilePart& part);
    Result<std::shared_ptr<const Profile>> build(Entry& entry, std::unique_lock<std::mutex>& lock,
                                                 const Task& task);
    std::shared_ptr<const Profile> wait(Entry& entry, std::unique_lock<std::mutex>& lock, const Task& task);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Entry> entries_;  ///< an entry stays where it is while somebody is at it
};

}  // namespace skein
