// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/details/detail_machine.h"

#include "core/base/units.h"
#include "views/common/table/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace skein {
namespace {

bool hasRowFor(DetailTable& table)
{
    if (table.rows.size() < kMostDetailRows) return true;
    ++table.left;
    return false;
}

std::string loadText(const Traffic& traffic, double amount)
{
    return traffic.unit == LoadUnit::Bytes ? formatBytes(amount) : formatCount(amount) + " messages";
}

std::string sharedText(double amount, double of) { return of > 0 ? fmt::format("{:.3g}", amount / of) : "–"; }

/// 1 for the link with the largest load.
std::size_t placeByLoad(const LinkAmounts& loads, std::uint64_t amount)
{
    std::size_t larger = 0;
    loads.forEach([&](LinkIndex, std::uint64_t other) { larger += other > amount; });
    return larger + 1;
}

DetailTable linkTable(const SessionCommunication& communication, const std::vector<LinkRef>& links,
                      const SpansOfPairs& spansOf)
{
    DetailTable table{
        "Links", {"Link", "Load", "× mean", "× largest", "Place by load", "Pairs of ranks"}, {}, 0, {}};
    const Topology& topology = *communication.machine->topology;
    const Traffic& traffic = communication.traffic;
    std::vector<std::vector<RankPair>> over;
    for (const LinkRef& link : links) {
        if (link.index >= topology.links() || link.index >= traffic.loads.size() || !hasRowFor(table))
            continue;
        const std::uint64_t load = traffic.loads[link.index];
        const auto amount = static_cast<double>(load);
        const auto entries = entriesOver(communication, std::span(&link, 1));
        over.emplace_back();
        for (const std::size_t at : entries) {
            const CommMatrix::Entry& entry = communication.matrix->entries()[at];
            over.back().emplace_back(entry.sender, entry.receiver);
        }
        table.rows.push_back({topology.linkName(link.index), loadText(traffic, amount),
                              sharedText(amount, traffic.summary.mean),
                              sharedText(amount, static_cast<double>(traffic.summary.maximum)),
                              fmt::format("{} of {}", placeByLoad(traffic.loads, load), topology.links()),
                              traffic.paths.size() > 0 ? std::to_string(entries.size()) : "–"});
    }
    if (spansOf) table.spans = spansOf(over);
    return table;
}

/// What one node sends to others and gets from them.
struct NodeSums {
    std::uint64_t sent = 0, received = 0;
    std::size_t to = 0, from = 0;
};

NodeSums sumsOf(const Traffic& traffic, VertexIndex node)
{
    NodeSums sums;
    for (const NodePair& pair : traffic.pairs) {
        if (pair.from == node) {
            sums.sent += amountOf(pair, traffic.unit);
            ++sums.to;
        }
        if (pair.to == node) {
            sums.received += amountOf(pair, traffic.unit);
            ++sums.from;
        }
    }
    return sums;
}

/// "3, 7, 12 and 61 more".
std::string ranksOn(const Placement& placement, VertexIndex node)
{
    constexpr std::size_t kMostNamed = 8;
    std::vector<std::uint32_t> ranks;
    for (std::uint32_t rank = 0; rank < placement.ranks(); ++rank)
        if (placement.nodeOf(rank) == node) ranks.push_back(rank);
    if (ranks.empty()) return "none";
    const std::size_t named = std::min(ranks.size(), kMostNamed);
    const std::string first = fmt::format("{}", fmt::join(ranks.begin(), ranks.begin() + named, ", "));
    return named == ranks.size() ? first : fmt::format("{} and {} more", first, ranks.size() - named);
}

/// What the ranks of one node send to those of others and get from them.
std::vector<RankPair> pairsOf(const SessionCommunication& communication, VertexIndex node)
{
    const Placement& placement = communication.machine->placement;
    std::vector<RankPair> pairs;
    for (const CommMatrix::Entry& entry : communication.matrix->entries()) {
        if (std::max(entry.sender, entry.receiver) >= placement.ranks()) continue;
        if ((placement.nodeOf(entry.sender) == node) != (placement.nodeOf(entry.receiver) == node))
            pairs.emplace_back(entry.sender, entry.receiver);
    }
    return pairs;
}

DetailTable nodeTable(const SessionCommunication& communication, const std::vector<NodeRef>& nodes,
                      const SpansOfPairs& spansOf)
{
    DetailTable table{"Nodes",
                      {"Node", "Ranks", "Sends", "To nodes", "Gets", "From nodes", "Heaviest link out"},
                      {},
                      0,
                      {}};
    const Topology& topology = *communication.machine->topology;
    const Traffic& traffic = communication.traffic;
    std::vector<std::vector<RankPair>> through;
    for (const NodeRef& node : nodes) {
        if (node.index >= topology.vertices() || !hasRowFor(table)) continue;
        if (spansOf) through.push_back(pairsOf(communication, node.index));
        const NodeSums sums = sumsOf(traffic, node.index);
        std::uint64_t heaviest = 0;
        for (LinkIndex link = topology.firstLink(node.index); link < topology.firstLink(node.index + 1);
             ++link)
            if (link < traffic.loads.size()) heaviest = std::max(heaviest, traffic.loads[link]);
        table.rows.push_back({topology.vertexName(node.index),
                              ranksOn(communication.machine->placement, node.index),
                              loadText(traffic, static_cast<double>(sums.sent)), std::to_string(sums.to),
                              loadText(traffic, static_cast<double>(sums.received)),
                              std::to_string(sums.from), loadText(traffic, static_cast<double>(heaviest))});
    }
    if (spansOf) table.spans = spansOf(through);
    return table;
}

/// "a → b → c", shortened in the middle where there are many.
std::string wayText(const Topology& topology, std::span<const LinkIndex> links)
{
    constexpr std::size_t kMostNamed = 12;
    std::string way = topology.vertexName(topology.source(links.front()));
    for (std::size_t hop = 0; hop < links.size(); ++hop) {
        if (links.size() > kMostNamed && hop == kMostNamed / 2) {
            way += " → …";
            hop = links.size() - kMostNamed / 2;
        }
        way += " → " + topology.vertexName(topology.target(links[hop]));
    }
    return way;
}

/// The ways that the messages of pairs of ranks take, as far as they are known.
DetailTable routeTable(const SessionCommunication& communication, const std::vector<RankPairRef>& pairs)
{
    DetailTable table{"Routes",
                      {"Pair", "From node", "To node", "Hops", "Load of its heaviest link", "× mean", "Way"},
                      {},
                      0,
                      {}};
    const Topology& topology = *communication.machine->topology;
    const Placement& placement = communication.machine->placement;
    const Traffic& traffic = communication.traffic;
    for (const RankPairRef& pair : pairs) {
        if (pair.experiment != communication.request.experiment
            || std::max(pair.sender, pair.receiver) >= placement.ranks() || !hasRowFor(table))
            continue;
        const auto route = communication.routeOf(pair.sender, pair.receiver);
        const bool known = route && *route < traffic.paths.size() && !traffic.paths[*route].empty();
        std::uint64_t heaviest = 0;
        if (known)
            for (const LinkIndex link : traffic.paths[*route])
                if (link < traffic.loads.size()) heaviest = std::max(heaviest, traffic.loads[link]);
        const auto hops = communication.hopsOf(pair.sender, pair.receiver);
        const auto load = static_cast<double>(heaviest);
        table.rows.push_back({fmt::format("Rank {} → Rank {}", pair.sender, pair.receiver),
                              topology.vertexName(placement.nodeOf(pair.sender)),
                              topology.vertexName(placement.nodeOf(pair.receiver)),
                              hops ? std::to_string(*hops) : "–", known ? loadText(traffic, load) : "–",
                              known ? sharedText(load, traffic.summary.mean) : "–",
                              known ? wayText(topology, traffic.paths[*route]) : "–"});
    }
    return table;
}

}  // namespace

std::vector<DetailTable> machineDetails(const SessionCommunication& communication, const Selection& selected,
                                        const SpansOfPairs& spansOf)
{
    std::vector<DetailTable> tables;
    if (!communication.machine || !communication.machine->topology) return tables;
    for (DetailTable table :
         {linkTable(communication, selected.links, spansOf),
          nodeTable(communication, selected.nodes, spansOf), routeTable(communication, selected.rankPairs)})
        if (!table.rows.empty()) tables.push_back(std::move(table));
    return tables;
}

}  // namespace skein
