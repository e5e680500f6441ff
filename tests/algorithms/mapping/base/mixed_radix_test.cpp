// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/base/mixed_radix.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <vector>

namespace skein::mixed_radix_test {

TEST_CASE("the digits of all numbers are those of division, the first digit slowest")
{
    for (const std::vector<std::uint32_t>& bases :
         {std::vector<std::uint32_t>{}, {7}, {2, 2, 2}, {3, 31, 2, 5}, {5, 2, 3, 3, 7, 2}}) {
        const MixedRadix radix(bases);
        REQUIRE(radix.digits().size() == bases.size());
        std::uint32_t stride = radix.size();
        for (std::size_t digit = 0; digit < bases.size(); ++digit) {
            stride /= bases[digit];
            CHECK(radix.digits()[digit].base == bases[digit]);
            CHECK(radix.digits()[digit].stride == stride);
            REQUIRE(radix.digits()[digit].value.size() == radix.size());
            for (std::uint32_t number = 0; number < radix.size(); ++number)
                CHECK(radix.digits()[digit].value[number] == number / stride % bases[digit]);
        }
        CHECK(stride == 1);
    }
}

TEST_CASE("every move of digits is a permutation of the numbers")
{
    Random random(3);
    const MixedRadix radix({2, 3, 2, 5, 3});
    for (int trial = 0; trial < 500; ++trial) {
        const DigitMove move(radix, 0.3, random);
        std::vector<char> taken(radix.size(), 0);
        for (std::uint32_t number = 0; number < radix.size(); ++number) {
            REQUIRE(move.of(number) < radix.size());
            taken[move.of(number)] = 1;
        }
        CHECK(std::count(taken.begin(), taken.end(), char{1}) == static_cast<std::ptrdiff_t>(radix.size()));
    }
}

}  // namespace skein::mixed_radix_test
