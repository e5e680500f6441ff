// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/small_session.h"

#include <random>
#include <string>
#include <vector>

namespace skein::test {

/// Properly nested calls with gaps, bursts, calls without duration and calls that follow each other at once.
inline std::vector<Call> randomCalls(std::uint32_t seed, std::size_t count, int regions, int depths)
{
    std::mt19937 random(seed);
    const auto below = [&](int bound) { return static_cast<int>(random() % static_cast<unsigned>(bound)); };
    std::vector<Call> calls;
    std::vector<std::size_t> open;
    TimeNs now = below(5);
    while (calls.size() < count || !open.empty()) {
        if (below(3) != 0) now += below(20) == 0 ? below(5000) : below(12);
        const bool enter = calls.size() < count && static_cast<int>(open.size()) < depths && below(100) < 55;
        if (enter) {
            open.push_back(calls.size());
            calls.push_back({now, now, "region " + std::to_string(below(regions)),
                             static_cast<std::uint16_t>(open.size() - 1)});
        } else if (!open.empty()) {
            calls[open.back()].end = now;
            open.pop_back();
        }
    }
    return calls;
}

/// One location's calls as columns with their own call tree, as ExperimentBuilder makes them.
inline ExperimentPtr experimentOfRandomCalls(std::uint32_t seed, std::size_t count, int locations = 1,
                                             int regions = 9, int depths = 6)
{
    ExperimentBuilder builder("random " + std::to_string(seed));
    for (int location = 0; location < locations; ++location)
        builder.process(
            "node " + std::to_string(location / 4),
            randomCalls(seed * 1000 + static_cast<std::uint32_t>(location), count, regions, depths));
    return builder.finish();
}

}  // namespace skein::test
