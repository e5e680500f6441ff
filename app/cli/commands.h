// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"

#include <span>

namespace skein::cli {

/// Every command of skein-cli, in alphabetical order. Each is a function in a file of its own.
std::span<const Command> builtinCommands();

Command anomaliesCommand();
Command attributesCommand();
Command causalityCommand();
Command causesCommand();
Command changesCommand();
Command checkCommand();
Command clustersCommand();
Command collectivesCommand();
Command commCommand();
Command compareCommand();
Command criticalPathCommand();
Command efficiencyCommand();
Command indexCommand();
Command infoCommand();
Command mapCommand();
Command messagesCommand();
Command metricsCommand();
Command modelCommand();
Command predictCommand();
Command profileCommand();
Command projectCommand();
Command qapCommand();
Command queryCommand();
Command rankCommand();
Command remapCommand();
Command rerouteCommand();
Command routesCommand();
Command seriesCommand();
Command trafficCommand();
Command waitsCommand();

}  // namespace skein::cli
