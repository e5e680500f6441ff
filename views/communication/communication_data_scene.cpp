// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_data_scene.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "algorithms/comm/rank_order.h"
#include "core/base/units.h"
#include "core/select/translate.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace skein {
namespace {

constexpr std::string_view kByCoordinates = "By coordinates ", kByRouter = "By router", kByLevel = "By ";
constexpr std::size_t kMostVertexRanksTold = 16;

const Topology* commMachineOf(const SessionCommunication& communication)
{
    return communication.machine ? communication.machine->topology.get() : nullptr;
}

/// Null where ranks are not placed: routes between nodes alone.
const Placement* commPlacementOf(const SessionCommunication& communication)
{
    return communication.machine && communication.machine->placement.ranks() > 0
        ? &communication.machine->placement
        : nullptr;
}

CommGraph commGraphOf(const SessionCommunication& communication)
{
    const Topology* topology = commMachineOf(communication);
    return topology ? graphOnMachine(*topology, communication.traffic, communication.matrix.get(),
                                     commPlacementOf(communication))
                    : graphOfRanks(*communication.matrix);
}

std::vector<std::string> commLevelsOf(const Definitions& definitions)
{
    std::set<std::string> levels;
    for (const auto& node : definitions.systemTree)
        if (!node.className.empty()) levels.insert(node.className);
    return {levels.begin(), levels.end()};
}

Result<PlaceGroups> groupsOfLevel(const SessionCommunication& communication, const Definitions& definitions,
                                  std::string_view level)
{
    auto ranks = rankGroups(definitions, level, communication.matrix->ranks());
    if (!ranks) return Unexpected(ranks.error());
    const Topology* topology = commMachineOf(communication);
    const Placement* placement = commPlacementOf(communication);
    if (topology && placement) return groupsByRanks(*topology, *placement, ranks->groupOf, ranks->names);
    return PlaceGroups{std::move(ranks->groupOf), std::move(ranks->names)};
}

Result<PlaceGroups> commGroupsOf(const SessionCommunication& communication, const Definitions& definitions,
                                 std::string_view grouping)
{
    const Topology* topology = commMachineOf(communication);
    if (topology && grouping.starts_with(kByCoordinates)) {
        std::string letters;
        for (const char letter : grouping.substr(kByCoordinates.size()))
            if (letter != ' ' && letter != ',') letters += static_cast<char>(letter & ~0x20);
        return groupsByCoordinates(*topology, letters);
    }
    if (topology && grouping == kByRouter) return groupsByRouter(*topology);
    if (grouping.starts_with(kByLevel))
        return groupsOfLevel(communication, definitions, grouping.substr(kByLevel.size()));
    return PlaceGroups();
}

std::vector<std::uint32_t> ranksOfVertex(const GroupedCommunication& grouped, std::uint32_t vertex)
{
    if (!grouped.graph->ofMachine) {
        const auto places = grouped.graph->placesOf(vertex);
        return {places.begin(), places.end()};
    }
    std::vector<std::uint32_t> ranks;
    const Placement* placement = commPlacementOf(*grouped.communication);
    for (std::uint32_t rank = 0; placement && rank < placement->ranks(); ++rank)
        if (grouped.graph->vertexOf[placement->nodeOf(rank)] == vertex) ranks.push_back(rank);
    return ranks;
}

/// The vertex of a rank; kNone: it is nowhere.
std::uint32_t vertexOfRank(const GroupedCommunication& grouped, std::uint32_t rank)
{
    std::uint32_t place = rank;
    if (grouped.graph->ofMachine) {
        const Placement* placement = commPlacementOf(*grouped.communication);
        if (!placement || rank >= placement->ranks()) return CommGraph::kNone;
        place = placement->nodeOf(rank);
    }
    return place < grouped.graph->vertexOf.size() ? grouped.graph->vertexOf[place] : CommGraph::kNone;
}

std::string vertexRanksText(const std::vector<std::uint32_t>& ranks)
{
    if (ranks.empty()) return {};
    std::string text = ranks.size() == 1 ? "Rank " : "Ranks ";
    for (std::size_t i = 0; i < std::min(ranks.size(), kMostVertexRanksTold); ++i)
        text += fmt::format("{}{}", i > 0 ? ", " : "", ranks[i]);
    if (ranks.size() > kMostVertexRanksTold) text += fmt::format(" … ({} in all)", ranks.size());
    return text;
}

std::string flowAmounts(std::uint64_t messages, std::uint64_t bytes)
{
    std::string text = formatBytes(static_cast<double>(bytes));
    if (messages > 0) text += fmt::format(" in {} messages", formatCount(static_cast<double>(messages)));
    return text;
}

/// Rank of each location of an experiment, by rank.
std::vector<std::pair<std::int64_t, LocationRef>> locationsByRanks(const Session& session,
                                                                   std::uint32_t experiment)
{
    std::vector<std::pair<std::int64_t, LocationRef>> found;
    const Definitions& definitions = session.experiments[experiment]->definitions;
    const std::vector<std::int64_t> ranks = ranksOfLocations(definitions);
    for (std::uint32_t i = 0; i < ranks.size(); ++i)
        if (ranks[i] >= 0) found.push_back({ranks[i], LocationRef{experiment, LocationId(i)}});
    std::sort(found.begin(), found.end());
    return found;
}

using VertexPairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

/// The ends of what is selected, as vertices.
VertexPairs selectedPairs(const GroupedCommunication& grouped, const ViewState& state)
{
    VertexPairs pairs;
    const std::uint32_t experiment = grouped.communication->request.experiment;
    const auto add = [&](std::uint32_t sender, std::uint32_t receiver) {
        pairs.push_back({vertexOfRank(grouped, sender), vertexOfRank(grouped, receiver)});
    };
    for (const RankPairRef& pair : state.selected.rankPairs)
        if (pair.experiment == experiment) add(pair.sender, pair.receiver);
    if (!state.selected.links.empty() && grouped.communication->machine)
        for (const std::size_t entry : entriesOver(*grouped.communication, state.selected.links))
            add(grouped.communication->matrix->entries()[entry].sender,
                grouped.communication->matrix->entries()[entry].receiver);
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    return pairs;
}

}  // namespace

