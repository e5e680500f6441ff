// SPDX-License-Identifier: GPL-3.0-or-later
// Slurm `srun --distribution=arbitrary` with SLURM_HOSTFILE: line r is the host of rank r; `host*3` repeats.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::launcher {
namespace {

Result<std::string> writeHostfile(const RankMap& map, const MapFileOptions& options)
{
    std::string text = options.header.empty() ? "" : "# " + options.header + "\n";
    for (std::size_t rank = 0; rank < map.places.size(); ++rank) text += map.hostOf(rank).name + "\n";
    return text;
}

Result<RankMap> readHostfile(std::string_view text, const std::vector<MapHost>& hosts, const MapFileOptions&)
{
    PlaceCollector collector(hosts);
    std::uint32_t rank = 0;
    for (const Line& line : contentLines(text)) {
        for (const auto entry : split(line.text, ',')) {
            const auto star = entry.find('*');
            const auto repeats =
                star == std::string_view::npos ? 1u : number(entry.substr(star + 1)).value_or(0);
            const auto name = trimmed(entry.substr(0, star));
            if (name.empty() || repeats == 0 || words(name).size() != 1 || rank + repeats > kMostRanks)
                return badLine(line.number, "one host name, or host*count, is expected");
            if (repeats > kMostRanksOfCount) return badLine(line.number, "no host holds so many ranks");
            const auto host = collector.host(name);
            if (!host) return tl::make_unexpected(host.error());
            collector.placeRunInRankOrder(rank, repeats, *host);
            rank += repeats;
        }
    }
    return collector.finish();
}

/// The cores of the ranks of a host in the order of their numbers, where all hosts agree.
std::vector<std::uint32_t> commonCores(const RankMap& map)
{
    std::vector<std::vector<std::uint32_t>> slots(map.hosts.size());
    for (const RankPlace place : map.places) slots[place.host].push_back(place.slot);
    const std::vector<std::uint32_t>* longest = &slots.front();
    for (const auto& other : slots)
        if (other.size() > longest->size()) longest = &other;
    for (const auto& other : slots)
        if (!std::equal(other.begin(), other.end(), longest->begin())) return {};
    return *longest;
}

std::vector<std::string> hostfileWarnings(const RankMap& map, const MapFileOptions&)
{
    auto found = slotsLostWarning(map,
                                  commonCores(map).empty()
                                      ? "The hosts differ, so one --cpu-bind list cannot express it either."
                                      : "The command line binds them with --cpu-bind=map_cpu.");
    found.push_back(
        fmt::format("The job must have exactly {} nodes (-N), named as `scontrol show hostnames` does.",
                    usedHostCount(map)));
    return found;
}

LaunchRecipe srunRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    std::string binding;
    if (const auto cores = commonCores(map); !cores.empty() && !slotsFollowRankOrder(map)) {
        binding = " --cpu-bind=map_cpu:";
        for (std::size_t i = 0; i < cores.size(); ++i)
            binding += fmt::format("{}{}", i ? "," : "", cores[i] * options.coresPerRank);
    }
    const std::string command = fmt::format("srun -N {} -n {} --distribution=arbitrary{} {}",
                                            usedHostCount(map), map.places.size(), binding, options.program);
    const std::string script =
        fmt::format("#!/bin/sh\n#SBATCH --nodes={}\n#SBATCH --ntasks={}\nexport SLURM_HOSTFILE={}\n{}\n",
                    usedHostCount(map), map.places.size(), file, command);
    return {{"SLURM_HOSTFILE=" + file}, {command}, script};
}

}  // namespace

LauncherFormat slurmFormat()
{
    return {"slurm",        "Slurm srun host file", MapFileKind::Place, MapFileDetail::Host, false,
            "hostfile",     writeHostfile,          readHostfile,       hostfileWarnings,    srunRecipe,
            neverRecognized};
}

}  // namespace skein::launcher
