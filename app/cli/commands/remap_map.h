// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "app/cli/commands/remap_report.h"
#include "app/cli/machine_input.h"
#include "core/base/result.h"

#include <string>

namespace skein::cli {

/// Where the map of a remapping goes, and for whom.
struct RemapMapOutput {
    std::string launcher;  ///< empty: csv
    std::string file;      ///< empty: stdout
    std::string source;    ///< the file of the communication
};

/// Writes the map with its table, JSON and job script, or its text alone to stdout. Where the launcher cannot
/// say the map it is kept as a table, and the error tells where. Errors: those of the launcher's format; Io.
Result<void> writeMap(const MachineInput& input, const RemapMapOutput& output, const RemapOutcome& outcome,
                      const Invocation& invocation);

}  // namespace skein::cli
