// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/sink.h"
#include "core/base/task.h"

#include <string>
#include <vector>

namespace skein::cli {

/// Runs skein-cli with the arguments that follow the program's name and returns its exit code (command.h: ExitCode).
/// Results go to `out`, sentences about failures to `err`. `task` brings the stop token and where progress goes.
/// No exception leaves it. Thread-safe.
int run(const std::vector<std::string>& arguments, Sink& out, Sink& err, const Task& task);

}  // namespace skein::cli