std::vector<std::string> groupingNames(const SessionCommunication& communication,
                                       const Definitions& definitions)
{
    const Topology* topology = commMachineOf(communication);
    std::vector<std::string> names{topology ? "Each node" : "Each rank"};
    if (topology) {
        std::string letters;
        for (std::size_t d = 0; d + 1 < topology->numbering().size(); ++d) {
            letters += dimensionLetter(d);
            names.push_back(std::string(kByCoordinates) + letters);
        }
        if (topology->nodes() < topology->vertices()) names.emplace_back(kByRouter);
    }
    for (const std::string& level : commLevelsOf(definitions)) names.push_back(std::string(kByLevel) + level);
    return names;
}

Result<GroupedCommunicationPtr> groupedCommunication(SessionCommunicationPtr communication,
                                                     const Definitions& definitions,
                                                     const std::string& grouping,
                                                     std::vector<std::uint32_t> expanded, const Task& task)
{
    GroupedCommunication grouped;
    auto groups = commGroupsOf(*communication, definitions, grouping);
    if (!groups) return Unexpected(groups.error());
    CommGraph places = commGraphOf(*communication);
    if (!groups->names.empty()) {
        auto joined = groupedGraph(places, groups->groupOf, expanded, task);
        if (!joined) return Unexpected(joined.error());
        places = std::move(*joined);
    }
    grouped.communication = std::move(communication);
    grouped.graph = std::make_shared<const CommGraph>(std::move(places));
    grouped.groups = std::move(*groups);
    grouped.expanded = std::move(expanded);
    return std::make_shared<const GroupedCommunication>(std::move(grouped));
}

std::uint32_t expandableGroup(const GroupedCommunication& grouped, std::uint32_t vertex)
{
    const auto places = grouped.graph->placesOf(vertex);
    return grouped.groups.names.empty() || places.size() < 2 ? CommGraph::kNone
                                                             : grouped.groups.groupOf[places.front()];
}

std::uint32_t expandedGroupOf(const GroupedCommunication& grouped, std::uint32_t vertex)
{
    if (grouped.groups.names.empty()) return CommGraph::kNone;
    const std::uint32_t group = grouped.groups.groupOf[grouped.graph->placesOf(vertex).front()];
    return std::ranges::binary_search(grouped.expanded, group) ? group : CommGraph::kNone;
}

