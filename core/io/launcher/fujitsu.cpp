// SPDX-License-Identifier: GPL-3.0-or-later
// Fujitsu `mpiexec --vcoordfile FILE`: line r holds the logical coordinates of rank r's node.
#include "core/io/launcher/coordinate_list.h"
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein::launcher {
namespace {

LaunchRecipe vcoordfileRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string command =
        fmt::format("mpiexec -n {} --vcoordfile {} {}", map.places.size(), file, options.program);
    return {{},
            {command},
            fmt::format("#!/bin/sh\n#PJM -L node={}\n#PJM --mpi proc={}\n{}\n", map.hosts.size(),
                        map.places.size(), command)};
}

}  // namespace

LauncherFormat fujitsuFormat()
{
    return {"fujitsu",
            "Fujitsu mpiexec coordinate file",
            MapFileKind::Place,
            MapFileDetail::Host,
            true,
            "vcoordfile",
            writeCoordinateList,
            readCoordinateList,
            coordinateListWarnings,
            vcoordfileRecipe,
            neverRecognized};
}

}  // namespace skein::launcher
