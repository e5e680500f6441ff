// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/support/console.h"

namespace skein::golden_test {

TEST_CASE("golden: the examples of docs/CLI.md print what they say")
{
    skein::test::checkConsole("docs/CLI.md");
}
TEST_CASE("golden: commands on the bundled archives print what they did")
{
    skein::test::checkConsole("tests/golden/cli.md");
}

}  // namespace skein::golden_test
