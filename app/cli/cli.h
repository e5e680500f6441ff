// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <string>
#include <vector>

namespace skein::cli {

/// Runs skein-cli with the arguments that follow the program's name and returns its exit code (command.h:
/// ExitCode). Results go to `out`, sentences about failures to `err`. `task` brings the stop token and where
/// progress goes. `open` opens the PATHs of the command line; empty: through their indexes, which are saved
/// once the results are out. No exception leaves it. Thread-safe.
int run(const std::vector<std::string>& arguments, Sink& out, Sink& err, const Task& task,
        const Opener& open);

}  // namespace skein::cli
