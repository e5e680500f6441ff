// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command_line.h"

#include <string>
#include <vector>

namespace skein::cli {

/// A command as its help tells it, for programs that offer the commands in other words.
struct CommandText {
    std::string name;     ///< "critical-path"
    std::string summary;  ///< one line
    std::string examples;
    std::vector<OptionText> options;
    std::vector<CommandText> steps;  ///< commands of this command: "map convert"
};

/// All commands of skein-cli, in alphabetical order.
std::vector<CommandText> describedCommands();

}  // namespace skein::cli
