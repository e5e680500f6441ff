// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result_store.h"

#include <algorithm>
#include <chrono>

namespace skein {

bool ResultStore::Entry::needed() const
{
    return making || waiting > 0 || (!owner.expired() && !result.expired());
}

/// Asked under the lock. Entries that nobody needs any more go.
ResultStore::Entry& ResultStore::entryOf(const Question& question)
{
    std::erase_if(entries_, [](const Entry& entry) { return !entry.needed(); });
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.owner.lock() == question.owner && question.same(entry.key);
    });
    return found == entries_.end() ? entries_.emplace_back(Entry{question.owner, question.key, question.keep})
                                   : *found;
}

ResultStore::Anything ResultStore::knownOf(const Anything& owner,
                                           const std::function<bool(const std::any& known)>& same)
{
    const std::unique_lock lock(mutex_);
    const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
        return entry.owner.lock() == owner && same(entry.key);
    });
    return found == entries_.end() ? nullptr : found->result.lock();
}

/// What another thread makes; null where that came to nothing, or after a stop request.
ResultStore::Anything ResultStore::await(Entry& entry, std::unique_lock<std::mutex>& lock, const Task& task)
{
    constexpr auto kBetweenStopChecks = std::chrono::milliseconds(5);
    ++entry.waiting;
    while (entry.making && !task.stopRequested()) changed_.wait_for(lock, kBetweenStopChecks);
    Anything made = entry.held;
    if (--entry.waiting == 0 && entry.keep == Keep::WhileHeld) entry.held.reset();
    return made;
}

Result<ResultStore::Anything> ResultStore::makeFor(Entry& entry, std::unique_lock<std::mutex>& lock,
                                                   const std::function<Result<Anything>()>& make)
{
    entry.making = true;
    lock.unlock();
    const auto end = [&] {
        lock.lock();
        entry.making = false;
        changed_.notify_all();
    };
    try {
        auto made = make();
        end();
        if (!made) return made;
        entry.result = *made;
        if (entry.keep == Keep::WhileOwnerLives || entry.waiting > 0) entry.held = *made;
        return made;
    } catch (...) {
        end();
        throw;
    }
}

Result<ResultStore::Anything> ResultStore::find(const Question& question, const Task& task,
                                                const std::function<Result<Anything>()>& make)
{
    std::unique_lock lock(mutex_);
    Entry& entry = entryOf(question);
    while (entry.making) {
        if (Anything made = await(entry, lock, task)) return made;
        if (task.stopRequested()) return cancelled();
    }
    if (Anything known = entry.result.lock()) return known;
    return makeFor(entry, lock, make);
}

}  // namespace skein
