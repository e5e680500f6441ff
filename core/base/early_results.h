// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace skein {

/// What is known of a result before it is complete. Whoever makes it tells; whoever waits for it hears: at
/// once what was told last, then each as it comes. To be kept in a ResultStore beside the result. May be
/// used from any thread; those that hear do so one after another, on the thread that tells or begins to
/// listen, and must not tell or listen themselves.
template <typename Value>
class EarlyResults {
public:
    using ValuePtr = std::shared_ptr<const Value>;
    using Hear = std::function<void(const ValuePtr&)>;

    /// Hears as long as it lives; once it has gone nothing more is heard.
    class Listener {
    public:
        Listener(const EarlyResults& results, Hear hear) : results_(results)
        {
            const std::scoped_lock lock(results_.mutex_);
            if (results_.latest_) hear(results_.latest_);
            place_ = results_.listeners_.insert(results_.listeners_.end(), std::move(hear));
        }
        ~Listener()
        {
            const std::scoped_lock lock(results_.mutex_);
            results_.listeners_.erase(place_);
        }
        Listener(const Listener&) = delete;
        Listener& operator=(const Listener&) = delete;

    private:
        const EarlyResults& results_;
        typename std::list<Hear>::iterator place_;
    };

    void tell(ValuePtr value) const
    {
        const std::scoped_lock lock(mutex_);
        latest_ = std::move(value);
        for (const Hear& hear : listeners_) hear(latest_);
    }

    /// Nothing is early any more: the result is complete, or nobody makes it.
    void forget() const
    {
        const std::scoped_lock lock(mutex_);
        latest_ = nullptr;
    }

private:
    mutable std::mutex mutex_;
    mutable ValuePtr latest_;
    mutable std::list<Hear> listeners_;
};

}  // namespace skein
