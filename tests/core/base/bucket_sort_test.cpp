// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bucket_sort.h"

#include "tests/support/catch.h"

#include <random>

namespace skein::bucket_sort_test {
namespace {

struct Item {
    std::uint32_t bucket = 0;
    std::uint32_t key = 0;
    std::size_t place = 0;
    bool operator==(const Item&) const = default;
};

std::vector<Item> randomItems(std::size_t count, std::uint32_t buckets, std::mt19937& random)
{
    std::vector<Item> items;
    for (std::size_t i = 0; i < count; ++i)
        items.push_back(
            {static_cast<std::uint32_t>(random() % buckets), static_cast<std::uint32_t>(random() % 7), i});
    return items;
}

bool sortItems(std::vector<Item>& items, std::uint32_t buckets, const Task& task)
{
    return sortInBuckets(
        items, buckets, [](const Item& item) { return item.bucket; },
        [](const Item& a, const Item& b) { return a.key < b.key; }, task);
}

TEST_CASE("sorting in buckets gives what a stable sort gives")
{
    std::mt19937 random(5);
    for (const auto& [count, buckets] : std::vector<std::pair<std::size_t, std::uint32_t>>{
             {0, 1}, {1, 3}, {50, 1000}, {3000, 10}, {200'000, 1}, {200'000, 70'000}, {70'000, 1'000'000}}) {
        std::vector<Item> items = randomItems(count, buckets, random);
        std::vector<Item> expected = items;
        std::stable_sort(expected.begin(), expected.end(), [](const Item& a, const Item& b) {
            return a.bucket != b.bucket ? a.bucket < b.bucket : a.key < b.key;
        });
        INFO(count << " items in " << buckets << " buckets");
        REQUIRE(sortItems(items, buckets, Task()));
        CHECK((items == expected));
        REQUIRE(sortItems(items, buckets, Task()));
        CHECK((items == expected));
    }
}

TEST_CASE("sorting in buckets ends when it is stopped")
{
    std::mt19937 random(6);
    std::vector<Item> items = randomItems(300'000, 1000, random);
    std::stop_source stop;
    stop.request_stop();
    CHECK_FALSE(sortItems(items, 1000, Task(stop.get_token())));
    CHECK(items.size() == 300'000);
}

TEST_CASE("sorting in blocks gives what a stable sort gives, and ends when it is stopped")
{
    const auto byKey = [](const Item& a, const Item& b) { return a.key < b.key; };
    std::mt19937 random(7);
    for (const std::size_t count : {0u, 1u, 65'536u, 65'537u, 131'072u, 131'073u, 200'000u, 500'001u}) {
        std::vector<Item> items = randomItems(count, 1000, random);
        std::vector<Item> expected = items;
        std::stable_sort(expected.begin(), expected.end(), byKey);
        INFO(count << " items");
        REQUIRE(sortInBlocks(items, byKey, Task()));
        CHECK((items == expected));
    }
    std::stop_source stop;
    stop.request_stop();
    std::vector<Item> items = randomItems(100'000, 1000, random);
    CHECK_FALSE(sortInBlocks(items, byKey, Task(stop.get_token())));
    CHECK(items.size() == 100'000);
}

}  // namespace
}  // namespace skein::bucket_sort_test
