// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/tick_converter.h"

#include <algorithm>

namespace skein {
namespace {

constexpr std::uint64_t kNsPerSecond = 1'000'000'000u;
constexpr std::uint64_t kLargestNs = std::uint64_t{1} << 62;

using WideTicks = unsigned __int128;

}  // namespace

TickConverter::TickConverter(std::uint64_t ticksPerSecond, Tick originTicks)
    : ticksPerSecond_(ticksPerSecond),
      origin_(originTicks),
      wholeNs_(kNsPerSecond / ticksPerSecond),
      fractionNs_(
          static_cast<std::uint64_t>((WideTicks{kNsPerSecond % ticksPerSecond} << 64) / ticksPerSecond)),
      fastLimit_(static_cast<std::uint64_t>(
          std::min(WideTicks{~std::uint64_t{0}}, WideTicks{kLargestNs} * ticksPerSecond / kNsPerSecond)))
{
}

/// Ticks of nanoseconds, which most measurements have, need one subtraction. The compiler makes vector
/// instructions of the loops over a block.
void TickConverter::convert(std::span<TimeNs> times) const
{
    constexpr std::size_t kBlock = 512;
    for (std::size_t at = 0; at < times.size(); at += kBlock) {
        const std::span<TimeNs> block = times.subspan(at, std::min(kBlock, times.size() - at));
        std::uint64_t largest = 0;
        for (const TimeNs time : block) largest = std::max(largest, static_cast<Tick>(time) - origin_);
        if (ticksPerSecond_ == kNsPerSecond && std::max(largest, origin_) <= fastLimit_)
            for (TimeNs& time : block) time = static_cast<TimeNs>(static_cast<Tick>(time) - origin_);
        else
            for (TimeNs& time : block) convert(time);
    }
}

TimeNs TickConverter::slowNs(std::uint64_t elapsed) const
{
    const WideTicks exact = WideTicks{elapsed} * kNsPerSecond / ticksPerSecond_;
    return static_cast<TimeNs>(std::min(exact, WideTicks{kLargestNs}));
}

TimeNs TickConverter::negativeNs(std::uint64_t before) const
{
    const WideTicks roundedUp = (WideTicks{before} * kNsPerSecond + ticksPerSecond_ - 1) / ticksPerSecond_;
    return -static_cast<TimeNs>(std::min(roundedUp, WideTicks{kLargestNs}));
}

}  // namespace skein
