// SPDX-License-Identifier: GPL-3.0-or-later
// Open MPI rankfile: `rank N=host slot=S` with S = core, core,core, a-b or socket:cores (logical numbers).
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>

namespace skein::launcher {
namespace {

Result<std::string> writeRankfile(const RankMap& map, const MapFileOptions& options)
{
    std::string text = options.header.empty() ? "" : "# " + options.header + "\n";
    for (std::size_t rank = 0; rank < map.places.size(); ++rank) {
        const std::uint32_t first = map.places[rank].slot * options.coresPerRank;
        const std::string cores = options.coresPerRank == 1
            ? fmt::format("{}", first)
            : fmt::format("{}-{}", first, first + options.coresPerRank - 1);
        text += fmt::format("rank {}={} slot={}\n", rank, map.hostOf(rank).name, cores);
    }
    return text;
}

struct Entry {
    std::uint32_t rank = 0;
    std::string_view host;
    std::string_view cores;
};

Result<Entry> rankfileEntry(const Line& line)
{
    const auto equals = line.text.find('=');
    const auto slot = line.text.find("slot=");
    if (!line.text.starts_with("rank") || equals == std::string_view::npos || slot == std::string_view::npos
        || slot < equals)
        return badLine(line.number, "`rank N=host slot=S` is expected");
    const auto rank = number(trimmed(line.text.substr(4, equals - 4)));
    const auto host = trimmed(line.text.substr(equals + 1, slot - equals - 1));
    if (!rank || host.empty()) return badLine(line.number, "`rank N=host slot=S` is expected");
    return Entry{*rank, host, trimmed(line.text.substr(slot + 5))};
}

/// The lowest core of "3", "3,4", "3-5", or of "1:3" on a machine whose sockets have so many cores.
Result<std::uint32_t> firstCoreOf(std::string_view cores, std::uint32_t coresPerSocket, std::size_t line)
{
    const auto colon = cores.find(':');
    const bool onSocket = colon != std::string_view::npos;
    const auto socket = onSocket ? number(trimmed(cores.substr(0, colon))) : std::optional<std::uint32_t>(0);
    if (!socket) return badLine(line, "the socket is no number");
    if (onSocket && coresPerSocket == 0)
        return badLine(line,
                       "socket:core places need the sockets' size, which the file does not tell; use core "
                       "numbers, or say it");
    const auto inSocket = trimmed(onSocket ? cores.substr(colon + 1) : cores);
    std::vector<std::uint32_t> list;
    if (onSocket && inSocket == "*") list = {0};
    else
        for (const auto part : split(inSocket, ','))
            if (!appendRange(part, list)) return badLine(line, "the slot is no core, list or range of cores");
    const std::uint64_t lowest = *std::min_element(list.begin(), list.end());
    const std::uint64_t core = std::uint64_t{*socket} * coresPerSocket + lowest;
    if (onSocket && lowest >= coresPerSocket)
        return badLine(line, fmt::format("a socket has {} cores", coresPerSocket));
    if (core > std::numeric_limits<std::uint32_t>::max()) return badLine(line, "there is no such core");
    return static_cast<std::uint32_t>(core);
}

/// "+n2" is the third host of the allocation.
std::string_view namedHost(std::string_view host, const std::vector<MapHost>& hosts)
{
    if (!host.starts_with("+n")) return host;
    const auto index = number(host.substr(2));
    return index && *index < hosts.size() ? std::string_view(hosts[*index].name) : host;
}

Result<RankMap> readRankfile(std::string_view text, const std::vector<MapHost>& hosts,
                             const MapFileOptions& options)
{
    PlaceCollector collector(hosts);
    const std::uint32_t cores = std::max(1u, options.coresPerRank);
    for (const Line& line : contentLines(text)) {
        const auto entry = rankfileEntry(line);
        if (!entry) return tl::make_unexpected(entry.error());
        if (entry->host.starts_with("+n") && hosts.empty())
            return badLine(line.number,
                           "hosts by their place in the allocation need its hosts: say which the job has");
        const auto host = collector.host(namedHost(entry->host, hosts));
        if (!host) return tl::make_unexpected(host.error());
        const auto core = firstCoreOf(entry->cores, options.coresPerSocket, line.number);
        if (!core) return tl::make_unexpected(core.error());
        if (*core % cores != 0)
            return badLine(line.number,
                           fmt::format("core {} does not start a slot of {} cores", *core, cores));
        if (!collector.place(entry->rank, {*host, *core / cores}))
            return badLine(line.number, fmt::format("rank {} is placed twice", entry->rank));
    }
    return collector.finish();
}

std::vector<std::string> rankfileWarnings(const RankMap&, const MapFileOptions&)
{
    return {"Host names must be spelled as the allocation has them (short or with the domain), or mpirun "
            "refuses the file."};
}

LaunchRecipe rankfileRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string four =
        fmt::format("mpirun -np {} --rankfile {} {}", map.places.size(), file, options.program);
    const std::string five =
        fmt::format("mpirun -np {} --map-by rankfile:FILE={} {}", map.places.size(), file, options.program);
    const std::string script = fmt::format(
        "#!/bin/sh\ncase \"$(mpirun --version | head -n 1)\" in\n  *\" \"[1-4].*) {} ;;\n  *) {} ;;\nesac\n",
        four, five);
    return {{}, {four, five}, script};
}

bool recognizesRankfile(std::string_view text)
{
    const auto lines = contentLines(text);
    return !lines.empty() && rankfileEntry(lines.front()).has_value();
}

}  // namespace

LauncherFormat openMpiFormat()
{
    return {"openmpi",
            "Open MPI rankfile",
            MapFileKind::Place,
            MapFileDetail::HostAndSlot,
            false,
            "rankfile",
            writeRankfile,
            readRankfile,
            rankfileWarnings,
            rankfileRecipe,
            recognizesRankfile};
}

}  // namespace skein::launcher
