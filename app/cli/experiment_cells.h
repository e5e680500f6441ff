// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/records.h"
#include "core/base/result.h"
#include "core/session/experiment.h"

#include <optional>
#include <string_view>

/// Values of an experiment as commands print them.
namespace skein::cli {

/// A time, unknown where there is none.
Cell timeCell(TimeNs time);
/// The rank of a location, unknown where it has none.
Cell rankCell(const Experiment& experiment, LocationId location);
/// The name of a communicator, or the archive's own number for it where it has no name.
Cell communicatorCell(const Experiment& experiment, CommunicatorId communicator);

/// The experiment's trace. Errors: NotRecorded, saying that `what` is to be found in traces only.
Result<const Trace*> traceOf(const Experiment& experiment, std::string_view what);

}  // namespace skein::cli
