// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/clocks/clock_bounds.h"

#include "core/base/parallel_for.h"

namespace skein::clocks {

std::optional<Bounds> boundsOf(const Constraints& constraints, const std::vector<bool>& zeros, TimeNs slack,
                               const Task& task)
{
    std::vector<TimeNs> start(constraints.clocks(), kUnbounded);
    for (std::size_t clock = 0; clock < zeros.size(); ++clock)
        if (zeros[clock]) start[clock] = 0;
    Bounds bounds{start, start};
    bool upper = false, lower = false;
    const bool finished = parallelFor(2, task, [&](std::size_t side) {
        if (side == 0) upper = constraints.tightenUpper(bounds.upper, slack);
        else lower = constraints.tightenLower(bounds.negatedLower, slack);
    });
    if (!finished || !upper || !lower) return std::nullopt;
    return bounds;
}

std::vector<bool> onlyReference(std::size_t clocks, LocationGroupId reference)
{
    std::vector<bool> zeros(clocks, false);
    zeros[reference.index()] = true;
    return zeros;
}

TimeNs leastSlack(const Constraints& constraints, const std::vector<bool>& zeros, TimeNs enough,
                  const Task& task)
{
    if (enough <= 0 || boundsOf(constraints, zeros, 0, task)) return 0;
    TimeNs tooLittle = 0;
    while (enough - tooLittle > 1 && !task.stopRequested()) {
        const TimeNs middle = tooLittle + (enough - tooLittle) / 2;
        if (boundsOf(constraints, zeros, middle, task)) enough = middle;
        else tooLittle = middle;
    }
    return enough;
}

}  // namespace skein::clocks
