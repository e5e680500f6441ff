// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/parse_number.h"
#include "core/io/launcher/text.h"
#include "core/io/topology/fabric_builder.h"
#include "core/io/topology/formats.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein::topology {
namespace {

constexpr std::size_t kEdgesBetweenStopChecks = 4096;

struct Edge {
    std::string_view from;
    std::string_view to;
    float capacity = 1.0f;
};

std::optional<float> edgeCapacity(std::string_view text)
{
    const auto value = parseNumber<float>(text);
    return value && *value > 0.0f && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<Edge> edgeOf(std::string_view line, std::string& scratch)
{
    scratch.assign(line);
    std::replace_if(
        scratch.begin(), scratch.end(), [](char c) { return c == ',' || c == ';'; }, ' ');
    auto words = launcher::words(scratch);
    std::erase_if(words, [](std::string_view word) { return word == "--" || word == "->"; });
    if (words.size() < 2 || words.size() > 3) return std::nullopt;
    Edge edge{words[0], words[1], 1.0f};
    if (words.size() == 2) return edge;
    const auto capacity = edgeCapacity(words[2]);
    if (!capacity) return std::nullopt;
    edge.capacity = *capacity;
    return edge;
}

/// switch3, router-7, sw12, rt1, S-0002c9…: what fabrics call their routers.
FabricKind kindByName(std::string_view name)
{
    for (const std::string_view prefix : {"switch", "Switch", "router", "Router"})
        if (name.starts_with(prefix)) return FabricKind::Router;
    for (const std::string_view prefix : {"sw", "SW", "rt", "RT", "S-"})
        if (name.starts_with(prefix) && name.size() > 2
            && !((name[2] >= 'a' && name[2] <= 'z') || (name[2] >= 'A' && name[2] <= 'Z')))
            return FabricKind::Router;
    return FabricKind::Node;
}

/// Whether every line has its reverse: then lines are directions and not cables.
bool namesBothDirections(const std::vector<LinkDefinition>& links)
{
    std::vector<std::pair<VertexIndex, VertexIndex>> forward;
    std::vector<std::pair<VertexIndex, VertexIndex>> backward;
    for (const LinkDefinition& link : links) {
        forward.emplace_back(link.source, link.target);
        backward.emplace_back(link.target, link.source);
    }
    std::sort(forward.begin(), forward.end());
    std::sort(backward.begin(), backward.end());
    return forward == backward;
}

Result<Topology> readEdges(std::string_view text, const std::string& spec, const Task& task)
{
    FabricBuilder fabric;
    std::string scratch;
    for (const launcher::Line& line : launcher::contentLines(text)) {
        if (line.number % kEdgesBetweenStopChecks == 0 && task.stopRequested()) return cancelled();
        const auto edge = edgeOf(line.text, scratch);
        if (!edge) return launcher::badLine(line.number, "two names and perhaps a capacity are expected");
        if (edge->from == edge->to) continue;
        const std::uint32_t from = fabric.vertex(edge->from, kindByName(edge->from));
        fabric.link(from, fabric.vertex(edge->to, kindByName(edge->to)), edge->capacity);
        if (!fabric.withinLimits()) break;
    }
    auto& links = fabric.links();
    if (!namesBothDirections(links)) {
        const std::size_t cables = links.size();
        for (std::size_t i = 0; i < cables && fabric.withinLimits(); ++i)
            fabric.link(links[i].target, links[i].source, links[i].capacity);
    }
    return fabric.finish(spec);
}

/// The first lines must all be edges; one number more than a capacity is no edge list.
bool recognizesEdges(std::string_view text)
{
    const std::string_view start = text.substr(0, 1u << 12);
    if (start.find('\0') != std::string_view::npos || start.starts_with('<')) return false;
    auto lines = launcher::contentLines(start);
    if (start.size() < text.size() && lines.size() > 1) lines.pop_back();
    std::string scratch;
    return !lines.empty() && std::ranges::all_of(lines, [&](const launcher::Line& line) {
        return edgeOf(line.text, scratch).has_value();
    });
}

}  // namespace

TopologyFormat edgeListFormat() { return {"edge-list", "List of edges", recognizesEdges, readEdges}; }

}  // namespace skein::topology
