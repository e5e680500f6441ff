// SPDX-License-Identifier: GPL-3.0-or-later
// LSF `LSB_TASK_GEOMETRY`: {(ranks of node 0)(ranks of node 1)…}.
#include "core/io/launcher/formats.h"
#include "core/io/launcher/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace skein::launcher {
namespace {

Result<std::string> writeTaskGeometry(const RankMap& map, const MapFileOptions&)
{
    std::string text;
    const auto onHosts = ranksByHost(map);
    for (std::size_t host = 0; host < onHosts.size(); ++host) {
        if (onHosts[host].empty())
            return fail(ErrorCode::Unsupported,
                        fmt::format("A task geometry cannot leave {} out; take it out of the allocation.",
                                    map.hosts[host].name));
        if (map.places[onHosts[host].back()].slot >= onHosts[host].size())
            return fail(ErrorCode::Unsupported,
                        fmt::format("A task geometry cannot leave slots of {} free between others.",
                                    map.hosts[host].name));
        text += fmt::format("({})", fmt::join(onHosts[host], ","));
    }
    return "{" + text + "}\n";
}

Result<RankMap> readTaskGeometry(std::string_view text, const std::vector<MapHost>& hosts,
                                 const MapFileOptions&)
{
    if (hosts.empty())
        return fail(ErrorCode::InvalidArgument, "A task geometry names no hosts: say which the job has.");
    PlaceCollector collector(hosts);
    text = trimmed(text);
    const auto start = text.find('{');
    if (start == std::string_view::npos || text.find('}', start) == std::string_view::npos)
        return fail(ErrorCode::Malformed, "A task geometry is {(ranks)(ranks)…}.");
    text = text.substr(start + 1, text.find('}', start) - start - 1);
    for (std::uint32_t host = 0; !(text = trimmed(text)).empty(); ++host) {
        const auto end = text.find(')');
        if (text.front() != '(' || end == std::string_view::npos || host >= hosts.size())
            return fail(ErrorCode::Malformed,
                        fmt::format("Set {} of the task geometry is no (list) or has no host.", host));
        std::vector<std::uint32_t> ranks;
        for (const auto part : split(text.substr(1, end - 1), ','))
            if (!appendRange(part, ranks))
                return fail(ErrorCode::Malformed, fmt::format("Set {} holds what is no rank.", host));
        for (std::uint32_t slot = 0; slot < ranks.size(); ++slot)
            if (!collector.place(ranks[slot], {host, slot}))
                return fail(ErrorCode::Malformed,
                            fmt::format("Rank {} stands in the task geometry twice.", ranks[slot]));
        text.remove_prefix(end + 1);
    }
    return collector.finish();
}

std::vector<std::string> taskGeometryWarnings(const RankMap&, const MapFileOptions&)
{
    return {"LSF ignores the geometry, or fails, together with a host file: give one of the two."};
}

LaunchRecipe taskGeometryRecipe(const RankMap&, const MapFileOptions& options, const std::string& file)
{
    const std::string environment = fmt::format("LSB_TASK_GEOMETRY=\"$(cat {})\"", file);
    return {{environment},
            {options.program},
            "#!/bin/sh\nexport " + environment + "\nbsub " + options.program + "\n"};
}

bool recognizesTaskGeometry(std::string_view text)
{
    text = trimmed(text);
    return text.starts_with("{(") || text.starts_with("LSB_TASK_GEOMETRY");
}

}  // namespace

LauncherFormat lsfFormat()
{
    return {"lsf",
            "LSF task geometry",
            MapFileKind::NodeSets,
            MapFileDetail::HostAndSlot,
            true,
            "task_geometry",
            writeTaskGeometry,
            readTaskGeometry,
            taskGeometryWarnings,
            taskGeometryRecipe,
            recognizesTaskGeometry};
}

}  // namespace skein::launcher
