// SPDX-License-Identifier: GPL-3.0-or-later
// IBM Blue Gene/Q `runjob --mapping FILE`: line r holds the torus coordinates of rank r and its core T last.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace skein::launcher {
namespace {

constexpr std::size_t kDimensions = 5;

Result<std::string> writeTorusLines(const RankMap& map, const MapFileOptions&)
{
    std::string text;
    for (std::size_t rank = 0; rank < map.places.size(); ++rank) {
        const MapHost& host = map.hostOf(rank);
        if (host.coordinates.size() != kDimensions)
            return fail(ErrorCode::Unsupported,
                        fmt::format("A Blue Gene/Q map needs the five coordinates A B C D E of every node, "
                                    "and {} has {}: give the machine as torus:AxBxCxDxE.",
                                    host.name, host.coordinates.size()));
        text += fmt::format("{} {}\n", fmt::join(host.coordinates, " "), map.places[rank].slot);
    }
    return text;
}

Result<RankMap> readTorusLines(std::string_view text, const std::vector<MapHost>& hosts,
                               const MapFileOptions&)
{
    std::map<std::vector<std::uint32_t>, std::string> names;
    for (const MapHost& host : hosts) names.emplace(host.coordinates, host.name);
    PlaceCollector collector(hosts);
    std::map<std::string, std::vector<std::uint32_t>> coordinatesOf;
    std::uint32_t rank = 0;
    for (const Line& line : contentLines(text)) {
        std::vector<std::uint32_t> position;
        for (const auto word : words(line.text)) {
            const auto value = number(word);
            if (!value) return badLine(line.number, "a coordinate is not a whole number");
            position.push_back(*value);
        }
        if (position.size() != kDimensions + 1)
            return badLine(line.number, "six numbers A B C D E T are expected");
        const std::uint32_t slot = position.back();
        position.pop_back();
        const auto known = names.find(position);
        const std::string name =
            known != names.end() ? known->second : fmt::format("{}", fmt::join(position, "-"));
        const auto host = collector.host(name);
        if (!host) return tl::make_unexpected(host.error());
        coordinatesOf[name] = position;
        collector.place(rank++, {*host, slot});
    }
    auto map = collector.finish();
    if (map)
        for (MapHost& host : map->hosts)
            if (host.coordinates.empty()) host.coordinates = coordinatesOf[host.name];
    return map;
}

std::vector<std::string> runjobWarnings(const RankMap& map, const MapFileOptions&)
{
    if (mostRanksOnAHost(map) <= 64) return {};
    return {"runjob takes at most 64 ranks on a node."};
}

LaunchRecipe runjobRecipe(const RankMap& map, const MapFileOptions& options, const std::string& file)
{
    const std::string command = fmt::format("runjob --np {} --ranks-per-node {} --mapping {} : {}",
                                            map.places.size(), mostRanksOnAHost(map), file, options.program);
    return {{fmt::format("RUNJOB_MAPPING={}", file)}, {command}, "#!/bin/sh\n" + command + "\n"};
}

bool recognizesTorusLines(std::string_view text)
{
    const auto lines = contentLines(text);
    if (lines.empty()) return false;
    const auto parts = words(lines.front().text);
    if (parts.size() != kDimensions + 1) return false;
    for (const auto part : parts)
        if (!number(part)) return false;
    return true;
}

}  // namespace

LauncherFormat bgqFormat()
{
    return {"bgq",
            "IBM Blue Gene/Q runjob map file",
            MapFileKind::Place,
            MapFileDetail::HostAndSlot,
            false,
            "mapping.txt",
            writeTorusLines,
            readTorusLines,
            runjobWarnings,
            runjobRecipe,
            recognizesTorusLines};
}

}  // namespace skein::launcher
