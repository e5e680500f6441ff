// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/described_commands.h"

#include "app/cli/commands.h"

#include <memory>
#include <utility>

namespace skein::cli {
namespace {

CommandText commandText(const CommandLine& line)
{
    CommandText text{line.name(), line.summary(), {}, line.options(), {}};
    for (const std::unique_ptr<CommandLine>& step : line.commands()) text.steps.push_back(commandText(*step));
    return text;
}

}  // namespace

std::vector<CommandText> describedCommands()
{
    CommandLine program("skein-cli", "");
    std::vector<CommandText> texts;
    // Actions hold what options refer to.
    std::vector<Action> actions;
    for (const Command& command : builtinCommands()) {
        CommandLine& line = program.command(std::string(command.name), std::string(command.summary));
        actions.push_back(command.define(line));
        texts.push_back(commandText(line));
        texts.back().examples = command.examples;
    }
    return texts;
}

}  // namespace skein::cli
