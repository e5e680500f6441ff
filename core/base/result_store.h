// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/task.h"

#include <any>
#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <utility>

namespace skein {

/// Results that several may ask for at once, each made by the first who asks and once however many ask. A
/// result belongs to an owner, such as the trace that it was worked out from, and has a key among the owner's
/// results of its type. Failures are not kept: the next who asks tries again. May be called from any thread.
class ResultStore {
public:
    /// How long a result is kept here: as long as its owner lives, or as long as somebody holds it.
    enum class Keep { WhileOwnerLives, WhileHeld };

    /// The result of type Value under this owner and key: what is known, what another thread is making, or
    /// what `make()` gives, a Result<std::shared_ptr<const Value>>. Keys are compared by `==`; keys of
    /// different types are different. `make` may ask for other results, not for its own. Who waits for
    /// another thread hears `task`, and makes it itself where that thread failed or was stopped.
    /// Errors: Cancelled while waiting, and those of `make`.
    template <typename Value, typename Key, typename Make>
    Result<std::shared_ptr<const Value>> get(const std::shared_ptr<const void>& owner, const Key& key,
                                             Keep keep, const Task& task, const Make& make)
    {
        auto answer = find({owner, KeyOf<Value, Key>{key}, sameAs<Value>(key), keep}, task,
                           [&make]() -> Result<Anything> {
                               Result<std::shared_ptr<const Value>> made = make();
                               if (!made) return Unexpected(std::move(made.error()));
                               return Anything(std::move(*made));
                           });
        if (!answer) return Unexpected(std::move(answer.error()));
        return std::static_pointer_cast<const Value>(std::move(*answer));
    }

    /// The result if it is known now, else null: nobody waits and nothing is made.
    template <typename Value, typename Key>
    std::shared_ptr<const Value> known(const std::shared_ptr<const void>& owner, const Key& key)
    {
        return std::static_pointer_cast<const Value>(knownOf(owner, sameAs<Value>(key)));
    }

private:
    using Anything = std::shared_ptr<const void>;

    template <typename Value, typename Key>
    struct KeyOf {
        Key key;
    };

    template <typename Value, typename Key>
    static std::function<bool(const std::any& known)> sameAs(const Key& key)
    {
        return [&key](const std::any& known) {
            const auto* kept = std::any_cast<KeyOf<Value, Key>>(&known);
            return kept && kept->key == key;
        };
    }

    struct Question {
        const Anything& owner;
        std::any key;
        std::function<bool(const std::any& known)> same;
        Keep keep;
    };

    struct Entry {
        std::weak_ptr<const void> owner;
        std::any key;
        Keep keep;
        std::weak_ptr<const void> result = {};
        Anything held = {};  ///< the result, while it is to be kept or somebody waits for it
        int waiting = 0;
        bool making = false;

        bool needed() const;
    };

    Result<Anything> find(const Question& question, const Task& task,
                          const std::function<Result<Anything>()>& make);
    Anything knownOf(const Anything& owner, const std::function<bool(const std::any& known)>& same);
    Entry& entryOf(const Question& question);
    Anything await(Entry& entry, std::unique_lock<std::mutex>& lock, const Task& task);
    Result<Anything> makeFor(Entry& entry, std::unique_lock<std::mutex>& lock,
                             const std::function<Result<Anything>()>& make);

    std::mutex mutex_;
    std::condition_variable changed_;
    std::list<Entry> entries_;  ///< an entry stays where it is while somebody is at it
};

}  // namespace skein
