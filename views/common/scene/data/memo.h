// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <utility>

namespace skein {

/// Remembers the last answer to a question that pictures ask again and again. Safe to use from several
/// threads.
template <typename Key, typename Value>
class Memo {
public:
    /// The value for the key: the remembered one, or what `make()` gives.
    template <typename Make>
    std::shared_ptr<const Value> get(const Key& key, Make make)
    {
        const std::lock_guard lock(mutex_);
        if (!value_ || *key_ != key) {
            value_ = std::make_shared<const Value>(make());
            key_ = key;
        }
        return value_;
    }

    /// The remembered value if `fits(key)`; null also while another thread makes one. Never waits.
    template <typename Fits>
    std::shared_ptr<const Value> known(Fits fits)
    {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        return lock && value_ && fits(*key_) ? value_ : nullptr;
    }

private:
    std::mutex mutex_;
    std::optional<Key> key_;
    std::shared_ptr<const Value> value_;
};

}  // namespace skein
