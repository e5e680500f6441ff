// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_clock.h"

#include "tests/support/catch.h"

namespace skein::session_clock_test {

namespace {

constexpr std::uint64_t kNoon2020 = 1'600'000'000;
constexpr TimeNs kSecond = 1'000'000'000;

ExperimentPtr startingAt(std::uint64_t ticks, std::uint64_t ticksPerSecond, TimeNs length)
{
    Experiment experiment;
    experiment.definitions.clock.present = true;
    experiment.definitions.clock.ticksPerSecond = ticksPerSecond;
    experiment.definitions.clock.originTicks = ticks;
    Trace trace;
    trace.extent = {0, length};
    experiment.trace = std::make_shared<const Trace>(std::move(trace));
    return std::make_shared<const Experiment>(std::move(experiment));
}

}  // namespace

TEST_CASE("components of a workflow lie on their absolute times")
{
    const Session session{{startingAt(kNoon2020 * 1'000'000 + 400'000, 1'000'000, 3 * kSecond),
                           startingAt(kNoon2020 * 1'000'000, 1'000'000, 3 * kSecond)}};
    const SessionClock clock = sessionClock(session);
    CHECK(clock.absolute);
    CHECK(clock.offsetsNs == std::vector<TimeNs>{400'000'000, 0});
    CHECK(clock.extent == TimeSpan{0, 3'400'000'000});
    CHECK(clock.toExperiment(0, clock.toSession(0, TimeNs{17})) == 17);
}

TEST_CASE("runs of different days are aligned at their starts")
{
    const Session session{{startingAt(kNoon2020 * 1'000'000, 1'000'000, 3 * kSecond),
                           startingAt((kNoon2020 + 86'400) * 1'000'000, 1'000'000, 5 * kSecond)}};
    const SessionClock clock = sessionClock(session);
    CHECK_FALSE(clock.absolute);
    CHECK(clock.offsetsNs == std::vector<TimeNs>{0, 0});
    CHECK(clock.extent == TimeSpan{0, 5 * kSecond});
}

TEST_CASE("ticks since the machine's start are no absolute time")
{
    const Session session{{startingAt(12'345, 1'000'000'000, kSecond)}};
    CHECK_FALSE(startUnixNs(session.experiments[0]->definitions).has_value());
    CHECK_FALSE(sessionClock(session).absolute);
}

TEST_CASE("a recorded realtime stamp is moved to the first event")
{
    Definitions definitions;
    definitions.clock = {true, 1000, 500, 0, 7'000'000'000, 2500};
    CHECK(startUnixNs(definitions) == 9'000'000'000);
}

TEST_CASE("an empty session has an empty clock") { CHECK(sessionClock(Session{}).extent == TimeSpan{}); }

TEST_CASE("a shifted experiment moves alone, also to before the zero")
{
    const Session session{{startingAt(kNoon2020 * 1'000'000, 1'000'000, kSecond),
                           startingAt(kNoon2020 * 1'000'000 + 100'000, 1'000'000, kSecond)}};
    const SessionClock later = sessionClock(session, {0, 50'000'000});
    CHECK(later.offsetsNs == std::vector<TimeNs>{0, 150'000'000});
    CHECK(later.extent == TimeSpan{0, 1'150'000'000});
    const SessionClock earlier = sessionClock(session, {-200'000'000});
    CHECK(earlier.offsetsNs == std::vector<TimeNs>{-200'000'000, 100'000'000});
    CHECK(earlier.extent == TimeSpan{-200'000'000, 1'100'000'000});
    CHECK(earlier.toExperiment(0, earlier.toSession(0, TimeNs{17})) == 17);
}

}  // namespace skein::session_clock_test
