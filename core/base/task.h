// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <stop_token>
#include <string_view>
#include <utility>

namespace skein {

/// How long work hears that it should stop, tells how far it is, and knows how many threads it may use.
/// Last parameter of everything long, as `const Task&`. Cheap to copy. All methods may be called from any
/// thread. Work asks stopRequested() at least every 10 ms and then returns `cancelled()`.
class Task {
public:
    /// Receives the fraction done (0…1, never decreasing per stage) and the stage in the user's words.
    using Progress = std::function<void(double fraction, std::string_view stage)>;

    /// Never stops, reports nowhere, uses as many threads as can run, see usableThreads().
    Task() = default;
    explicit Task(std::stop_token stop, Progress progress = {}, int threads = 0);

    bool stopRequested() const { return stop_.stop_requested(); }
    std::stop_token stopToken() const { return stop_; }

    /// Tells how far the work is. May be called often: the receiver decides what it shows.
    void report(double fraction, std::string_view stage) const;

    /// The number of threads the work may use; at least 1.
    int threads() const;

    /// The same stop and receiver for a part of the work that covers [from, to] of the whole.
    Task part(double from, double to) const;
    /// The same stop and progress with another number of threads.
    Task withThreads(int threads) const;

private:
    std::stop_token stop_;
    std::shared_ptr<const Progress> progress_;
    double from_ = 0.0;
    double to_ = 1.0;
    int threads_ = 0;  ///< 0: as many as can run when it is first asked
};

}  // namespace skein
