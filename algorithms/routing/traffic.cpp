// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/traffic.h"

#include "core/base/bucket_sort.h"

#include <algorithm>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kPairsBetweenLooks = 4096;
/// One hop for so many links of the machine, and a list of all links is the smaller one.
constexpr std::size_t kHopsOfListedLink = 8;
/// Links of a node and its neighbours, about: they are sorted together.
constexpr LinkIndex kLinksOfBucket = 64;

/// Sums of all pairs, without routes.
Traffic totalsOf(NodeTraffic nodes)
{
    Traffic result;
    result.messages = nodes.messagesInside;
    result.bytes = result.bytesInside = nodes.bytesInside;
    result.rankPairsInside = nodes.rankPairsInside;
    for (const NodePair& pair : nodes.pairs) {
        result.messages += pair.messages;
        result.bytes += pair.bytes;
    }
    result.unit = result.bytes == 0 && result.messages > 0 ? LoadUnit::Messages : LoadUnit::Bytes;
    result.pairs = std::move(nodes.pairs);
    result.nodePairs = result.pairs.size();
    return result;
}

/// Paths of several ranks may join the same nodes, and such that were cut off at once join none.
std::uint64_t countNodePairs(std::span<const NodePair> paths)
{
    std::vector<std::pair<VertexIndex, VertexIndex>> pairs;
    for (const NodePair& path : paths)
        if (path.from != path.to) pairs.emplace_back(path.from, path.to);
    std::sort(pairs.begin(), pairs.end());
    return static_cast<std::uint64_t>(std::unique(pairs.begin(), pairs.end()) - pairs.begin());
}

void addDilation(Traffic& result)
{
    const std::uint64_t amount = result.unit == LoadUnit::Bytes ? result.bytes : result.messages;
    result.meanDilation =
        amount == 0 ? 0.0 : static_cast<double>(result.hopBytes) / static_cast<double>(amount);
}

/// Loads of all links, and a summary by which links are on any route.
void addListedLoads(const Topology& topology, Traffic& result, const Task& task)
{
    std::vector<std::uint64_t> loads(topology.links(), 0);
    std::vector<char> used(topology.links(), 0);
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
        if (i % kPairsBetweenLooks == 0 && task.stopRequested()) return;
        const std::uint64_t amount = amountOf(result.pairs[i], result.unit);
        for (const LinkIndex link : result.paths[i]) {
            loads[link] += amount;
            used[link] = 1;
        }
    }
    result.loads = LinkAmounts(std::move(loads));
    result.summary = summarize(topology, result.loads, used);
}

/// The same at the cost of the routes alone.
void addUsedLoads(const Topology& topology, Traffic& result, const Task& task)
{
    std::vector<LinkAmounts::Used> used;
    used.reserve(result.paths.links.size());
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
        const std::uint64_t amount = amountOf(result.pairs[i], result.unit);
        for (const LinkIndex link : result.paths[i]) used.push_back({link, amount});
    }
    const bool sorted = sortInBuckets(
        used, topology.links() / kLinksOfBucket + 1,
        [](const LinkAmounts::Used& of) { return of.link / kLinksOfBucket; },
        [](const LinkAmounts::Used& a, const LinkAmounts::Used& b) { return a.link < b.link; }, task);
    if (!sorted) return;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < used.size(); ++i) {
        if (kept > 0 && used[kept - 1].link == used[i].link) used[kept - 1].amount += used[i].amount;
        else used[kept++] = used[i];
    }
    used.resize(kept);
    result.loads = LinkAmounts(topology.links(), std::move(used));
    result.summary = summarize(topology, result.loads, {});
}

/// Ends early, with loads of no use, where the task is stopped.
void addLoads(const Topology& topology, Traffic& result, const Task& task)
{
    const bool fewUsed = result.paths.links.size() < topology.links() / kHopsOfListedLink;
    if (topology.linksByRule() && fewUsed) addUsedLoads(topology, result, task);
    else addListedLoads(topology, result, task);
    for (std::size_t i = 0; i < result.pairs.size(); ++i) {
        const std::size_t hops = result.paths[i].size();
        result.hopBytes += amountOf(result.pairs[i], result.unit) * hops;
        result.maximumHops = std::max(result.maximumHops, static_cast<std::uint32_t>(hops));
    }
    addDilation(result);
}

