// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/csv.h"

#include "tests/support/catch.h"

namespace skein::csv_test {

TEST_CASE("a CSV field is quoted where it must be")
{
    const auto field = [](std::string_view text) {
        std::string out = "x,";
        appendCsv(out, text);
        return out;
    };
    CHECK(field("plain text") == "x,plain text");
    CHECK(field("") == "x,");
    CHECK(field("a,b") == "x,\"a,b\"");
    CHECK(field("say \"so\"") == "x,\"say \"\"so\"\"\"");
    CHECK(field("two\nlines") == "x,\"two\nlines\"");
    CHECK(field("old\rMac") == "x,\"old\rMac\"");
}

}  // namespace skein::csv_test
