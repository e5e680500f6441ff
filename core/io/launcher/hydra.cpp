// SPDX-License-Identifier: GPL-3.0-or-later
// MPICH Hydra `mpiexec -f FILE`: hosts with counts, ranks fill them in file order.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/host_list.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein::launcher {
namespace {

std::vector<std::string> hydraWarnings(const RankMap& map, const MapFileOptions&)
{
    auto found = slotsLostWarning(map, "Bind with -bind-to user:… where all hosts have the same order.");
    const std::size_t runs = hostRuns(map).size();
    if (const std::size_t hosts = usedHostCount(map); runs > hosts)
        found.push_back(
            fmt::format("Hydra takes every repetition of a host for another node: with {} runs of ranks on "
                        "{} hosts MPICH would not "
                        "use shared memory between ranks of one host that stand in different runs. Use srun "
                        "with an arbitrary "
                        "distribution instead, or a map in which the ranks of a host are contiguous.",
                        runs, hosts));
    return found;
}

LaunchRecipe hydraRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string command =
        fmt::format("mpiexec -f {} -n {} {}", file, map.places.size(), options.program);
    return {{}, {command}, "#!/bin/sh\n" + command + "\n"};
}

}  // namespace

LauncherFormat hydraFormat()
{
    return {"hydra",        "MPICH Hydra host file", MapFileKind::Place, MapFileDetail::Host, false,
            "hosts",        writeHostList,           readHostList,       hydraWarnings,       hydraRecipe,
            neverRecognized};
}

}  // namespace skein::launcher
