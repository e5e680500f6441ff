// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/topology/topology_file.h"

#include "core/base/file_bytes.h"
#include "core/io/topology/formats.h"
#include "core/machine/topology_builders.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace skein {

std::span<const TopologyFormat> topologyFormats()
{
    static const std::array formats{
        topology::edgeListFormat(), topology::hwlocFormat(),  topology::ibnetdiscoverFormat(),
        topology::slurmFormat(),    topology::visucoFormat(),
    };
    return formats;
}

Result<Topology> readTopologyFile(const std::filesystem::path& path, const Task& task)
{
    const auto bytes = openFileBytes(path);
    if (!bytes) return Unexpected(bytes.error());
    const auto formats = topologyFormats();
    const auto found = std::find_if(formats.rbegin(), formats.rend(), [&](const TopologyFormat& format) {
        return format.recognizes(bytes->text());
    });
    if (found == formats.rend())
        return fail(ErrorCode::NotRecognized,
                    fmt::format("{} is no description of a machine: an edge list, hwloc XML, ibnetdiscover "
                                "output, Slurm's topology.conf or visuco's mapping file.",
                                path.string()));
    auto topology = found->read(bytes->text(), "topology:" + path.string(), task);
    if (const auto whole = stillWhole(*bytes, path.string()); !whole) return Unexpected(whole.error());
    if (topology) return topology;
    if (topology.error().context.empty()) topology.error().context = path.string();
    // What no machine can be, such as one in two parts, is wrong with the file and not with its caller.
    if (topology.error().code == ErrorCode::InvalidArgument) topology.error().code = ErrorCode::Malformed;
    return topology;
}

Result<Topology> topologyOfCartesian(const CartesianTopology& cartesian)
{
    if (cartesian.dimensions.empty())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The Cartesian topology \"{}\" has no dimensions.", cartesian.name));
    std::vector<GridDimension> dimensions;
    std::string spec;
    for (const CartesianTopology::Dimension& dimension : cartesian.dimensions) {
        dimensions.push_back(
            {dimension.size, dimension.periodic ? DimensionShape::Ring : DimensionShape::Line});
        spec += fmt::format("{}{}{}", spec.empty() ? "torus:" : "x", dimension.size,
                            dimension.periodic ? "" : "m");
    }
    return makeGrid(std::move(dimensions), spec);
}

}  // namespace skein
