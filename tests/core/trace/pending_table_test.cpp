// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/pending_table.h"
#include "tests/support/catch.h"

#include <random>
#include <unordered_map>

namespace skein::pending_table_test {

TEST_CASE("A pending table answers like a map under random use")
{
    skein::PendingTable table;
    std::unordered_map<std::uint64_t, std::uint32_t> oracle;
    std::mt19937 random(5);
    for (std::uint32_t step = 0; step < 50'000; ++step) {
        const std::uint64_t number = (random() % 300) * (step % 2 ? 1 : 0x100000000ull);
        if (random() % 2) {
            table.put(number, step);
            oracle[number] = step;
        } else {
            const auto taken = table.take(number);
            const auto expected = oracle.find(number);
            REQUIRE(taken.has_value() == (expected != oracle.end()));
            if (!taken) continue;
            REQUIRE(*taken == expected->second);
            oracle.erase(expected);
        }
        REQUIRE(table.size() == oracle.size());
    }
}

}  // namespace skein::pending_table_test
