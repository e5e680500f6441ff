// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/comm/rank_order.h"

#include "algorithms/comm/spectral_order.h"
#include "core/base/natural_order.h"

#include <algorithm>
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>
#include <boost/graph/king_ordering.hpp>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <set>

namespace skein {
namespace {

std::vector<std::uint32_t> ranksByNumber(const CommMatrix& matrix)
{
    std::vector<std::uint32_t> ranks(matrix.ranks());
    std::iota(ranks.begin(), ranks.end(), 0u);
    return ranks;
}

/// What two ranks exchange both ways: bytes, or messages where the source tells no bytes.
std::vector<LayoutEdge> exchangedPairs(const CommMatrix& matrix)
{
    const bool bytes = matrix.totalBytes() > 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> sums;
    for (const CommMatrix::Entry& entry : matrix.entries())
        if (entry.sender != entry.receiver)
            sums[std::minmax({entry.sender, entry.receiver})] += bytes ? entry.bytes : entry.messages;
    std::vector<LayoutEdge> pairs;
    for (const auto& [ranks, weight] : sums)
        pairs.push_back({ranks.first, ranks.second, static_cast<double>(weight)});
    return pairs;
}

/// Groups of ranks that are joined two by two; each is a list from its first to its last rank.
class JoinedRanks {
public:
    explicit JoinedRanks(std::uint32_t ranks) : parent_(ranks), last_(ranks), next_(ranks, kEnd)
    {
        std::iota(parent_.begin(), parent_.end(), 0u);
        std::iota(last_.begin(), last_.end(), 0u);
    }

    std::uint32_t find(std::uint32_t rank)
    {
        while (parent_[rank] != rank) rank = parent_[rank] = parent_[parent_[rank]];
        return rank;
    }
    /// The group with the lower first rank comes first.
    void join(std::uint32_t left, std::uint32_t right)
    {
        const auto [first, second] = std::minmax({find(left), find(right)});
        if (first == second) return;
        next_[last_[first]] = second;
        last_[first] = last_[second];
        parent_[second] = first;
    }
    std::vector<std::uint32_t> listed()
    {
        std::vector<std::uint32_t> order;
        for (std::uint32_t rank = 0; rank < parent_.size(); ++rank)
            if (find(rank) == rank)
                for (std::uint32_t member = rank; member != kEnd; member = next_[member])
                    order.push_back(member);
        return order;
    }

private:
    static constexpr std::uint32_t kEnd = 0xFFFFFFFFu;
    std::vector<std::uint32_t> parent_;
    std::vector<std::uint32_t> last_;
    std::vector<std::uint32_t> next_;
};

std::vector<std::uint32_t> clusteredRanks(const CommMatrix& matrix)
{
    std::vector<LayoutEdge> pairs = exchangedPairs(matrix);
    std::ranges::stable_sort(pairs, std::greater(), &LayoutEdge::weight);
    JoinedRanks groups(matrix.ranks());
    for (const LayoutEdge& pair : pairs) groups.join(pair.from, pair.to);
    return groups.listed();
}

using RankGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS,
                                        boost::property<boost::vertex_color_t, boost::default_color_type,
                                                        boost::property<boost::vertex_degree_t, int>>>;

RankGraph graphOf(std::uint32_t ranks, std::span<const LayoutEdge> pairs)
{
    RankGraph graph(ranks);
    for (const LayoutEdge& pair : pairs) boost::add_edge(pair.from, pair.to, graph);
    return graph;
}

Result<std::vector<std::uint32_t>> nearDiagonal(const CommMatrix& matrix, const Task& task)
{
    std::vector<LayoutEdge> pairs = exchangedPairs(matrix);
    RankGraph graph = graphOf(matrix.ranks(), pairs);
    const auto colors = boost::get(boost::vertex_color, graph);
    const auto degrees = boost::make_degree_map(graph);
    std::vector<std::vector<std::uint32_t>> orders(3, ranksByNumber(matrix));
    boost::cuthill_mckee_ordering(graph, orders[1].rbegin(), colors, degrees);
    if (task.stopRequested()) return cancelled();
    boost::king_ordering(graph, orders[2].rbegin(), colors, degrees, boost::get(boost::vertex_index, graph));
    std::erase_if(pairs, [](const LayoutEdge& pair) { return pair.weight <= 0; });
    auto spectral = spectralOrder({matrix.ranks(), std::move(pairs)}, task);
    if (!spectral) return spectral;
    orders.push_back(std::move(*spectral));
    return *std::ranges::min_element(orders, {}, [&](const std::vector<std::uint32_t>& order) {
        return meanDistanceFromDiagonal(matrix, order);
    });
}

std::string lowerCase(std::string_view text)
{
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
    return lower;
}

/// The class's node above, or the name for none.
std::string ancestorOfClass(const Definitions& definitions, SystemTreeNodeId node, const std::string& level)
{
    for (std::size_t steps = 0; node.valid() && steps <= definitions.systemTree.size(); ++steps) {
        const SystemTreeNode& here = definitions.systemTree[node.index()];
        if (lowerCase(here.className) == level) return here.name;
        node = here.parent;
    }
    return "(none)";
}

Unexpected noSuchLevel(const Definitions& definitions, std::string_view level)
{
    std::set<std::string> classes;
    for (const SystemTreeNode& node : definitions.systemTree)
        if (!node.className.empty()) classes.insert(node.className);
    if (classes.empty())
        return fail(ErrorCode::InvalidArgument, "The archive tells nothing about where its ranks ran.");
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("The archive's system tree has no \"{}\"; it has {}.", level, fmt::join(classes, ", ")));
}

}  // namespace

