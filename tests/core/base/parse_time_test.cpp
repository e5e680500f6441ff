// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_time.h"

#include "tests/support/catch.h"

namespace skein::parse_time_test {

TEST_CASE("times are read with every unit that help texts name, and nothing else is a time")
{
    CHECK(parseTime("1500") == 1500);
    CHECK(parseTime("12.5ms") == 12'500'000);
    CHECK(parseTime(" 2 s ") == 2'000'000'000);
    CHECK(parseTime("3us") == 3000);
    CHECK(parseTime("3µs") == 3000);
    CHECK(parseTime("2min") == 120'000'000'000);
    CHECK(parseTime("1h") == 3'600'000'000'000);
    CHECK(parseTime("-1ms") == -1'000'000);
    for (const char* none : {"", "ms", "1 d", "1h 2min", "nan", "inf s", "1e300 s", "1s2"})
        CHECK_FALSE(parseTime(none).has_value());
}

}  // namespace skein::parse_time_test
