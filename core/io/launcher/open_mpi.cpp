// SPDX-License-Identifier: GPL-3.0-or-later
// Open MPI rankfile: `rank N=host slot=S` with S = core, core,core, a-b or socket:cores (logical numbers).
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::launcher {
namespace {

Result<std::string> write(const RankMap& map, const MapFileOptions& options)
{
    std::string text = options.header.empty() ? "" : "# " + options.header + "\n";
    for (std::size_t rank = 0; rank < map.places.size(); ++rank) {
        const std::uint32_t first = map.places[rank].slot * options.coresPerRank;
        const std::string cores = options.coresPerRank == 1 ? fmt::format("{}", first)
                                                            : fmt::format("{}-{}", first, first + options.coresPerRank - 1);
        text += fmt::format("rank {}={} slot={}\n", rank, map.hostOf(rank).name, cores);
    }
    return text;
}

struct Entry {
    std::uint32_t rank = 0;
    std::string_view host;
    std::uint32_t firstCore = 0;
};

Result<Entry> entryOf(const Line& line)
{
    const auto equals = line.text.find('=');
    const auto slot = line.text.find("slot=");
    if (!line.text.starts_with("rank") || equals == std::string_view::npos || slot == std::string_view::npos || slot < equals)
        return badLine(line.number, "`rank N=host slot=S` is expected");
    const auto rank = number(trimmed(line.text.substr(4, equals - 4)));
    const auto host = trimmed(line.text.substr(equals + 1, slot - equals - 1));
    const auto cores = trimmed(line.text.substr(slot + 5));
    if (!rank || host.empty()) return badLine(line.number, "`rank N=host slot=S` is expected");
    if (cores.find(':') != std::string_view::npos)
        return badLine(line.number, "socket:core places need the sockets' sizes, which the file does not tell; use core numbers");
    std::vector<std::uint32_t> list;
    for (const auto part : split(cores, ','))
        if (!appendRange(part, list)) return badLine(line.number, "the slot is no core, list or range of cores");
    return Entry{*rank, host, *std::min_element(list.begin(), list.end())};
}

Result<RankMap> read(std::string_view text, const std::vector<MapHost>& hosts, const MapFileOptions& options)
{
    PlaceCollector collector(hosts);
    for (const Line& line : contentLines(text)) {
        const auto entry = entryOf(line);
        if (!entry) return tl::make_unexpected(entry.error());
        const auto host = collector.host(entry->host);
        if (!host) return tl::make_unexpected(host.error());
        const std::uint32_t cores = std::max(1u, options.coresPerRank);
        if (entry->firstCore % cores != 0)
            return badLine(line.number, fmt::format("core {} does not start a slot of {} cores", entry->firstCore, cores));
        if (!collector.place(entry->rank, {*host, entry->firstCore / cores}))
            return badLine(line.number, fmt::format("rank {} is placed twice", entry->rank));
    }
    return collector.finish();
}

std::vector<std::string> warnings(const RankMap&, const MapFileOptions&)
{
    return {"Host names must be spelled as the allocation has them (short or with the domain), or mpirun refuses the file."};
}

LaunchRecipe recipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string four = fmt::format("mpirun -np {} --rankfile {} {}", map.places.size(), file, options.program);
    const std::string five = fmt::format("mpirun -np {} --map-by rankfile:FILE={} {}", map.places.size(), file, options.program);
    const std::string script = fmt::format(
        "#!/bin/sh\ncase \"$(mpirun --version | head -n 1)\" in\n  *\" \"[1-4].*) {} ;;\n  *) {} ;;\nesac\n", four, five);
    return {{}, {four, five}, script};
}

bool recognizes(std::string_view text)
{
    const auto lines = contentLines(text);
    return !lines.empty() && entryOf(lines.front()).has_value();
}

}  // namespace

LauncherFormat openMpiFormat()
{
    return {"openmpi", "Open MPI rankfile", MapFileKind::Place, MapFileDetail::HostAndSlot, false, "rankfile",
            write, read, warnings, recipe, recognizes};
}

}  // namespace skein::launcher