double meanDistanceFromDiagonal(const CommMatrix& matrix, std::span<const std::uint32_t> order)
{
    std::vector<double> position(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) position[order[i]] = static_cast<double>(i);
    const bool told = matrix.totalBytes() > 0;
    double sum = 0, all = 0;
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        const auto amount = static_cast<double>(told ? entry.bytes : entry.messages);
        sum += amount * std::abs(position[entry.sender] - position[entry.receiver]);
        all += amount;
    }
    return all > 0 ? sum / all : 0;
}

Result<std::vector<std::uint32_t>> orderedRanks(const CommMatrix& matrix, RankOrder order,
                                                std::span<const std::string> hosts, const Task& task)
{
    std::vector<std::uint32_t> ranks = ranksByNumber(matrix);
    if (task.stopRequested()) return cancelled();
    if (order == RankOrder::Rank || ranks.empty()) return ranks;
    if (order == RankOrder::Cluster) return clusteredRanks(matrix);
    if (order == RankOrder::Bandwidth) return nearDiagonal(matrix, task);
    if (hosts.size() < ranks.size() || std::ranges::all_of(hosts, &std::string::empty))
        return fail(ErrorCode::NotRecorded, "The archive tells no hosts to order its ranks by.");
    std::ranges::stable_sort(ranks, NaturalOrder(), [&](std::uint32_t rank) { return hosts[rank]; });
    return ranks;
}

Result<RankGroups> rankGroups(const Definitions& definitions, std::string_view level, std::uint32_t ranks)
{
    const std::string wanted = lowerCase(level);
    const bool exists = std::ranges::any_of(definitions.systemTree, [&](const SystemTreeNode& node) {
        return lowerCase(node.className) == wanted;
    });
    if (!exists) return noSuchLevel(definitions, level);
    std::vector<std::string> nameOf(ranks, "(none)");
    for (const LocationGroup& group : definitions.locationGroups)
        if (group.rank >= 0 && group.rank < static_cast<std::int64_t>(ranks))
            nameOf[static_cast<std::size_t>(group.rank)] = ancestorOfClass(definitions, group.node, wanted);
    RankGroups groups;
    groups.names = nameOf;
    std::ranges::sort(groups.names, NaturalOrder());
    groups.names.erase(std::unique(groups.names.begin(), groups.names.end()), groups.names.end());
    for (const std::string& name : nameOf)
        groups.groupOf.push_back(
            static_cast<std::uint32_t>(std::ranges::find(groups.names, name) - groups.names.begin()));
    return groups;
}

CommMatrix groupedMatrix(const CommMatrix& matrix, const RankGroups& groups)
{
    std::vector<CommMatrix::Entry> entries(matrix.entries().begin(), matrix.entries().end());
    for (CommMatrix::Entry& entry : entries) {
        entry.sender = groups.groupOf[entry.sender];
        entry.receiver = groups.groupOf[entry.receiver];
    }
    return CommMatrix(static_cast<std::uint32_t>(groups.names.size()), std::move(entries));
}

}  // namespace skein
