// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/host_list.h"

#include "core/io/launcher/text.h"

#include <fmt/format.h>

namespace skein::launcher {

Result<std::string> writeHostList(const RankMap& map, const MapFileOptions& options)
{
    std::string text = options.header.empty() ? "" : "# " + options.header + "\n";
    for (const HostRun& run : hostRuns(map))
        text += fmt::format("{}:{}\n", map.hosts[run.host].name, run.ranks);
    return text;
}

Result<RankMap> readHostList(std::string_view text, const std::vector<MapHost>& hosts, const MapFileOptions&)
{
    PlaceCollector collector(hosts);
    std::uint32_t rank = 0;
    for (const Line& line : contentLines(text)) {
        const auto entry = words(line.text).front();  // what follows is binding
        const auto colon = entry.rfind(':');
        const auto ranks = colon == std::string_view::npos ? 1u : number(entry.substr(colon + 1)).value_or(0);
        const auto name = entry.substr(0, colon);
        if (ranks == 0 || name.empty() || rank + ranks > kMostRanks)
            return badLine(line.number, "`host` or `host:count` is expected");
        if (ranks > kMostRanksOfCount) return badLine(line.number, "no host holds so many ranks");
        const auto host = collector.host(name);
        if (!host) return tl::make_unexpected(host.error());
        collector.placeRunInRankOrder(rank, ranks, *host);
        rank += ranks;
    }
    return collector.finish();
}

}  // namespace skein::launcher
