// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <ctime>

namespace skein {

/// Tries per second and thread that schedules reckon with before they have measured any.
inline constexpr double kUsualRate = 25e6;

/// How much a search may spend: a number of steps (tried swaps), for results that are the same everywhere, or
/// seconds.
struct SearchBudget {
    double seconds = 10.0;
    std::uint64_t steps = 0;  ///< 0: by time
};

/// Tells a search how far through its budget it is. A part of a search gets a clock for its share. Read by
/// any thread.
class SearchClock {
public:
    using Instant = std::chrono::steady_clock::time_point;

    explicit SearchClock(SearchBudget budget)
        : begin_(std::chrono::steady_clock::now()),
          seconds_(budget.seconds),
          steps_(budget.steps),
          deadline_(deadlineOf(begin_, budget)),
          origin_(begin_),
          work_(threadSeconds())
    {
    }

    bool bySteps() const { return steps_ > 0; }
    /// Fraction of the budget that is spent when `steps` swaps were tried since the clock began; at least 1
    /// when over.
    double spent(std::uint64_t steps) const
    {
        if (late()) return 1.0;
        if (bySteps()) return static_cast<double>(steps) / static_cast<double>(steps_);
        return seconds_ <= 0.0 ? 1.0 : elapsed() / seconds_;
    }
    double elapsed() const
    {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count();
    }
    double seconds() const { return seconds_; }
    std::uint64_t steps() const { return steps_; }
    /// Is it over by time? Never with a budget in steps alone.
    bool late() const { return deadline_ != Instant::max() && std::chrono::steady_clock::now() >= deadline_; }
    /// How much longer work takes than on a core of its own: wall time per processor time of the thread that
    /// made the first clock, from then on. Asked by that thread only; at least 1, and 1 before there is
    /// something to tell.
    double slowdown() const
    {
        constexpr double kWorthTelling = 0.005;
        constexpr double kMost = 20.0;
        const double work = threadSeconds() - work_;
        const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - origin_).count();
        return work < kWorthTelling ? 1.0 : std::clamp(wall / work, 1.0, kMost);
    }
    /// What is left when `steps` were used, times `share`; the part's clock begins now.
    SearchClock part(std::uint64_t used, double share) const
    {
        SearchBudget budget;
        budget.seconds = std::max(0.0, (seconds_ - elapsed()) * share);
        if (bySteps())
            budget.steps = std::max<std::uint64_t>(
                1, static_cast<std::uint64_t>(static_cast<double>(steps_ - std::min(steps_, used)) * share));
        SearchClock clock(budget);
        clock.deadline_ = bySteps() ? deadline_ : clock.deadline_;
        clock.origin_ = origin_;
        clock.work_ = work_;
        return clock;
    }
    /// A clock for `steps` that is over when this one is by time: what ends before that is the same at any
    /// speed.
    SearchClock withSteps(std::uint64_t steps) const
    {
        SearchClock clock(SearchBudget{seconds_, steps});
        clock.deadline_ = deadline_;
        clock.origin_ = origin_;
        clock.work_ = work_;
        return clock;
    }

private:
    static Instant deadlineOf(Instant begin, const SearchBudget& budget)
    {
        constexpr double kMostSeconds = 1e9;
        if (budget.steps > 0) return Instant::max();
        return begin
            + std::chrono::duration_cast<Instant::duration>(
                   std::chrono::duration<double>(std::clamp(budget.seconds, 0.0, kMostSeconds)));
    }
    static double threadSeconds()
    {
        timespec time{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
    }

    Instant begin_;
    double seconds_ = 0.0;
    std::uint64_t steps_ = 0;
    Instant deadline_;
    Instant origin_;
    double work_ = 0.0;
};

}  // namespace skein
