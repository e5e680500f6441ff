// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/cli.h"

#include <CLI/CLI.hpp>

namespace skein::cli {

int run(int argc, char** argv)
{
    CLI::App app("Numbers of traces and profiles of parallel programs", "skein-cli");
    app.require_subcommand(1);
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    return 0;
}

}  // namespace skein::cli
