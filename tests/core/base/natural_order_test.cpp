// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/natural_order.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <string>
#include <vector>

namespace skein::natural_order_test {

TEST_CASE("names are ordered as people count")
{
    const NaturalOrder before;
    CHECK(before("Rank 9", "Rank 10"));
    CHECK_FALSE(before("Rank 10", "Rank 9"));
    CHECK(before("n007a", "n8"));
    CHECK(before("Rank", "Rank 1"));
    CHECK_FALSE(before("same 1", "same 1"));
    CHECK(before("n99999999999999999999999998", "n99999999999999999999999999"));
    CHECK(before("n0", "n1"));
}

TEST_CASE("the natural order is strict: of two names one is first or they are the same")
{
    const NaturalOrder before;
    std::vector<std::string> names{"",   "0",   "00",  "1",    "01",  "001", "9",   "10", "a",  "a0",  "a00",
                                   "a1", "a01", "a1b", "a01b", "a1c", "a2",  "a10", "b1", "é1", "a 1", "a-1"};
    for (const std::string& a : names) {
        for (const std::string& b : names) {
            INFO(a << " " << b);
            CHECK(int(before(a, b)) + int(before(b, a)) == (a == b ? 0 : 1));
            for (const std::string& c : names)
                if (before(a, b) && before(b, c)) CHECK(before(a, c));
        }
    }
}

}  // namespace skein::natural_order_test
