// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit list of commands, alphabetical: one line each.
#include "app/cli/commands.h"

#include "app/cli/commands/handovers_command.h"

#include <array>

namespace skein::cli {

std::span<const Command> builtinCommands()
{
    static const std::array commands{
        anomaliesCommand(),    attributesCommand(), causalityCommand(),   changesCommand(),
        checkCommand(),        clustersCommand(),   collectivesCommand(), commCommand(),
        criticalPathCommand(), efficiencyCommand(), handoversCommand(),   indexCommand(),
        infoCommand(),         mapCommand(),        messagesCommand(),    metricsCommand(),
        predictCommand(),      profileCommand(),    projectCommand(),     qapCommand(),
        rankCommand(),         remapCommand(),      rerouteCommand(),     routesCommand(),
        seriesCommand(),       trafficCommand(),    waitsCommand(),
    };
    return commands;
}

}  // namespace skein::cli
