// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <cstdint>
#include <span>

namespace skein {

/// A time stamp in units of the archive's own clock.
using Tick = std::uint64_t;

/// A tick where a field of times is to hold it until it is converted.
constexpr TimeNs tickBits(Tick tick) { return static_cast<TimeNs>(tick); }

/// Turns ticks into nanoseconds from an origin: exactly ⌊(tick − origin) · 10⁹ / ticksPerSecond⌋, saturated
/// at ±2⁶² (146 years). Monotonic. Safe to use from several threads.
class TickConverter {
public:
    /// `ticksPerSecond` must not be 0.
    TickConverter(std::uint64_t ticksPerSecond, Tick originTicks);

    TimeNs toNs(Tick tick) const
    {
        if (tick < origin_) return negativeNs(origin_ - tick);
        const std::uint64_t elapsed = tick - origin_;
        return elapsed <= fastLimit_ ? fastNs(elapsed) : slowNs(elapsed);
    }

    /// Converts a field that holds a tick's bits; kNoTime stays what it is.
    void convert(TimeNs& time) const
    {
        if (time != kNoTime) time = toNs(static_cast<Tick>(time));
    }
    void convert(std::span<TimeNs> times) const;

private:
    /// Multiplies by a rounded-down reciprocal, which is at most one too small, and puts that right.
    TimeNs fastNs(std::uint64_t elapsed) const
    {
        const std::uint64_t estimate = elapsed * wholeNs_
            + static_cast<std::uint64_t>(static_cast<unsigned __int128>(elapsed) * fractionNs_ >> 64);
        const std::uint64_t remainder = elapsed * 1'000'000'000u - estimate * ticksPerSecond_;
        return static_cast<TimeNs>(estimate + (remainder >= ticksPerSecond_));
    }
    TimeNs slowNs(std::uint64_t elapsed) const;
    TimeNs negativeNs(std::uint64_t before) const;

    std::uint64_t ticksPerSecond_;
    Tick origin_;
    std::uint64_t wholeNs_;     ///< whole nanoseconds a tick
    std::uint64_t fractionNs_;  ///< the rest of a tick's nanoseconds, in units of 2⁻⁶⁴ ns
    std::uint64_t fastLimit_;   ///< largest elapsed ticks for which 64 bits suffice
};

}  // namespace skein
