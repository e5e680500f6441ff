// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/time_span.h"

#include <span>

namespace skein {

/// The time of a recorded run that is shown as if it happened now. The stream goes on at its speed from its
/// begin to its end; what is shown goes with it or is held: a pause holds only what is shown, the stream goes
/// on, and to resume is to jump to where it is by then. It asks no clock: every call is told how many seconds
/// have passed since any moment, never less than the call before was told, so that the same calls give the
/// same times. Not thread-safe.
class ReplayClock {
public:
    /// Held at the begin. `speed`: ns of the run a ns; > 0.
    explicit ReplayClock(TimeSpan whole, double speed = 1.0);

    TimeSpan whole() const { return whole_; }
    double speed() const { return speed_; }
    bool held() const { return held_; }
    /// Where the stream is.
    TimeNs streamed(double now) const;
    /// What is shown: never later than the stream.
    TimeNs shown(double now) const;
    /// Whether the stream has come to its end.
    bool ended(double now) const { return streamed(now) >= whole_.end; }

    /// Shows what is by now, and goes on with it.
    void resume(double now);
    /// Goes on from what is shown: the stream goes back to it. At the end it begins again.
    void playOn(double now);
    void pause(double now);
    /// From now on; > 0, another one is passed over.
    void setSpeed(double now, double speed);
    /// Holds another time of the run. One that the stream has not come to yet takes the stream along.
    void scrub(double now, TimeNs to);
    /// Holds the `count`-th edge after (before, where negative) what is shown. `edges` sorted.
    void step(double now, int count, std::span<const TimeNs> edges);
    /// The run has become longer.
    void extend(double now, TimeNs end);

private:
    void place(double now, TimeNs at);

    TimeSpan whole_;
    double speed_;
    TimeNs placed_;       ///< where the stream was …
    double placedAt_;     ///< … by then
    bool begun_ = false;  ///< the stream moves
    bool held_ = true;
    TimeNs heldAt_;
};

}  // namespace skein
