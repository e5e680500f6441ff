// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/experiment_cells.h"

#include <fmt/format.h>

namespace skein::cli {

Cell timeCell(TimeNs time) { return time == kNoTime ? Cell() : Cell(time); }

Cell rankCell(const Experiment& experiment, LocationId location)
{
    if (location.index() >= experiment.definitions.locations.size()) return {};
    const std::int64_t rank = experiment.definitions.location(location).rank;
    return rank < 0 ? Cell() : Cell(rank);
}

Cell communicatorCell(const Experiment& experiment, CommunicatorId communicator)
{
    if (communicator.index() >= experiment.definitions.communicators.size()) return {};
    const Communicator& found = experiment.definitions.communicators[communicator.index()];
    return found.name.empty() ? fmt::format("{}", found.originalId) : found.name;
}

Result<const Trace*> traceOf(const Experiment& experiment, std::string_view what)
{
    if (experiment.trace) return experiment.trace.get();
    return fail(ErrorCode::NotRecorded,
                fmt::format("{} is no trace; only traces have {}.", experiment.path.string(), what));
}

}  // namespace skein::cli
