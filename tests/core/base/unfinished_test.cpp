// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unfinished.h"

#include "tests/support/catch.h"

#include <future>

namespace skein::unfinished_test {

namespace {

/// Tells which thread destroyed it.
struct Witness {
    explicit Witness(std::promise<std::thread::id>& teller) : told(&teller) {}
    ~Witness() { told->set_value(std::this_thread::get_id()); }
    Witness(const Witness&) = delete;
    Witness& operator=(const Witness&) = delete;
    std::promise<std::thread::id>* told;
    int value = 7;
};

TEST_CASE("what work has made is destroyed at once where nobody asked for a stop")
{
    std::promise<std::thread::id> told;
    const Task task;
    {
        const Unfinished<Witness> work(task, told);
        CHECK(work->value == 7);
        CHECK((*work).value == 7);
    }
    CHECK(told.get_future().get() == std::this_thread::get_id());
}

TEST_CASE("what stopped work has made is destroyed on another thread")
{
    std::promise<std::thread::id> told;
    std::stop_source stop;
    const Task task(stop.get_token());
    {
        const Unfinished<Witness> work(task, told);
        stop.request_stop();
    }
    CHECK(told.get_future().get() != std::this_thread::get_id());
}

TEST_CASE("nothing can be destroyed later")
{
    destroyLater(std::unique_ptr<Witness>());
    SUCCEED();
}

}  // namespace

}  // namespace skein::unfinished_test
