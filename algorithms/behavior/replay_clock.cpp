// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/replay_clock.h"

#include <algorithm>
#include <cmath>

namespace skein {

ReplayClock::ReplayClock(TimeSpan whole, double speed)
    : whole_(whole),
      speed_(speed > 0.0 ? speed : 1.0),
      placed_(whole.begin),
      placedAt_(0.0),
      heldAt_(whole.begin)
{
}

TimeNs ReplayClock::streamed(double now) const
{
    if (!begun_) return placed_;
    const double passed = std::max(0.0, now - placedAt_) * speed_ * 1e9;
    const auto left = static_cast<double>(whole_.end - placed_);
    return passed >= left ? whole_.end : placed_ + static_cast<TimeNs>(passed);
}

TimeNs ReplayClock::shown(double now) const { return held_ ? heldAt_ : streamed(now); }

void ReplayClock::place(double now, TimeNs at)
{
    placed_ = std::clamp(at, whole_.begin, whole_.end);
    placedAt_ = now;
}

void ReplayClock::resume(double now)
{
    if (!begun_) place(now, placed_);
    begun_ = true;
    held_ = false;
}

void ReplayClock::playOn(double now)
{
    const TimeNs from = shown(now);
    place(now, from >= whole_.end ? whole_.begin : from);
    begun_ = true;
    held_ = false;
}

void ReplayClock::pause(double now)
{
    if (held_) return;
    heldAt_ = streamed(now);
    held_ = true;
}

void ReplayClock::setSpeed(double now, double speed)
{
    if (!(speed > 0.0) || !std::isfinite(speed)) return;
    place(now, streamed(now));
    speed_ = speed;
}

void ReplayClock::scrub(double now, TimeNs to)
{
    heldAt_ = std::clamp(to, whole_.begin, whole_.end);
    held_ = true;
    if (heldAt_ > streamed(now)) place(now, heldAt_);
}

void ReplayClock::step(double now, int count, std::span<const TimeNs> edges)
{
    if (edges.empty()) return;
    const TimeNs from = shown(now);
    // The place of the first edge after, or of the first that is not before.
    const auto at = count > 0 ? std::upper_bound(edges.begin(), edges.end(), from)
                              : std::lower_bound(edges.begin(), edges.end(), from);
    const auto place = (at - edges.begin()) + (count > 0 ? count - 1 : count);
    const auto last = static_cast<std::ptrdiff_t>(edges.size()) - 1;
    scrub(now, edges[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(place, 0, last))]);
}

void ReplayClock::extend(double now, TimeNs end)
{
    if (end <= whole_.end) return;
    place(now, streamed(now));
    whole_.end = end;
}

}  // namespace skein
