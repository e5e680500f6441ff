// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/cli.h"

#include <string>
#include <vector>

namespace skein::test {

struct CliResult {
    int exitCode = 0;
    std::string out;
    std::string err;
};

/// Runs skein-cli inside the test.
inline CliResult runCli(const std::vector<std::string>& arguments)
{
    CliResult result;
    cli::Sink out(result.out), err(result.err);
    result.exitCode = cli::run(arguments, out, err, Task());
    return result;
}

}  // namespace skein::test
