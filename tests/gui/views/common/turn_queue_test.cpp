// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "views/common/turn_queue.h"

#include <QTest>

#include <vector>

namespace skein::turn_queue_test {

TEST_CASE("steps are done in order, and what was posted before one comes before it")
{
    test::guiApplication();
    TurnQueue queue;
    std::vector<int> done;
    for (int number = 0; number < 3; ++number)
        queue.add([&done, &queue, number] {
            done.push_back(number);
            QMetaObject::invokeMethod(
                &queue, [&done, number] { done.push_back(10 + number); }, Qt::QueuedConnection);
        });
    CHECK(done.empty());
    CHECK_FALSE(queue.empty());
    REQUIRE(test::waitFor([&] { return done.size() == 6; }));
    CHECK(done == std::vector<int>{0, 10, 1, 11, 2, 12});
    CHECK(queue.empty());
}

TEST_CASE("a step may add others and forget those that wait")
{
    test::guiApplication();
    TurnQueue queue;
    std::vector<int> done;
    queue.add([&] {
        queue.clear();
        queue.add([&] { done.push_back(2); });
    });
    queue.add([&] { done.push_back(1); });
    REQUIRE(test::waitFor([&] { return queue.empty(); }));
    QTest::qWait(10);
    CHECK(done == std::vector<int>{2});
}

}  // namespace skein::turn_queue_test
