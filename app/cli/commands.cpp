// SPDX-License-Identifier: GPL-3.0-or-later
// The explicit list of commands, alphabetical: one line each.
#include "app/cli/commands.h"

#include "app/cli/commands/handovers_command.h"

#include <array>

namespace skein::cli {

std::span<const Command> builtinCommands()
{
    static const std::array commands{
        anomaliesCommand(),    attributesCommand(), causalityCommand(),   causesCommand(), changesCommand(),
        checkCommand(),        clustersCommand(),   collectivesCommand(), commCommand(),   compareCommand(),
        criticalPathCommand(), efficiencyCommand(), handoversCommand(),   indexCommand(),  infoCommand(),
        mapCommand(),          messagesCommand(),   metricsCommand(),     modelCommand(),  predictCommand(),
        profileCommand(),      projectCommand(),    qapCommand(),         queryCommand(),  rankCommand(),
        remapCommand(),        rerouteCommand(),    routesCommand(),      seriesCommand(), trafficCommand(),
        waitsCommand(),
    };
    return commands;
}

}  // namespace skein::cli