Result<Traffic> splitTraffic(const Topology& topology, const RoutingModel& model, Traffic result,
                             const Task& task)
{
    std::vector<std::uint64_t> amounts;
    for (const NodePair& pair : result.pairs) amounts.push_back(amountOf(pair, result.unit));
    auto split = splitPairs(topology, model, result.pairs, amounts, task);
    if (!split) return Unexpected(split.error());
    result.loads = LinkAmounts(std::move(split->loads));
    result.hopBytes = split->hopAmount;
    result.maximumHops = split->maximumHops;
    result.summary = summarize(topology, result.loads, {});
    addDilation(result);
    return result;
}

}  // namespace

std::uint64_t amountOf(const NodePair& pair, LoadUnit unit)
{
    return unit == LoadUnit::Bytes ? pair.bytes : pair.messages;
}

LoadSummary summarize(const Topology& topology, const LinkAmounts& loads, std::span<const char> used)
{
    LoadSummary summary;
    double sum = 0.0;
    loads.forEach([&](LinkIndex link, std::uint64_t load) {
        const bool onRoute = loads.ofUsed() || (used.empty() ? load > 0 : used[link] != 0);
        summary.linksUsed += onRoute ? 1 : 0;
        sum += static_cast<double>(load);
        summary.congestion = std::max(
            summary.congestion, static_cast<double>(load) / static_cast<double>(topology.capacity(link)));
        if (load > summary.maximum) {
            summary.maximum = load;
            summary.maximumLink = link;
            summary.maximumTies = 0;
        } else if (load == summary.maximum && load > 0) {
            ++summary.maximumTies;
        }
    });
    summary.mean = loads.size() == 0 ? 0.0 : sum / static_cast<double>(loads.size());
    summary.meanUsed = summary.linksUsed == 0 ? 0.0 : sum / summary.linksUsed;
    return summary;
}

Result<Traffic> traffic(const Topology& topology, const RoutingModel& model, NodeTraffic nodes,
                        const MeasuredPaths* measured, const Task& task)
{
    Traffic result = totalsOf(std::move(nodes));
    if (model.splits() && !measured) return splitTraffic(topology, model, std::move(result), task);
    auto paths = routePairs(topology, model, result.pairs, measured, task);
    if (!paths) return Unexpected(paths.error());
    result.paths = std::move(*paths);
    if (measured)
        for (const NodePair& pair : result.pairs)
            result.pairsMeasured += measured->find(pair.from, pair.to) >= 0 ? 1 : 0;
    addLoads(topology, result, task);
    if (task.stopRequested()) return cancelled();
    return result;
}

Traffic recordedTraffic(const Topology& topology, const MeasuredPaths& measured)
{
    Traffic result = totalsOf({measured.pairs, 0, 0, 0});
    result.paths = measured.paths;
    result.nodePairs = result.pairsMeasured = countNodePairs(measured.pairs);
    addLoads(topology, result, Task());
    return result;
}

std::vector<LinkIndex> topLinks(const LinkAmounts& loads, std::size_t count)
{
    std::vector<LinkAmounts::Used> links;
    loads.forEach([&](LinkIndex link, std::uint64_t load) { links.push_back({link, load}); });
    const auto end = links.begin() + static_cast<std::ptrdiff_t>(std::min(count, links.size()));
    std::partial_sort(links.begin(), end, links.end(), [](const auto& a, const auto& b) {
        return a.amount != b.amount ? a.amount > b.amount : a.link < b.link;
    });
    std::vector<LinkIndex> top;
    for (auto link = links.begin(); link != end; ++link) top.push_back(link->link);
    return top;
}

}  // namespace skein
