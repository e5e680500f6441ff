// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_number.h"
#include "tests/support/catch.h"

#include <cstdint>

namespace skein::parse_number_test {

TEST_CASE("a number is read from the whole text or not at all")
{
    CHECK(parseNumber<std::uint32_t>("0") == 0u);
    CHECK(parseNumber<std::uint32_t>("007") == 7u);
    CHECK(parseNumber<std::uint32_t>("4294967295") == 4294967295u);
    CHECK(parseNumber<std::uint64_t>("18446744073709551615") == 18446744073709551615u);
    CHECK(parseNumber<int>("-12") == -12);
    CHECK(parseNumber<double>("3.913e+06") == 3913000.0);
    for (const char* wrong : {"", " 1", "1 ", "+1", "-1", "1.5", "0x10", "4294967296", "1,000", "one"})
        CHECK_FALSE(parseNumber<std::uint32_t>(wrong));
    for (const char* wrong : {"", "1e", "1.5s", "1e999"}) CHECK_FALSE(parseNumber<double>(wrong));
}

}  // namespace skein::parse_number_test
