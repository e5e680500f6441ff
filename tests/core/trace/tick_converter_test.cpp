// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/tick_converter.h"
#include "tests/support/catch.h"

#include <random>

namespace skein::tick_converter_test {

using skein::TickConverter;

TEST_CASE("Ticks become the floor of exact nanoseconds at any clock rate")
{
    std::mt19937_64 random(1);
    const std::uint64_t rates[] = {
        1, 3, 1'000'000, 999'999'937, 1'000'000'000, 2'095'197'216, 3'699'958'577, 1ull << 40};
    for (const std::uint64_t rate : rates) {
        const TickConverter converter(rate, 1000);
        for (int round = 0; round < 2000; ++round) {
            const std::uint64_t elapsed = random() >> (random() % 60);
            const auto exact = static_cast<unsigned __int128>(elapsed) * 1'000'000'000u / rate;
            const auto limit = std::uint64_t{1} << 62;
            const auto expected = exact > limit ? limit : static_cast<std::uint64_t>(exact);
            if (elapsed + 1000 >= elapsed)
                REQUIRE(converter.toNs(elapsed + 1000) == static_cast<std::int64_t>(expected));
        }
    }
}

TEST_CASE("Ticks before the origin become negative times and unknown times stay unknown")
{
    const TickConverter converter(2'000'000'000, 100);
    REQUIRE(converter.toNs(100) == 0);
    REQUIRE(converter.toNs(99) == -1);
    REQUIRE(converter.toNs(98) == -1);
    skein::TimeNs unknown = skein::kNoTime;
    converter.convert(unknown);
    REQUIRE(unknown == skein::kNoTime);
}

}  // namespace skein::tick_converter_test
