// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/route_cells.h"

#include "core/base/parse_number.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace skein::cli {
namespace {

/// The nodes of the two ranks of "A:B".
Result<std::pair<VertexIndex, VertexIndex>> nodesOf(const RoutedInput& input, const std::string& pair)
{
    const std::size_t colon = pair.find(':');
    const auto sender = parseNumber<std::uint32_t>(std::string_view(pair).substr(0, colon));
    const auto receiver = colon == std::string::npos
        ? std::nullopt
        : parseNumber<std::uint32_t>(std::string_view(pair).substr(colon + 1));
    if (!sender || !receiver)
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("\"{}\" is no pair of ranks such as 3:17.", pair));
    const Placement& placement = input.machine.placement;
    if (std::max(*sender, *receiver) >= placement.ranks())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The pair {} names a rank that is not placed; there are {}.", pair,
                                placement.ranks()));
    return std::pair(placement.nodeOf(*sender), placement.nodeOf(*receiver));
}

}  // namespace

std::string pathText(const Topology& topology, std::span<const LinkIndex> path)
{
    std::string text = path.empty() ? std::string() : topology.vertexName(topology.source(path.front()));
    for (const LinkIndex link : path) text += " > " + topology.vertexName(topology.target(link));
    return text;
}

std::uint64_t highestLoad(std::span<const LinkIndex> path, const LinkAmounts& loads)
{
    std::uint64_t highest = 0;
    for (const LinkIndex link : path) highest = std::max(highest, loads[link]);
    return highest;
}

void addPairs(CommandLine& line, std::vector<std::string>& pairs)
{
    line.option("--pair", pairs, "Only the route from rank A to rank B; may be repeated")
        .valueName("A:B")
        .repeatable();
}

Result<std::vector<std::uint32_t>> chosenRoutes(const RoutedInput& input,
                                                const std::vector<std::string>& pairs)
{
    std::vector<std::uint32_t> chosen;
    if (pairs.empty()) {
        chosen.resize(input.traffic.paths.size());
        std::iota(chosen.begin(), chosen.end(), 0u);
        return chosen;
    }
    for (const std::string& pair : pairs) {
        const auto nodes = nodesOf(input, pair);
        if (!nodes) return Unexpected(nodes.error());
        const auto found = std::ranges::find_if(
            input.traffic.pairs, [&](const NodePair& p) { return std::pair(p.from, p.to) == *nodes; });
        if (found == input.traffic.pairs.end())
            return fail(
                ErrorCode::InvalidArgument,
                fmt::format("No message goes from the node of one rank of {} to that of the other.", pair));
        chosen.push_back(static_cast<std::uint32_t>(found - input.traffic.pairs.begin()));
    }
    std::ranges::sort(chosen);
    chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
    return chosen;
}

}  // namespace skein::cli
