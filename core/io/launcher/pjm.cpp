// SPDX-License-Identifier: GPL-3.0-or-later
// Fujitsu's batch system, `#PJM --mpi rank-map-hostfile=FILE`: the same lines as --vcoordfile, given to the
// job.
#include "core/io/launcher/coordinate_list.h"
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein::launcher {
namespace {

LaunchRecipe rankMapHostfileRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string command = fmt::format("mpiexec -n {} {}", map.places.size(), options.program);
    return {
        {},
        {command},
        fmt::format("#!/bin/sh\n#PJM -L node={}\n#PJM --mpi proc={}\n#PJM --mpi rank-map-hostfile={}\n{}\n",
                    map.hosts.size(), map.places.size(), file, command)};
}

}  // namespace

LauncherFormat pjmFormat()
{
    return {"pjm",
            "Fujitsu job manager rank map",
            MapFileKind::Place,
            MapFileDetail::Host,
            true,
            "rankmap",
            writeCoordinateList,
            readCoordinateList,
            coordinateListWarnings,
            rankMapHostfileRecipe,
            neverRecognized};
}

}  // namespace skein::launcher
