// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of leaves beside what is put together by hand.
#include "core/index/wide_runs.h"
#include "tests/support/catch.h"

namespace skein::wide_runs_test {

namespace {

TimeTree::Node leafAt(TimeNs begin, TimeNs end) { return {{begin, end}, 0, 3, 127, true}; }

}  // namespace

TEST_CASE("neighbouring leaves are one run, and leaves of short runs are given back in the order of time")
{
    std::vector<TimeNs> shown;
    const auto show = [&](const TimeTree::Node& leaf) { shown.push_back(leaf.span.begin); };
    WideRuns runs;
    runs.start(10);
    for (const TimeTree::Node& leaf :
         {leafAt(0, 8), leafAt(8, 12), leafAt(16, 18), leafAt(18, 20), leafAt(32, 64)})
        runs.add(leaf, show);
    CHECK(shown == std::vector<TimeNs>{16, 18});
    runs.close(show);
    runs.close(show);
    CHECK(shown.size() == 2);
    REQUIRE(runs.runs().size() == 2);
    CHECK(runs.runs()[0].span == TimeSpan{0, 12});
    REQUIRE(runs.leavesOf(runs.runs()[0]).size() == 2);
    REQUIRE(runs.leavesOf(runs.runs()[1]).size() == 1);
    CHECK(runs.leavesOf(runs.runs()[1]).front().span == TimeSpan{32, 64});
    runs.add(leafAt(64, 70), show);
    CHECK(runs.runs().size() == 3);  // what was closed does not go on
    runs.close(show);
    CHECK(shown.back() == 64);
    runs.start(1);
    CHECK(runs.runs().empty());
}

TEST_CASE("the longest runs stand first, in the order of time")
{
    const auto none = [](const TimeTree::Node&) { FAIL("no run is short"); };
    WideRuns runs;
    runs.start(1);
    for (const TimeTree::Node& leaf :
         {leafAt(0, 4), leafAt(10, 90), leafAt(100, 101), leafAt(200, 240), leafAt(300, 360)}) {
        runs.add(leaf, none);
        runs.close(none);
    }
    REQUIRE(runs.longestFirst(3) == 3);
    CHECK(runs.runs()[0].span.begin == 10);
    CHECK(runs.runs()[1].span.begin == 200);
    CHECK(runs.runs()[2].span.begin == 300);
    CHECK(runs.runs().size() == 5);
    CHECK(runs.longestFirst(9) == 5);
    for (std::size_t run = 1; run < 5; ++run)
        CHECK(runs.runs()[run - 1].span.begin < runs.runs()[run].span.begin);
}

}  // namespace skein::wide_runs_test
