// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/io/stream/stream_reader.h"

#include <condition_variable>
#include <mutex>
#include <stop_token>

namespace skein {

/// Events on their way from the thread that reads to the one that takes them, bounded in bytes.
class StreamEventQueue {
public:
    explicit StreamEventQueue(std::size_t mostBytes) : most_(mostBytes) {}

    /// Waits for room, or a stop. An event that is larger than all room finds it in an empty queue.
    void push(StreamEvent event, const std::stop_token& stop)
    {
        const std::size_t bytes = sizeof(StreamEvent) + event.text.size();
        std::unique_lock lock(mutex_);
        room_.wait(lock, stop, [&] { return bytes_ == 0 || bytes_ + bytes <= most_; });
        if (stop.stop_requested()) return;
        bytes_ += bytes;
        events_.push_back(std::move(event));
        lock.unlock();
        some_.notify_one();
    }

    std::vector<StreamEvent> take(std::chrono::milliseconds wait)
    {
        std::unique_lock lock(mutex_);
        some_.wait_for(lock, wait, [&] { return !events_.empty(); });
        std::vector<StreamEvent> taken = std::move(events_);
        events_.clear();
        bytes_ = 0;
        lock.unlock();
        room_.notify_all();
        return taken;
    }

    std::size_t bytes() const
    {
        const std::lock_guard lock(mutex_);
        return bytes_;
    }

private:
    std::size_t most_;
    mutable std::mutex mutex_;
    std::condition_variable some_;
    std::condition_variable_any room_;
    std::vector<StreamEvent> events_;
    std::size_t bytes_ = 0;
};

}  // namespace skein