std::string vertexName(const GroupedCommunication& grouped, std::uint32_t vertex)
{
    const auto places = grouped.graph->placesOf(vertex);
    const std::uint32_t first = places.front();
    const bool joined = !grouped.groups.names.empty() && expandedGroupOf(grouped, vertex) == CommGraph::kNone;
    if (joined) return grouped.groups.names[grouped.groups.groupOf[first]];
    return grouped.graph->ofMachine ? commMachineOf(*grouped.communication)->vertexName(first)
                                    : fmt::format("Rank {}", first);
}

std::vector<std::string> vertexTooltip(const GroupedCommunication& grouped, std::uint32_t vertex)
{
    const CommGraph::Vertex& totals = grouped.graph->vertices[vertex];
    std::vector<std::string> lines{vertexName(grouped, vertex)};
    if (const std::string ranks = vertexRanksText(ranksOfVertex(grouped, vertex));
        !ranks.empty() && ranks != lines[0])
        lines.push_back(ranks);
    const bool messages = grouped.communication->messagesKnown;
    lines.push_back(fmt::format(
        "In-degree {} ({}), out-degree {} ({}) {}", formatCount(static_cast<double>(totals.in)),
        formatBytes(static_cast<double>(totals.bytesIn)), formatCount(static_cast<double>(totals.out)),
        formatBytes(static_cast<double>(totals.bytesOut)), messages ? "messages" : "partners"));
    if (totals.bytesInside > 0 || totals.messagesInside > 0)
        lines.push_back("Inside: " + flowAmounts(totals.messagesInside, totals.bytesInside));
    if (expandableGroup(grouped, vertex) != CommGraph::kNone)
        lines.push_back(
            fmt::format("{} places: double-click shows each", grouped.graph->placesOf(vertex).size()));
    return lines;
}

std::vector<std::string> flowTooltip(const GroupedCommunication& grouped, std::uint32_t flow)
{
    const CommGraph::Flow& found = grouped.graph->flows[flow];
    std::vector<std::string> lines{vertexName(grouped, found.from) + " → " + vertexName(grouped, found.to),
                                   flowAmounts(found.messages, found.bytes)};
    if (found.hops > 0) {
        const bool bytes = grouped.graph->unit == LoadUnit::Bytes;
        const auto load = static_cast<double>(found.highestLoad);
        lines.push_back(fmt::format("Length {} hops · highest load {}", found.hops,
                                    bytes ? formatBytes(load) : formatCount(load) + " messages"));
        if (bytes)
            lines.push_back(fmt::format("Hop-bytes {}", formatBytes(static_cast<double>(found.hopBytes))));
    }
    return lines;
}

void markSelected(const Session& session, const GroupedCommunication& grouped, const ViewState& state,
                  CommunicationPicture& picture)
{
    picture.selectedVertices.clear();
    picture.selectedFlows.clear();
    const CommGraph& graph = *grouped.graph;
    const VertexPairs pairs = selectedPairs(grouped, state);
    std::vector<char> vertices(graph.vertices.size(), 0), flows(graph.flows.size(), 0);
    bool any = false, ofLocations = false;
    const std::uint32_t experiment = grouped.communication->request.experiment;
    for (const auto& [rank, location] : locationsByRanks(session, experiment)) {
        if (!std::ranges::binary_search(state.selected.locations, location)) continue;
        const std::uint32_t vertex = vertexOfRank(grouped, static_cast<std::uint32_t>(rank));
        if (vertex == CommGraph::kNone) continue;
        vertices[vertex] = 1;
        any = ofLocations = true;
    }
    for (std::size_t i = 0; i < graph.flows.size() && !pairs.empty(); ++i) {
        if (!std::ranges::binary_search(pairs, std::pair(graph.flows[i].from, graph.flows[i].to))) continue;
        flows[i] = 1;
        any = true;
        if (!ofLocations) vertices[graph.flows[i].from] = vertices[graph.flows[i].to] = 1;
    }
    if (!any) return;
    picture.selectedVertices = std::move(vertices);
    picture.selectedFlows = std::move(flows);
}

