// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands/remap_map.h"

#include "algorithms/mapping/problem/job_block.h"
#include "algorithms/mapping/report/map_hosts.h"
#include "core/base/content_hash.h"
#include "core/io/launcher/map_files.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>
#include <span>
#include <vector>

namespace skein::cli {
namespace {

/// Where the run's names are none that launchers find, hosts are node0, node1, …; a table of places takes any
/// name.
std::vector<MapHost> hostsFor(const LauncherFormat& format, const MachineInput& input,
                              std::span<const std::uint32_t> nodes)
{
    std::vector<MapHost> hosts = hostsOfNodes(input, nodes);
    if (format.id == "csv" || std::ranges::all_of(hosts, isHostName, &MapHost::name)) return hosts;
    for (std::size_t i = 0; i < hosts.size(); ++i) hosts[i].name = fmt::format("node{}", nodes[i]);
    return hosts;
}

/// Hosts of a map: all nodes, but of a huge machine those that run ranks before or after.
std::vector<std::uint32_t> nodesOfMaps(const MachineInput& input, const Placement& after)
{
    std::vector<std::uint32_t> nodes;
    if (std::uint64_t{input.topology.nodes()} * after.ranksPerNode() <= kSlotsOfHugeMachine) {
        nodes.resize(input.topology.nodes());
        std::iota(nodes.begin(), nodes.end(), 0u);
        return nodes;
    }
    for (const Placement* placement : {&input.placement, &after}) {
        for (std::uint32_t rank = 0; rank < placement->ranks(); ++rank)
            nodes.push_back(placement->nodeOf(rank));
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

RankMap rankMapOf(const MachineInput& input, const Placement& placement, const LauncherFormat& format,
                  std::span<const std::uint32_t> nodes)
{
    RankMap map;
    map.hosts = hostsFor(format, input, nodes);
    for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank) {
        const auto found = std::lower_bound(nodes.begin(), nodes.end(), placement.nodeOf(rank));
        map.places.push_back({static_cast<std::uint32_t>(found - nodes.begin()), placement.coreOf(rank)});
    }
    return map;
}

/// A launcher cannot say every map; the search shall not have been in vain. Gives the error, with where the
/// map is.
Unexpected keptAsTable(const MachineInput& input, const std::string& file, const RemapOutcome& outcome,
                       const MapProvenance& provenance, Error why)
{
    const LauncherFormat& table = *findLauncherFormat("csv");
    const std::vector<std::uint32_t> nodes = nodesOfMaps(input, outcome.placement);
    if (writeMapFiles(file, rankMapOf(input, outcome.placement, table, nodes), table, {}, provenance,
                      rankMapOf(input, input.placement, table, nodes)))
        why.message +=
            fmt::format(" The map is kept in {}, for other launchers (skein-cli map convert).", file);
    return Unexpected(std::move(why));
}

}  // namespace

Result<void> writeMap(const MachineInput& input, const RemapMapOutput& output, const RemapOutcome& outcome,
                      const Invocation& invocation)
{
    const LauncherFormat* format = findLauncherFormat(output.launcher.empty() ? "csv" : output.launcher);
    const std::vector<std::uint32_t> nodes = nodesOfMaps(input, outcome.placement);
    const RankMap map = rankMapOf(input, outcome.placement, *format, nodes);
    if (output.file.empty()) {
        const auto text = verifiedMapText(map, *format, {});
        if (!text) return Unexpected(text.error());
        invocation.out.write(*text);
        writeWarnings(format->warnings(map, {}), invocation.err);
        return {};
    }
    const auto hash = contentHash(output.source, invocation.task);
    MapProvenance provenance;
    provenance.source = output.source;
    provenance.sourceHash = hash ? *hash : "";
    provenance.objective = objectiveName(outcome.objective);
    provenance.objectiveBefore = static_cast<double>(outcome.result.objectiveBefore);
    provenance.objectiveAfter = static_cast<double>(outcome.result.objectiveAfter);
    provenance.method = outcome.result.method;
    provenance.seed = outcome.seed;
    provenance.steps = outcome.result.steps;
    provenance.seconds = outcome.seconds;
    const auto written = writeMapFiles(output.file, map, *format, {}, provenance,
                                       rankMapOf(input, input.placement, *format, nodes));
    if (!written) return keptAsTable(input, output.file + ".csv", outcome, provenance, written.error());
    writeWarnings(written->warnings, invocation.err);
    return {};
}

}  // namespace skein::cli
