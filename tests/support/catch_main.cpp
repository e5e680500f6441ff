// SPDX-License-Identifier: GPL-3.0-or-later
// Own main: tests are discovered while the project is built, where there is no display, and no test, nor a
// program that it starts, may touch the indexes of the user.
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"
#include "tests/support/paths.h"

#include <cstdlib>

int main(int argc, char** argv)
{
    const skein::test::TemporaryFolder indexes;
    setenv("SKEIN_INDEX_DIR", indexes.path().c_str(), 1);
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    return Catch::Session().run(argc, argv);
}
