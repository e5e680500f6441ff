// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <memory>
#include <system_error>
#include <thread>
#include <utility>

namespace skein {

/// Destroys a value on a thread of its own, for what is large and nobody waits for. Where no thread can be
/// had it is destroyed before this returns. The value's destructor must not touch anything that may be gone
/// by then.
template <typename T>
void destroyLater(std::unique_ptr<T> value)
{
    if (!value) return;
    T* const raw = value.get();
    try {
        std::thread([raw] { const std::unique_ptr<T> last(raw); }).detach();
        static_cast<void>(value.release());
    } catch (const std::system_error&) {
        value.reset();
    }
}

/// Holds what long work has made so far. Who has asked it to stop does not wait for that to be taken down:
/// giving back the memory of some thousand half-read files takes as long as 0.1 s. Ends like any value where
/// nobody asked for a stop. T's destructor must not use what T merely refers to. Not thread-safe.
template <typename T>
class Unfinished {
public:
    template <typename... Arguments>
    explicit Unfinished(const Task& task, Arguments&&... arguments)
        : task_(task), value_(std::make_unique<T>(std::forward<Arguments>(arguments)...))
    {
    }
    ~Unfinished()
    {
        if (task_.stopRequested()) destroyLater(std::move(value_));
    }
    Unfinished(const Unfinished&) = delete;
    Unfinished& operator=(const Unfinished&) = delete;

    T& operator*() const { return *value_; }
    T* operator->() const { return value_.get(); }

private:
    const Task& task_;
    std::unique_ptr<T> value_;
};

}  // namespace skein
