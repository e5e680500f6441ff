// SPDX-License-Identifier: GPL-3.0-or-later
// IBM JSM `jsrun --erf_input FILE`: `rank: R: { host: H; cpu: {a-b} } : app A`; hosts count from 1 in the
// allocation.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <algorithm>
#include <fmt/format.h>

namespace skein::launcher {
namespace {

Result<std::string> writeResourceFile(const RankMap& map, const MapFileOptions& options)
{
    std::string text =
        fmt::format("app 0: {}\ncpu_index_using: logical\noverlapping_rs: allow\n", options.program);
    for (std::size_t rank = 0; rank < map.places.size(); ++rank) {
        const RankPlace place = map.places[rank];
        const std::uint32_t first = place.slot * options.coresPerRank;
        const std::string cores = options.coresPerRank == 1
            ? fmt::format("{}", first)
            : fmt::format("{}-{}", first, first + options.coresPerRank - 1);
        text += fmt::format("rank: {}: {{ host: {}; cpu: {{{}}} }} : app 0\n", rank, place.host + 1, cores);
    }
    return text;
}

/// The text between `open` and `close` after `key`; empty where they are not there.
std::string_view after(std::string_view text, std::string_view key, char close)
{
    const auto start = text.find(key);
    if (start == std::string_view::npos) return {};
    text.remove_prefix(start + key.size());
    return trimmed(text.substr(0, text.find(close)));
}

Result<RankMap> readResourceFile(std::string_view text, const std::vector<MapHost>& hosts,
                                 const MapFileOptions& options)
{
    if (hosts.empty())
        return fail(ErrorCode::InvalidArgument,
                    "A resource file numbers the hosts of the job: say which those are.");
    PlaceCollector collector(hosts);
    const std::uint32_t coresPerRank = std::max(1u, options.coresPerRank);
    for (const Line& line : contentLines(text)) {
        if (!line.text.starts_with("rank:")) continue;
        const auto rank = number(after(line.text, "rank:", ':'));
        const auto host = number(after(line.text, "host:", ';'));
        auto cpus = after(line.text, "cpu:", '}');
        std::vector<std::uint32_t> cores;
        if (cpus.starts_with('{')) cpus.remove_prefix(1);
        for (const auto part : split(cpus, ','))
            if (!appendRange(part, cores))
                return badLine(line.number, "the cpu list is no list of numbers and ranges");
        if (!rank || !host) return badLine(line.number, "`rank: R: { host: H; cpu: {a-b} }` is expected");
        if (*host == 0 || *host > hosts.size())
            return badLine(line.number,
                           fmt::format("host {} is not one of the {} of the job", *host, hosts.size()));
        const std::uint32_t first = *std::min_element(cores.begin(), cores.end());
        if (first % coresPerRank != 0)
            return badLine(line.number,
                           fmt::format("cpu {} does not start a slot of {} cpus", first, coresPerRank));
        if (!collector.place(*rank, {*host - 1, first / coresPerRank}))
            return badLine(line.number, fmt::format("rank {} is placed twice", *rank));
    }
    return collector.finish();
}

LaunchRecipe resourceFileRecipe(const RankMap&, const MapFileOptions&, const std::string& file)
{
    const std::string command = "jsrun --erf_input " + file;
    return {{}, {command}, "#!/bin/sh\n" + command + "\n"};
}

bool recognizesResourceFile(std::string_view text)
{
    for (const Line& line : contentLines(text))
        if (line.text.starts_with("rank:")) return !after(line.text, "host:", ';').empty();
    return false;
}

}  // namespace

LauncherFormat jsrunFormat()
{
    return {"jsrun",
            "IBM JSM explicit resource file",
            MapFileKind::Place,
            MapFileDetail::HostAndSlot,
            true,
            "map.erf",
            writeResourceFile,
            readResourceFile,
            noWarnings,
            resourceFileRecipe,
            recognizesResourceFile};
}

}  // namespace skein::launcher
