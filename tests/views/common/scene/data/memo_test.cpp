// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/data/memo.h"

#include "tests/support/catch.h"

#include <future>
#include <thread>

namespace skein::memo_test {

TEST_CASE("what is remembered is given without waiting for what is being made")
{
    Memo<int, int> memo;
    const auto one = [](int key) { return key == 1; };
    CHECK_FALSE(memo.known(one));
    CHECK(*memo.get(1, [] { return 10; }) == 10);
    REQUIRE(memo.known(one));
    CHECK(*memo.known(one) == 10);
    CHECK_FALSE(memo.known([](int key) { return key == 2; }));
    std::promise<void> begun, mayEnd;
    std::thread maker([&] {
        memo.get(2, [&] {
            begun.set_value();
            mayEnd.get_future().wait();
            return 20;
        });
    });
    begun.get_future().wait();
    CHECK_FALSE(memo.known(one));
    mayEnd.set_value();
    maker.join();
    CHECK(*memo.known([](int key) { return key == 2; }) == 20);
    CHECK_FALSE(memo.known(one));
}

}  // namespace skein::memo_test
