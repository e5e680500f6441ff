// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/result_store.h"

#include "tests/support/catch.h"

#include <array>
#include <atomic>
#include <chrono>
#include <latch>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace skein::result_store_test {
namespace {

using Keep = ResultStore::Keep;
using Text = std::shared_ptr<const std::string>;

Result<Text> textOf(ResultStore& store, const std::shared_ptr<const int>& owner, int key, Keep keep,
                    const std::string& text)
{
    return store.get<std::string>(owner, key, keep, Task(), [&]() -> Result<Text> {
        return std::make_shared<const std::string>(text);
    });
}

void sleepShortly() { std::this_thread::sleep_for(std::chrono::milliseconds(20)); }

}  // namespace

TEST_CASE("a result that many ask for at once is made once, whether it is to be kept or not")
{
    for (const Keep keep : {Keep::WhileOwnerLives, Keep::WhileHeld}) {
        ResultStore store;
        const auto owner = std::make_shared<const int>(1);
        std::atomic<int> made = 0;
        std::latch ready(8);
        std::vector<Text> got(8);
        {
            std::vector<std::jthread> threads;
            for (Text& text : got)
                threads.emplace_back([&] {
                    ready.arrive_and_wait();
                    const auto result = store.get<std::string>(owner, 0, keep, Task(), [&]() -> Result<Text> {
                        ++made;
                        sleepShortly();
                        return std::make_shared<const std::string>("made");
                    });
                    text = result.value_or(nullptr);
                });
        }
        CHECK(made == 1);
        REQUIRE(got.front());
        for (const Text& text : got) CHECK(text == got.front());
    }
}

TEST_CASE("owner, key, and the types of key and result tell results apart")
{
    ResultStore store;
    const auto one = std::make_shared<const int>(1), two = std::make_shared<const int>(1);
    const Keep keep = Keep::WhileOwnerLives;
    CHECK(*textOf(store, one, 0, keep, "a").value() == "a");
    CHECK(*textOf(store, one, 1, keep, "b").value() == "b");
    CHECK(*textOf(store, two, 0, keep, "c").value() == "c");
    CHECK(*textOf(store, one, 0, keep, "never").value() == "a");
    CHECK(*textOf(store, one, 1, keep, "never").value() == "b");
    CHECK(*textOf(store, two, 0, keep, "never").value() == "c");
    const auto ofLong = store.get<std::string>(
        one, 0L, keep, Task(), []() -> Result<Text> { return std::make_shared<const std::string>("d"); });
    CHECK(*ofLong.value() == "d");
    const auto number =
        store.get<double>(one, 0, keep, Task(), []() -> Result<std::shared_ptr<const double>> {
            return std::make_shared<const double>(2.5);
        });
    CHECK(*number.value() == 2.5);
}

TEST_CASE("a result goes with its owner, or with the last who holds it")
{
    ResultStore store;
    auto owner = std::make_shared<const int>(1);
    const std::weak_ptr<const std::string> kept =
        textOf(store, owner, 0, Keep::WhileOwnerLives, "kept").value();
    CHECK_FALSE(kept.expired());
    Text held = textOf(store, owner, 0, Keep::WhileHeld, "never").value();
    CHECK(held == kept.lock());
    held.reset();
    CHECK_FALSE(kept.expired());

    Text shared = textOf(store, owner, 1, Keep::WhileHeld, "shared").value();
    CHECK(textOf(store, owner, 1, Keep::WhileHeld, "never").value() == shared);
    shared.reset();
    CHECK(*textOf(store, owner, 1, Keep::WhileHeld, "again").value() == "again");

    owner = std::make_shared<const int>(1);
    CHECK(*textOf(store, owner, 0, Keep::WhileOwnerLives, "of another").value() == "of another");
    CHECK(kept.expired());
}

