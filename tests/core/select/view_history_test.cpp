// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/view_history.h"

#include "tests/support/catch.h"

namespace skein::view_history_test {

namespace {

constexpr std::int64_t kLater = 10 * ViewHistory::kGestureMs;

}  // namespace

TEST_CASE("a new history shows everything and leads nowhere")
{
    ViewHistory history;
    CHECK_FALSE(history.current().has_value());
    CHECK_FALSE(history.canGoBack());
    CHECK_FALSE(history.canGoForward());
    CHECK_FALSE(history.goBack().has_value());
}

TEST_CASE("going back and forward retraces the visited spans")
{
    ViewHistory history;
    history.visit(TimeSpan{0, 100}, 0);
    history.visit(TimeSpan{10, 20}, kLater);
    CHECK(history.goBack() == TimeSpan{0, 100});
    CHECK_FALSE(history.goBack().has_value());
    CHECK(history.goForward() == TimeSpan{0, 100});
    CHECK(history.goForward() == TimeSpan{10, 20});
    CHECK_FALSE(history.canGoForward());
}

TEST_CASE("a visit after going back forgets what lay ahead")
{
    ViewHistory history;
    history.visit(TimeSpan{0, 100}, 0);
    history.visit(TimeSpan{10, 20}, kLater);
    history.goBack();
    history.visit(TimeSpan{30, 40}, 2 * kLater);
    CHECK_FALSE(history.canGoForward());
    CHECK(history.goBack() == TimeSpan{0, 100});
}

TEST_CASE("the steps of one gesture are one visit")
{
    ViewHistory history;
    history.visit(TimeSpan{0, 100}, 0);
    for (int step = 1; step <= 20; ++step) history.visit(TimeSpan{step, 100 - step}, kLater + step * 50);
    CHECK(history.current() == TimeSpan{20, 80});
    CHECK(history.goBack() == TimeSpan{0, 100});
}

TEST_CASE("a visit soon after going back does not overwrite where one went back to")
{
    ViewHistory history;
    history.visit(TimeSpan{0, 100}, 0);
    history.visit(TimeSpan{10, 20}, kLater);
    history.goBack();
    history.visit(TimeSpan{30, 40}, kLater + 1);
    CHECK(history.goBack() == TimeSpan{0, 100});
}

TEST_CASE("a history keeps a bounded number of visits")
{
    ViewHistory history;
    for (int step = 1; step <= 1000; ++step) history.visit(TimeSpan{0, step}, step * kLater);
    int steps = 0;
    for (; history.canGoBack(); ++steps) history.goBack();
    CHECK(steps == 199);
    CHECK(history.current() == TimeSpan{0, 801});
}

}  // namespace skein::view_history_test
