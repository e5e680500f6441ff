// SPDX-License-Identifier: GPL-3.0-or-later
// Own main: tests are discovered while the project is built, where there is no display.
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"

#include <cstdlib>

int main(int argc, char** argv)
{
    setenv("QT_QPA_PLATFORM", "offscreen", 0);
    return Catch::Session().run(argc, argv);
}
