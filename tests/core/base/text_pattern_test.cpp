// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text_pattern.h"

#include "tests/support/catch.h"

#include <string>

namespace skein::text_pattern_test {

TEST_CASE("patterns fit as in a shell")
{
    CHECK(fitsPattern("rank 12", "rank *"));
    CHECK(fitsPattern("rank 12", "*1?"));
    CHECK(fitsPattern("", "*"));
    CHECK(fitsPattern("abcabd", "*abd"));
    CHECK_FALSE(fitsPattern("rank 12", "rank ?"));
    CHECK_FALSE(fitsPattern("a", ""));
    CHECK_FALSE(fitsPattern("", "?"));
    CHECK_FALSE(fitsPattern(std::string(2000, 'a'), "*a*a*a*a*a*a*a*b"));
}

TEST_CASE("patterns fit with and without a look at the case of letters")
{
    CHECK(fitsPattern("Rank 12", "Rank *"));
    CHECK_FALSE(fitsPattern("Rank 12", "rank *"));
    CHECK(fitsPatternInAnyCase("Rank 12", "rank 1?"));
    CHECK_FALSE(fitsPatternInAnyCase("Rank 12", "rank ?"));
    CHECK(sameInAnyCase("Node", "nODE"));
    CHECK_FALSE(sameInAnyCase("Node", "Nodes"));
}

}  // namespace skein::text_pattern_test
