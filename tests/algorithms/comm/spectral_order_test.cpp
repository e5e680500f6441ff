// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/spectral_order.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

namespace skein::spectral_order_test {
namespace {

std::vector<std::uint32_t> shuffled(std::uint32_t count, std::uint32_t seed)
{
    std::vector<std::uint32_t> names(count);
    std::iota(names.begin(), names.end(), 0u);
    std::shuffle(names.begin(), names.end(), std::mt19937(seed));
    return names;
}

LayoutEdge edgeOf(std::uint32_t a, std::uint32_t b, double weight)
{
    return {std::min(a, b), std::max(a, b), weight};
}

std::vector<std::uint32_t> ordered(std::uint32_t vertices, const std::vector<LayoutEdge>& pairs)
{
    auto order = spectralOrder({vertices, pairs}, Task()).value();
    auto sorted = order;
    std::ranges::sort(sorted);
    for (std::uint32_t i = 0; i < vertices; ++i) REQUIRE(sorted[i] == i);
    return order;
}

}  // namespace

TEST_CASE("a spectral order walks a chain of any length from end to end")
{
    for (const std::uint32_t count : {3u, 48u, 500u, 3000u}) {
        INFO(count);
        const auto name = shuffled(count, 3);
        std::vector<LayoutEdge> pairs;
        for (std::uint32_t i = 0; i + 1 < count; ++i) pairs.push_back(edgeOf(name[i], name[i + 1], 2.5));
        auto order = ordered(count, pairs);
        // Which of both ends comes first follows from the numbers.
        if (order.front() != name.front()) std::ranges::reverse(order);
        CHECK(order == name);
    }
}

TEST_CASE("a spectral order follows the long side of a grid, and is the same every time")
{
    constexpr std::uint32_t kLong = 90, kShort = 7;
    const auto name = shuffled(kLong * kShort, 9);
    std::vector<LayoutEdge> pairs;
    for (std::uint32_t x = 0; x < kLong; ++x)
        for (std::uint32_t y = 0; y < kShort; ++y) {
            const std::uint32_t at = x * kShort + y;
            if (x + 1 < kLong) pairs.push_back(edgeOf(name[at], name[at + kShort], 1));
            if (y + 1 < kShort) pairs.push_back(edgeOf(name[at], name[at + 1], 1));
        }
    const auto order = ordered(kLong * kShort, pairs);
    std::vector<double> position(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<double>(i);
    for (const LayoutEdge& pair : pairs)
        CHECK(std::abs(position[pair.from] - position[pair.to]) <= 2 * kShort);
    CHECK(ordered(kLong * kShort, pairs) == order);
}

TEST_CASE("parts without an edge between them follow each other, and a star is ordered, too")
{
    CHECK(ordered(5, {}) == std::vector<std::uint32_t>{0, 1, 2, 3, 4});
    // 0-2-4 and 1-3-5.
    const auto two = ordered(6, {{0, 2, 1}, {2, 4, 1}, {1, 3, 1}, {3, 5, 1}});
    CHECK(two == std::vector<std::uint32_t>{0, 2, 4, 1, 3, 5});
    std::vector<LayoutEdge> star;
    for (std::uint32_t i = 1; i < 400; ++i) star.push_back({0, i, 1});
    CHECK(ordered(400, star).size() == 400);
    std::stop_source stop;
    stop.request_stop();
    CHECK(spectralOrder({400, star}, Task(stop.get_token())).error().cancelled());
}

}  // namespace skein::spectral_order_test
