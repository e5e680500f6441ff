// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace skein {

/// The first call of the location that begins at or after the time; the number of calls if there is none.
/// O(log calls). The begin and the end of the run, which pictures of the whole run ask for, are looked up at
/// the ends of the column first: a binary search would touch pages all over a file that may not be in memory.
inline std::uint32_t firstCallFrom(const CallIntervals& calls, TimeNs time)
{
    constexpr std::size_t kNear = 64;
    const auto& begins = calls.begin;
    if (begins.empty() || begins.back() < time) return static_cast<std::uint32_t>(begins.size());
    const std::size_t near = std::min(kNear, begins.size());
    const auto* const end = begins[near - 1] >= time ? begins.begin() + near : begins.end();
    return static_cast<std::uint32_t>(std::lower_bound(begins.begin(), end, time) - begins.begin());
}

}  // namespace skein
