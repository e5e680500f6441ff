// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/timeline/clock_bounds.h"

namespace skein::clocks {

std::optional<Bounds> boundsOf(const Constraints& constraints, const std::vector<bool>& zeros, TimeNs slack)
{
    std::vector<TimeNs> start(constraints.clocks(), kUnbounded);
    for (std::size_t clock = 0; clock < zeros.size(); ++clock)
        if (zeros[clock]) start[clock] = 0;
    Bounds bounds{start, start};
    if (!constraints.tightenUpper(bounds.upper, slack)
        || !constraints.tightenLower(bounds.negatedLower, slack))
        return std::nullopt;
    return bounds;
}

std::vector<bool> onlyReference(std::size_t clocks, LocationGroupId reference)
{
    std::vector<bool> zeros(clocks, false);
    zeros[reference.index()] = true;
    return zeros;
}

TimeNs leastSlack(const Constraints& constraints, const std::vector<bool>& zeros, TimeNs enough)
{
    TimeNs tooLittle = -1;
    while (enough - tooLittle > 1) {
        const TimeNs middle = tooLittle + (enough - tooLittle) / 2;
        if (boundsOf(constraints, zeros, middle)) enough = middle;
        else tooLittle = middle;
    }
    return enough;
}

}  // namespace skein::clocks
