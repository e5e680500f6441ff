// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/behavior/replay_clock.h"

#include "tests/support/catch.h"

#include <vector>

namespace skein::replay_clock_test {

namespace {

constexpr TimeNs kSecond = 1'000'000'000;
const TimeSpan kRun{10 * kSecond, 20 * kSecond};

}  // namespace

TEST_CASE("a replay runs at its speed from begin to end")
{
    ReplayClock clock(kRun, 2.0);
    CHECK(clock.held());
    CHECK(clock.shown(5) == kRun.begin);
    clock.resume(100);
    CHECK(clock.shown(100) == 10 * kSecond);
    CHECK(clock.shown(101.5) == 13 * kSecond);
    clock.setSpeed(101.5, 0.5);
    CHECK(clock.shown(103.5) == 14 * kSecond);
    clock.setSpeed(103.5, 0);
    CHECK(clock.speed() == 0.5);
    CHECK(clock.shown(1e6) == 20 * kSecond);
    CHECK(clock.ended(1e6));
    CHECK(clock.shown(1e300) == 20 * kSecond);
}

TEST_CASE("a pause holds what is shown while the stream goes on, and resuming jumps to now")
{
    ReplayClock clock(kRun);
    clock.resume(0);
    clock.pause(2);
    clock.pause(3);
    CHECK(clock.shown(5) == 12 * kSecond);
    CHECK(clock.streamed(5) == 15 * kSecond);
    clock.resume(6);
    CHECK(clock.shown(6) == 16 * kSecond);
}

TEST_CASE("playing on begins where one looked")
{
    ReplayClock clock(kRun);
    clock.resume(0);
    clock.scrub(5, 11 * kSecond);
    CHECK(clock.shown(6) == 11 * kSecond);
    CHECK(clock.streamed(6) == 16 * kSecond);
    clock.playOn(6);
    CHECK(clock.shown(8) == 13 * kSecond);
    clock.scrub(8, 30 * kSecond);
    CHECK(clock.shown(9) == 20 * kSecond);
    CHECK(clock.streamed(9) == 20 * kSecond);
    clock.playOn(9);
    CHECK(clock.shown(9) == 10 * kSecond);
    clock.scrub(9, 0);
    CHECK(clock.shown(9) == 10 * kSecond);
}

TEST_CASE("steps go from edge to edge and stop at the last ones")
{
    const std::vector<TimeNs> edges{10 * kSecond, 12 * kSecond, 15 * kSecond, 20 * kSecond};
    ReplayClock clock(kRun);
    clock.resume(0);
    clock.step(3, 1, edges);
    CHECK(clock.held());
    CHECK(clock.shown(3) == 15 * kSecond);
    CHECK(clock.streamed(3) == 15 * kSecond);
    clock.step(3, -1, edges);
    CHECK(clock.shown(3) == 12 * kSecond);
    clock.step(3, 2, edges);
    CHECK(clock.shown(3) == 20 * kSecond);
    clock.step(3, 1, edges);
    CHECK(clock.shown(3) == 20 * kSecond);
    clock.step(3, -9, edges);
    CHECK(clock.shown(3) == 10 * kSecond);
    clock.scrub(3, 13 * kSecond);
    clock.step(3, -1, edges);
    CHECK(clock.shown(3) == 12 * kSecond);
    clock.step(3, 1, {});
    CHECK(clock.shown(3) == 12 * kSecond);
}

TEST_CASE("a run that becomes longer is followed from where it ended")
{
    ReplayClock clock(kRun);
    clock.resume(0);
    CHECK(clock.shown(50) == 20 * kSecond);
    clock.extend(50, 30 * kSecond);
    CHECK(clock.shown(50) == 20 * kSecond);
    CHECK(clock.shown(55) == 25 * kSecond);
    clock.extend(55, 5 * kSecond);
    CHECK(clock.whole().end == 30 * kSecond);
}

}  // namespace skein::replay_clock_test
