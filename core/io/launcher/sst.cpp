// SPDX-License-Identifier: GPL-3.0-or-later
// The Structural Simulation Toolkit's mapFile: line r is the node number of rank r.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein::launcher {
namespace {

Result<std::string> writeNodeNumbers(const RankMap& map, const MapFileOptions&)
{
    std::string text;
    for (const RankPlace place : map.places) text += fmt::format("{}\n", place.host);
    return text;
}

Result<RankMap> readNodeNumbers(std::string_view text, const std::vector<MapHost>& hosts,
                                const MapFileOptions&)
{
    if (hosts.empty())
        return fail(ErrorCode::InvalidArgument, "The file numbers the nodes: say which hosts those are.");
    PlaceCollector collector(hosts);
    std::uint32_t rank = 0;
    for (const Line& line : contentLines(text)) {
        const auto host = number(line.text);
        if (!host || *host >= hosts.size()) return badLine(line.number, "the number of a node is expected");
        collector.placeInRankOrder(rank++, *host);
    }
    return collector.finish();
}

LaunchRecipe mapFileRecipe(const RankMap&, const MapFileOptions&, const std::string& file)
{
    return {{}, {"mapFile = " + file}, ""};
}

}  // namespace

LauncherFormat sstFormat()
{
    return {"sst",      "SST map file", MapFileKind::Place, MapFileDetail::Host,
            true,       "mapfile.txt",  writeNodeNumbers,   readNodeNumbers,
            noWarnings, mapFileRecipe,  neverRecognized};
}

}  // namespace skein::launcher
