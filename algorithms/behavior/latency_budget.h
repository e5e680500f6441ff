// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <limits>

namespace skein {

/// How long something progressive may take. It asks a clock, which tests replace.
class LatencyBudget {
public:
    using Clock = std::function<double()>;  ///< seconds since any moment

    /// Without an end.
    LatencyBudget() : LatencyBudget(std::numeric_limits<double>::infinity()) {}
    explicit LatencyBudget(double seconds)
        : LatencyBudget(seconds, [] {
              return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
                  .count();
          })
    {
    }
    LatencyBudget(double seconds, Clock clock) : clock_(std::move(clock)), begin_(clock_()), seconds_(seconds)
    {
    }

    double elapsed() const { return clock_() - begin_; }
    double remaining() const { return seconds_ - elapsed(); }
    bool spent() const { return !(remaining() > 0.0); }
    double seconds() const { return seconds_; }

private:
    Clock clock_;
    double begin_;
    double seconds_;
};

}  // namespace skein
