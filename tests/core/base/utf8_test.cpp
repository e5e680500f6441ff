// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/utf8.h"
#include "tests/support/catch.h"

namespace skein::utf8_test {

TEST_CASE("bytes that are not UTF-8 become replacement characters and the rest stays")
{
    CHECK(toValidUtf8("grüße 😀") == "grüße 😀");
    CHECK(toValidUtf8("a\xFF"
                      "b")
          == "a\xEF\xBF\xBD"
             "b");
    CHECK(toValidUtf8("\xC0\x80") == "\xEF\xBF\xBD\xEF\xBF\xBD");          // overlong
    CHECK(toValidUtf8("\xED\xA0\x80").find('\xED') == std::string::npos);  // surrogate
    CHECK_FALSE(isValidUtf8("\xE2\x82"));                                  // cut off
}

TEST_CASE("what is no JSON was cut off, or is in another encoding")
{
    CHECK(whyNoJson("{\"a\": \"\xC3\xA9") == "it was cut off, or changed by hand");
    CHECK(whyNoJson("{\"a\": \"\xE9\"}").find("not in UTF-8") != std::string_view::npos);
}

}  // namespace skein::utf8_test
