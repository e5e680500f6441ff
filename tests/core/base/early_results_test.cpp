// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/early_results.h"

#include "tests/support/catch.h"

#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace skein::early_results_test {
namespace {

using Early = EarlyResults<int>;

std::shared_ptr<const int> number(int value) { return std::make_shared<const int>(value); }

}  // namespace

TEST_CASE("who listens hears what was told last, then each as it comes, and nothing once gone")
{
    const Early early;
    std::vector<int> first, second;
    std::optional<Early::Listener> one;
    one.emplace(early, [&](const auto& value) { first.push_back(*value); });
    early.tell(number(1));
    early.tell(number(2));
    const Early::Listener two(early, [&](const auto& value) { second.push_back(*value); });
    early.tell(number(3));
    one.reset();
    early.tell(number(4));
    CHECK(first == std::vector<int>{1, 2, 3});
    CHECK(second == std::vector<int>{2, 3, 4});
}

TEST_CASE("what is forgotten is neither heard nor held")
{
    const Early early;
    auto value = number(7);
    const std::weak_ptr<const int> held = value;
    early.tell(std::move(value));
    CHECK_FALSE(held.expired());
    early.forget();
    CHECK(held.expired());
    bool heard = false;
    const Early::Listener late(early, [&](const auto&) { heard = true; });
    CHECK_FALSE(heard);
}

TEST_CASE("listeners that come and go while it is told hear only ascending values")
{
    const Early early;
    std::atomic<bool> over = false, descending = false;
    std::jthread teller([&] {
        for (int i = 0; i < 2000; ++i) early.tell(number(i));
        over = true;
    });
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 3; ++thread)
        threads.emplace_back([&] {
            while (!over) {
                int last = -1;
                const Early::Listener listener(early, [&](const auto& value) {
                    if (*value <= last) descending = true;
                    last = *value;
                });
                std::this_thread::yield();
            }
        });
    threads.clear();
    CHECK_FALSE(descending);
}

}  // namespace skein::early_results_test
