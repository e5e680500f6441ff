// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/axes/time_window.h"

#include "tests/support/catch.h"

#include <random>

namespace skein::time_window_test {

TEST_CASE("windows stay within everything and never get too short")
{
    const TimeSpan whole{1'000, 101'000};
    CHECK(windowWithin({-500, 9'500}, whole) == TimeSpan{1'000, 11'000});
    CHECK(windowWithin({95'000, 110'000}, whole) == TimeSpan{86'000, 101'000});
    CHECK(windowWithin({0, 1'000'000}, whole) == whole);
    CHECK(windowWithin({5'000, 5'001}, whole) == TimeSpan{5'000, 6'000});
    CHECK(windowWithin({5, 6}, {0, 10}) == TimeSpan{0, 10});
}

TEST_CASE("zooming keeps the time at its part of the window")
{
    const TimeSpan whole{0, 1'000'000};
    CHECK(zoomedWindow({400'000, 600'000}, 0.5, 0.5, whole) == TimeSpan{450'000, 550'000});
    CHECK(zoomedWindow({400'000, 600'000}, 0.5, 0, whole) == TimeSpan{400'000, 500'000});
    CHECK(zoomedWindow({400'000, 600'000}, 100, 0.3, whole) == whole);
}

TEST_CASE("dragging moves an edge, the window, or draws a new one")
{
    const TimeSpan whole{0, 100'000};
    const TimeSpan before{20'000, 40'000};
    CHECK(draggedWindow(before, WindowGrip::Begin, 0, 5'000, whole) == TimeSpan{25'000, 40'000});
    CHECK(draggedWindow(before, WindowGrip::End, 0, 5'000, whole) == TimeSpan{20'000, 45'000});
    CHECK(draggedWindow(before, WindowGrip::Whole, 30'000, 10'000, whole) == TimeSpan{0, 20'000});
    CHECK(draggedWindow(before, WindowGrip::New, 70'000, 50'000, whole) == TimeSpan{50'000, 70'000});
    // An edge that passes the other one takes its place.
    CHECK(draggedWindow(before, WindowGrip::Begin, 0, 30'000, whole) == TimeSpan{40'000, 50'000});
    CHECK(draggedWindow(before, WindowGrip::End, 0, -60'000, whole) == TimeSpan{0, 20'000});
}

TEST_CASE("whatever is dragged, a window lies within everything")
{
    std::mt19937 random(3);
    const TimeSpan whole{-5'000, 90'000};
    const auto time = [&] { return static_cast<TimeNs>(random() % 200'000) - 60'000; };
    for (int round = 0; round < 2000; ++round) {
        const TimeNs begin = time();
        const TimeSpan before =
            windowWithin({begin, begin + 1 + static_cast<TimeNs>(random() % 100'000)}, whole);
        const auto grip = static_cast<WindowGrip>(random() % 4);
        const TimeSpan after = draggedWindow(before, grip, time(), time(), whole);
        CHECK(whole.begin <= after.begin);
        CHECK(after.end <= whole.end);
        CHECK(after.lengthNs() >= 1'000);
        if (grip == WindowGrip::Whole) CHECK(after.lengthNs() == before.lengthNs());
    }
}

}  // namespace skein::time_window_test
