// SPDX-License-Identifier: GPL-3.0-or-later
// Intel MPI `mpirun -machinefile FILE`: as Hydra's host file, but a host may be named again. (-hostfile would
// use repeated names once.)
#include "core/io/launcher/formats.h"
#include "core/io/launcher/host_list.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein::launcher {
namespace {

std::vector<std::string> machinefileWarnings(const RankMap& map, const MapFileOptions&)
{
    auto found =
        slotsLostWarning(map, "Pin with I_MPI_PIN_PROCESSOR_LIST where all hosts have the same order.");
    found.push_back("Do not add -ppn: it overrides the file. Under a batch system set "
                    "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT=off (not verified).");
    return found;
}

LaunchRecipe machinefileRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string command =
        fmt::format("mpirun -machinefile {} -n {} {}", file, map.places.size(), options.program);
    const std::string environment = "I_MPI_JOB_RESPECT_PROCESS_PLACEMENT=off";
    return {{environment}, {command}, "#!/bin/sh\nexport " + environment + "\n" + command + "\n"};
}

}  // namespace

LauncherFormat intelMpiFormat()
{
    return {"intelmpi",
            "Intel MPI machine file",
            MapFileKind::Place,
            MapFileDetail::Host,
            false,
            "machinefile",
            writeHostList,
            readHostList,
            machinefileWarnings,
            machinefileRecipe,
            neverRecognized};
}

}  // namespace skein::launcher
