// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments.h"
#include "tests/support/catch.h"

namespace skein::arguments_test {

using namespace skein::cli;

TEST_CASE("times are understood with and without a unit")
{
    CHECK(parseTime("1500") == 1500);
    CHECK(parseTime("12.5ms") == 12'500'000);
    CHECK(parseTime(" 3 us ") == 3000);
    CHECK(parseTime("3µs") == 3000);
    CHECK(parseTime("2s") == 2'000'000'000);
    CHECK(parseTime("-1ms") == -1'000'000);
    for (const auto* wrong : {"", "ms", "1.5 lightyears", "nan", "inf", "1e40s", "12ms13"})
        CHECK_FALSE(parseTime(wrong));
}

TEST_CASE("windows may be open at either end")
{
    const TimeSpan whole{0, 100};
    CHECK(parseWindow("", whole).value() == whole);
    CHECK(parseWindow("10:20", whole).value() == TimeSpan{10, 20});
    CHECK(parseWindow(":20ns", whole).value() == TimeSpan{0, 20});
    CHECK(parseWindow("10:", whole).value() == TimeSpan{10, 100});
    CHECK(parseWindow(":", whole).value() == whole);
    for (const auto* wrong : {"10", "20:10", "x:10", "10:y"}) {
        const auto window = parseWindow(wrong, whole);
        REQUIRE_FALSE(window);
        CHECK(window.error().code == ErrorCode::InvalidArgument);
        CHECK(window.error().message.find(wrong) != std::string::npos);
    }
}

}  // namespace skein::arguments_test
