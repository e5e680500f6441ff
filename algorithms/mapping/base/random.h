// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace skein {

/// A small seeded generator for searches (xorshift64*, Vigna 2016): the same numbers on every machine and
/// compiler, which the standard's distributions do not promise.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(mix(seed) | 1) {}

    std::uint64_t next()
    {
        state_ ^= state_ >> 12;
        state_ ^= state_ << 25;
        state_ ^= state_ >> 27;
        return state_ * 2685821657736338717ull;
    }
    /// Uniform in [0, bound); bound > 0.
    std::uint32_t below(std::uint32_t bound)
    {
        return static_cast<std::uint32_t>(((next() >> 32) * std::uint64_t{bound}) >> 32);
    }
    /// Uniform in [0, 1).
    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

    /// Spreads neighbouring seeds apart (splitmix64).
    static std::uint64_t mix(std::uint64_t value)
    {
        value += 0x9E3779B97F4A7C15ull;
        value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9ull;
        value = (value ^ (value >> 27)) * 0x94D049BB133111EBull;
        return value ^ (value >> 31);
    }

private:
    std::uint64_t state_;
};

}  // namespace skein
