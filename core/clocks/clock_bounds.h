// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/clocks/clock_constraints.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

/// What facts say about the offsets of clocks. Internal to their estimation.
namespace skein::clocks {

/// Bounds of every clock's offset; kUnbounded where nothing bounds it on that side.
struct Bounds {
    std::vector<TimeNs> upper;
    std::vector<TimeNs> negatedLower;

    bool bounded(std::size_t clock) const
    {
        return upper[clock] < kUnbounded && negatedLower[clock] < kUnbounded;
    }
    bool containsZero(std::size_t clock) const { return upper[clock] >= 0 && negatedLower[clock] >= 0; }
    /// Rounded down, so that differences still obey whole bounds. On the side of zero where one bound is
    /// missing.
    TimeNs middle(std::size_t clock) const
    {
        if (bounded(clock)) return (upper[clock] - negatedLower[clock]) >> 1;
        if (upper[clock] < kUnbounded) return std::min<TimeNs>(0, upper[clock]);
        return negatedLower[clock] < kUnbounded ? std::max<TimeNs>(0, -negatedLower[clock]) : 0;
    }
    /// The greatest distance from an estimate to what is still possible.
    double error(std::size_t clock, TimeNs estimate) const
    {
        if (!bounded(clock)) return std::numeric_limits<double>::infinity();
        return static_cast<double>(std::max(upper[clock] - estimate, estimate + negatedLower[clock]));
    }
};

/// The bounds where the clocks in `zeros` have offset 0 and every fact is made `slack` ns weaker; nullopt
/// where the facts contradict each other. On up to two threads.
std::optional<Bounds> boundsOf(const Constraints& constraints, const std::vector<bool>& zeros, TimeNs slack,
                               const Task& task);

std::vector<bool> onlyReference(std::size_t clocks, LocationGroupId reference);

/// The least weakening of all facts, up to `enough`, under which constant offsets exist: clocks that drift,
/// or partners that were matched wrongly, contradict each other by some nanoseconds.
TimeNs leastSlack(const Constraints& constraints, const std::vector<bool>& zeros, TimeNs enough,
                  const Task& task);

}  // namespace skein::clocks