std::vector<CauseArrow> causeArrowsOn(const Session& session, const GroupedCommunication& grouped,
                                      const CommunicationPicture& picture, const CommunicationLayout& layout,
                                      const CauseLinks& causes)
{
    const std::uint32_t experiment = grouped.communication->request.experiment;
    const auto placeOf = [&](const IntervalRef& call) -> std::optional<Point> {
        if (!call.valid() || call.experiment != experiment || !exists(session, call)) return std::nullopt;
        const Definitions& definitions = session.experiments[experiment]->definitions;
        const std::int64_t rank = definitions.locations[call.location.index()].rank;
        if (rank < 0) return std::nullopt;
        const std::uint32_t vertex = vertexOfRank(grouped, static_cast<std::uint32_t>(rank));
        if (vertex == CommGraph::kNone || vertex >= picture.points->size()) return std::nullopt;
        return layout.toCanvas((*picture.points)[vertex]);
    };
    return causeArrows(causes, [&](const CauseLink& link) -> std::optional<std::pair<Point, Point>> {
        const auto from = placeOf(link.cause), to = placeOf(link.waiting);
        if (!from || !to) return std::nullopt;
        return std::pair(*from, *to);
    });
}

Selection selectionOf(const Session& session, const GroupedCommunication& grouped,
                      const std::vector<std::uint32_t>& vertices, const std::vector<std::uint32_t>& flows)
{
    const std::uint32_t experiment = grouped.communication->request.experiment;
    std::vector<char> isChosen(grouped.graph->vertices.size(), 0);
    for (const std::uint32_t vertex : vertices) isChosen[vertex] = 1;
    VertexPairs pairs;
    for (const std::uint32_t flow : flows)
        pairs.push_back({grouped.graph->flows[flow].from, grouped.graph->flows[flow].to});
    std::sort(pairs.begin(), pairs.end());
    std::vector<LocationRef> locations;
    for (const auto& [rank, location] : locationsByRanks(session, experiment)) {
        const std::uint32_t vertex = vertexOfRank(grouped, static_cast<std::uint32_t>(rank));
        if (vertex != CommGraph::kNone && isChosen[vertex]) locations.push_back(location);
    }
    std::sort(locations.begin(), locations.end());
    Selection chosen = locations.empty() ? Selection() : select(session, locations);
    // Where flows were chosen, these alone; a vertex alone means all that it sends and gets.
    for (const CommMatrix::Entry& entry : grouped.communication->matrix->entries()) {
        const std::uint32_t from = vertexOfRank(grouped, entry.sender);
        const std::uint32_t to = vertexOfRank(grouped, entry.receiver);
        if (from == CommGraph::kNone || to == CommGraph::kNone) continue;
        const bool taken = flows.empty() ? isChosen[from] || isChosen[to]
                                         : std::ranges::binary_search(pairs, std::pair(from, to));
        if (taken) chosen.rankPairs.push_back({experiment, entry.sender, entry.receiver});
    }
    return chosen;
}

std::string communicationHead(const GroupedCommunication& grouped, const CommunicationPicture& picture)
{
    const CommGraph& graph = *grouped.graph;
    std::uint64_t amount = 0;
    for (const CommGraph::Flow& flow : graph.flows) amount += graph.amountOf(flow);
    const auto whole = static_cast<double>(amount);
    const std::string what = picture.options.lines == CommunicationLines::Routes ? "routes" : "pairs";
    std::string text = fmt::format(
        "{} {} · {} {} · {}", formatGrouped(static_cast<std::int64_t>(graph.vertices.size())),
        graph.ofMachine ? "nodes" : "ranks", formatGrouped(static_cast<std::int64_t>(graph.flows.size())),
        what, graph.unit == LoadUnit::Bytes ? formatBytes(whole) : formatCount(whole) + " messages");
    if (picture.order.size() < graph.flows.size())
        text += fmt::format(" · {} shown", formatGrouped(static_cast<std::int64_t>(picture.order.size())));
    if (const std::string machine = machineText(*grouped.communication); !machine.empty())
        text += " · " + machine;
    if (!grouped.communication->note.empty()) text += " · " + grouped.communication->note;
    if (!grouped.communication->machineProblem.empty()) text += " · " + grouped.communication->machineProblem;
    return text;
}

}  // namespace skein
