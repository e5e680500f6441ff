// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

namespace skein {

/// 1, 1, 2, 1, 1, 2, 4, … for i = 1, 2, …: lengths of restarted runs when nobody knows which length is
/// best (Luby, Sinclair, Zuckerman 1993).
constexpr std::uint64_t lubyNumber(std::uint64_t i)
{
    while (true) {
        const int bits = std::bit_width(i);
        if (i == (std::uint64_t{1} << bits) - 1) return std::uint64_t{1} << (bits - 1);
        i -= (std::uint64_t{1} << (bits - 1)) - 1;
    }
}

}  // namespace skein
