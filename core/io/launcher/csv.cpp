// SPDX-License-Identifier: GPL-3.0-or-later
// Skein's own mapping.csv: rank,host,slot,core,coords,old_host,old_slot. Only the first three columns are
// needed to read it back; the old columns are filled by writeMapFiles, which knows the placement before.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/map_files.h"
#include "core/io/launcher/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::launcher {
namespace {

constexpr std::string_view kPlaceTableHeader = "rank,host,slot,core,coords,old_host,old_slot";

Result<std::string> writePlaceTable(const RankMap& map, const MapFileOptions& options)
{
    return mappingTable(map, std::nullopt, options.coresPerRank);
}

Result<RankMap> readPlaceTable(std::string_view text, const std::vector<MapHost>& hosts,
                               const MapFileOptions&)
{
    const auto lines = contentLines(text);
    if (lines.empty() || !lines.front().text.starts_with("rank,host,slot"))
        return fail(ErrorCode::Malformed,
                    fmt::format("A map in CSV starts with the line {}.", kPlaceTableHeader));
    PlaceCollector collector(hosts);
    std::vector<std::vector<std::uint32_t>> coordinates;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        const auto fields = split(lines[i].text, ',');
        if (fields.size() < 3) return badLine(lines[i].number, "rank,host,slot are expected");
        const auto rank = number(fields[0]);
        const auto slot = number(fields[2]);
        if (!rank || !slot || fields[1].empty())
            return badLine(lines[i].number, "rank,host,slot are expected");
        const auto host = collector.host(fields[1]);
        if (!host) return tl::make_unexpected(host.error());
        if (!collector.place(*rank, {*host, *slot}))
            return badLine(lines[i].number, fmt::format("rank {} is placed twice", *rank));
        coordinates.resize(std::max<std::size_t>(coordinates.size(), *host + std::size_t{1}));
        if (fields.size() < 5 || !coordinates[*host].empty()) continue;
        for (const auto word : words(fields[4]))
            if (const auto value = number(word)) coordinates[*host].push_back(*value);
    }
    auto map = collector.finish();
    if (map)
        for (std::size_t host = 0; host < coordinates.size(); ++host)
            if (map->hosts[host].coordinates.empty()) map->hosts[host].coordinates = coordinates[host];
    return map;
}

LaunchRecipe noRecipe(const RankMap&, const MapFileOptions&, const std::string&) { return {}; }

bool recognizesPlaceTable(std::string_view text) { return trimmed(text).starts_with("rank,host,slot"); }

}  // namespace

LauncherFormat csvFormat()
{
    return {"csv",
            "Table of ranks and places",
            MapFileKind::Place,
            MapFileDetail::HostAndSlot,
            false,
            "mapping.csv",
            writePlaceTable,
            readPlaceTable,
            noWarnings,
            noRecipe,
            recognizesPlaceTable};
}

}  // namespace skein::launcher