TEST_CASE("failures are not kept, nor is what ended with an exception")
{
    ResultStore store;
    const auto owner = std::make_shared<const int>(1);
    const auto failed = store.get<std::string>(owner, 0, Keep::WhileOwnerLives, Task(), []() -> Result<Text> {
        return fail(ErrorCode::Malformed, "Once.");
    });
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message == "Once.");
    const auto throwing = [&] {
        return store.get<std::string>(owner, 0, Keep::WhileOwnerLives, Task(),
                                      []() -> Result<Text> { throw std::runtime_error("twice"); });
    };
    CHECK_THROWS(throwing());
    CHECK(*textOf(store, owner, 0, Keep::WhileOwnerLives, "then").value() == "then");
}

TEST_CASE("who waits for one who fails or is stopped makes the result")
{
    for (const Keep keep : {Keep::WhileOwnerLives, Keep::WhileHeld}) {
        ResultStore store;
        const auto owner = std::make_shared<const int>(1);
        std::latch making(1);
        Result<Text> first = nullptr;
        std::array<Text, 3> others;
        {
            std::jthread builder([&] {
                first = store.get<std::string>(owner, 0, keep, Task(), [&]() -> Result<Text> {
                    making.count_down();
                    sleepShortly();
                    return cancelled();
                });
            });
            making.wait();
            std::vector<std::jthread> threads;
            for (Text& other : others)
                threads.emplace_back(
                    [&] { other = textOf(store, owner, 0, keep, "made").value_or(nullptr); });
        }
        REQUIRE_FALSE(first);
        CHECK(first.error().cancelled());
        REQUIRE(others[0]);
        CHECK(*others[0] == "made");
    }
}

TEST_CASE("who waits can be stopped, and the maker goes on")
{
    ResultStore store;
    const auto owner = std::make_shared<const int>(1);
    std::latch making(1), mayEnd(1);
    Text made;
    std::jthread builder([&] {
        made = store
                   .get<std::string>(owner, 0, Keep::WhileHeld, Task(),
                                     [&]() -> Result<Text> {
                                         making.count_down();
                                         mayEnd.wait();
                                         return std::make_shared<const std::string>("late");
                                     })
                   .value();
    });
    making.wait();
    std::stop_source stop;
    stop.request_stop();
    const auto stopped = store.get<std::string>(owner, 0, Keep::WhileHeld, Task(stop.get_token()),
                                                []() -> Result<Text> { return nullptr; });
    REQUIRE_FALSE(stopped);
    CHECK(stopped.error().cancelled());
    mayEnd.count_down();
    builder.join();
    CHECK(*made == "late");
}

TEST_CASE("what makes a result may ask for another one")
{
    ResultStore store;
    const auto owner = std::make_shared<const int>(1);
    const auto outer = store.get<std::string>(owner, 0, Keep::WhileOwnerLives, Task(), [&]() -> Result<Text> {
        return std::make_shared<const std::string>(
            *textOf(store, owner, 1, Keep::WhileOwnerLives, "inner").value() + " in outer");
    });
    CHECK(*outer.value() == "inner in outer");
}

TEST_CASE("what is known is told at once, and nobody waits for what is being made")
{
    ResultStore store;
    const auto owner = std::make_shared<const int>(1);
    CHECK_FALSE(store.known<std::string>(owner, 0));
    std::latch making(1), asked(1);
    Text made;
    {
        const std::jthread maker([&] {
            made = store
                       .get<std::string>(owner, 0, Keep::WhileHeld, Task(),
                                         [&]() -> Result<Text> {
                                             making.count_down();
                                             asked.wait();
                                             return std::make_shared<const std::string>("made");
                                         })
                       .value_or(nullptr);
        });
        making.wait();
        CHECK_FALSE(store.known<std::string>(owner, 0));
        asked.count_down();
    }
    REQUIRE(made);
    CHECK(store.known<std::string>(owner, 0) == made);
    CHECK_FALSE(store.known<std::string>(owner, 1));
    CHECK_FALSE(store.known<std::string>(std::make_shared<const int>(1), 0));
    made.reset();
    CHECK_FALSE(store.known<std::string>(owner, 0));
}

}  // namespace skein::result_store_test
