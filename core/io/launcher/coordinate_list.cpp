// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/launcher/coordinate_list.h"

#include "core/io/launcher/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace skein::launcher {
namespace {

std::vector<std::uint32_t> logicalNode(const std::vector<MapHost>& hosts, std::uint32_t host)
{
    return hosts[host].coordinates.empty() ? std::vector<std::uint32_t>{host} : hosts[host].coordinates;
}

}  // namespace

Result<std::string> writeCoordinateList(const RankMap& map, const MapFileOptions&)
{
    std::string text;
    for (const RankPlace place : map.places) {
        const auto position = logicalNode(map.hosts, place.host);
        if (position.size() > 3)
            return fail(ErrorCode::Unsupported,
                        fmt::format("The launcher takes one to three coordinates, and {} has {}.",
                                    map.hosts[place.host].name, position.size()));
        text += fmt::format("({})\n", fmt::join(position, ","));
    }
    return text;
}

Result<RankMap> readCoordinateList(std::string_view text, const std::vector<MapHost>& hosts,
                                   const MapFileOptions&)
{
    if (hosts.empty())
        return fail(ErrorCode::InvalidArgument,
                    "A coordinate list names no hosts: say which the job has, and where they are.");
    std::map<std::vector<std::uint32_t>, std::uint32_t> hostAt;
    for (std::uint32_t host = 0; host < hosts.size(); ++host) hostAt.emplace(logicalNode(hosts, host), host);
    PlaceCollector collector(hosts);
    std::uint32_t rank = 0;
    for (const Line& line : contentLines(text)) {
        const auto close = line.text.find(')');
        if (line.text.front() != '(' || close == std::string_view::npos)
            return badLine(line.number, "(x), (x,y) or (x,y,z) is expected");
        std::vector<std::uint32_t> position;
        for (const auto part : split(line.text.substr(1, close - 1), ',')) {
            const auto value = number(part);
            if (!value) return badLine(line.number, "a coordinate is not a whole number");
            position.push_back(*value);
        }
        const auto host = hostAt.find(position);
        if (host == hostAt.end()) return badLine(line.number, "no host of the job has these coordinates");
        collector.placeInRankOrder(rank++, host->second);
    }
    return collector.finish();
}

std::vector<std::string> coordinateListWarnings(const RankMap& map, const MapFileOptions&)
{
    return slotsLostWarning(map, "The launcher chooses the cores itself.");
}

}  // namespace skein::launcher
