// SPDX-License-Identifier: GPL-3.0-or-later
// HPE Cray MPICH, MPICH_RANK_REORDER_METHOD=3: entry k of the list is the rank on the k-th slot in block
// order.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein::launcher {
namespace {

/// cray-mpich 9.1.0 stops in MPI_Init when its encoded process map is longer than this; 9.0.1 does not.
constexpr std::size_t kLongestProcessMap = 1023;
constexpr std::size_t kProcessMapBytesPerRun = 9;

Result<std::string> writeRankOrder(const RankMap& map, const MapFileOptions& options)
{
    constexpr std::size_t kPerLine = 16;
    std::string text = options.header.empty() ? "" : "# " + options.header + "\n";
    std::size_t written = 0;
    const auto onHosts = ranksByHost(map);
    for (std::size_t host = 0; host < onHosts.size(); ++host) {
        const auto& ranks = onHosts[host];
        const bool last = written + ranks.size() == map.places.size();
        if (!last && ranks.size() != map.hosts[host].slots)
            return fail(
                ErrorCode::Unsupported,
                fmt::format(
                    "MPICH_RANK_ORDER fills the slots in block order, but {} has {} free slots before "
                    "later hosts that are used.",
                    map.hosts[host].name, map.hosts[host].slots - ranks.size()));
        for (std::size_t i = 0; i < ranks.size(); ++i) {
            if (map.places[ranks[i]].slot != i)
                return fail(ErrorCode::Unsupported,
                            fmt::format("MPICH_RANK_ORDER cannot leave slot {} of {} free.", i,
                                        map.hosts[host].name));
            text += fmt::format("{}{}", written % kPerLine == 0 ? (written == 0 ? "" : "\n") : ",", ranks[i]);
            ++written;
        }
        if (last) break;
    }
    return text + "\n";
}

Result<RankMap> readRankOrder(std::string_view text, const std::vector<MapHost>& hosts, const MapFileOptions&)
{
    if (hosts.empty())
        return fail(
            ErrorCode::InvalidArgument,
            "An order list names no hosts: say which hosts the job has, in their order, and their slots.");
    std::vector<std::uint32_t> order;
    for (const Line& line : contentLines(text))
        for (const auto part : split(line.text, ','))
            if (!part.empty() && !appendRange(part, order))
                return badLine(line.number, "a rank is not a number or range");
    const auto block = blockMap(hosts, order.size());
    if (!block) return tl::make_unexpected(block.error());
    PlaceCollector collector(hosts);
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (order[k] >= order.size())
            return fail(ErrorCode::Malformed,
                        fmt::format("The list has {} entries but names rank {}.", order.size(), order[k]));
        if (!collector.place(order[k], block->places[k]))
            return fail(ErrorCode::Malformed, fmt::format("Rank {} stands in the list twice.", order[k]));
    }
    return collector.finish();
}

std::vector<std::string> rankOrderWarnings(const RankMap& map, const MapFileOptions&)
{
    std::vector<std::string> found;
    const std::size_t estimate = hostRuns(map).size() * kProcessMapBytesPerRun;
    if (estimate > kLongestProcessMap)
        found.push_back(fmt::format("cray-mpich 9.1.0 stops in MPI_Init when its process map is longer than "
                                    "{} bytes; this order needs about "
                                    "{}. Version 9.0.1 takes it. Check with MPICH_RANK_REORDER_DISPLAY=1.",
                                    kLongestProcessMap, estimate));
    found.push_back(
        "The job's own placement must be block (srun -m block, aprun's default): the list reorders that.");
    return found;
}

LaunchRecipe rankOrderRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::vector<std::string> environment{
        "MPICH_RANK_REORDER_METHOD=3", "MPICH_RANK_REORDER_FILE=" + file, "MPICH_RANK_REORDER_DISPLAY=1"};
    const std::string aprun =
        fmt::format("aprun -n {} -N {} {}", map.places.size(), mostRanksOnAHost(map), options.program);
    const std::string srun = fmt::format("srun -n {} --ntasks-per-node={} -m block {}", map.places.size(),
                                         mostRanksOnAHost(map), options.program);
    std::string script = "#!/bin/sh\n";
    for (const auto& line : environment) script += "export " + line + "\n";
    return {environment, {aprun, srun}, script + srun + "\n"};
}

}  // namespace

LauncherFormat crayFormat()
{
    return {"cray",
            "HPE Cray MPICH rank order",
            MapFileKind::OrderList,
            MapFileDetail::HostAndSlot,
            false,
            "MPICH_RANK_ORDER",
            writeRankOrder,
            readRankOrder,
            rankOrderWarnings,
            rankOrderRecipe,
            neverRecognized};
}

}  // namespace skein::launcher
