// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/route_pairs.h"

#include "algorithms/routing/route_rules.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace skein {
namespace {

constexpr std::uint64_t kMaximumHops = std::uint64_t{1} << 30;
constexpr std::size_t kPairsBetweenStopChecks = 4096;

Unexpected tooManyHops()
{
    return fail(ErrorCode::OutOfMemory, "The routes have more than 2^30 hops together.");
}

Unexpected unreachable(const Topology& topology, const NodePair& pair)
{
    return fail(ErrorCode::InvalidArgument,
                fmt::format("The machine has no way from node {} to node {}.", topology.vertexName(pair.from),
                            topology.vertexName(pair.to)),
                topology.spec());
}

bool useMeasured(const MeasuredPaths* measured, const NodePair& pair, LinkPaths& paths)
{
    const std::int64_t found = measured ? measured->find(pair.from, pair.to) : -1;
    if (found >= 0) paths.add(measured->paths[static_cast<std::size_t>(found)]);
    return found >= 0;
}

template <typename Rule>
Result<LinkPaths> routeByRule(const Rule& rule, std::span<const NodePair> pairs,
                              const MeasuredPaths* measured, const Task& task)
{
    LinkPaths paths;
    paths.first.reserve(pairs.size() + 1);
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i % kPairsBetweenStopChecks == 0 && task.stopRequested()) return cancelled();
        if (useMeasured(measured, pairs[i], paths)) continue;
        rule.append(pairs[i].from, pairs[i].to, paths.links);
        paths.first.push_back(paths.links.size());
        if (paths.links.size() > kMaximumHops) return tooManyHops();
    }
    return paths;
}

std::vector<std::uint32_t> byDestination(std::span<const NodePair> pairs)
{
    std::vector<std::uint32_t> order(pairs.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return pairs[a].to < pairs[b].to; });
    return order;
}

Result<LinkPaths> routeShortest(const Topology& topology, std::span<const NodePair> pairs,
                                const MeasuredPaths* measured, const Task& task)
{
    const auto order = byDestination(pairs);
    HopsTo hops(topology);
    LinkPaths found;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const NodePair& pair = pairs[order[i]];
        if (i == 0 || pair.to != pairs[order[i - 1]].to) {
            if (task.stopRequested()) return cancelled();
            hops.search(pair.to);
        }
        if (useMeasured(measured, pair, found)) continue;
        if (!hops.append(pair.from, found.links)) return unreachable(topology, pair);
        found.first.push_back(found.links.size());
        if (found.links.size() > kMaximumHops) return tooManyHops();
    }
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
    LinkPaths paths;
    for (std::size_t i = 0; i < pairs.size(); ++i) paths.add(found[place[i]]);
    return paths;
}

/// Lets what arrives at each vertex flow on in equal parts over its links towards the destination.
void flowDown(const Topology& topology, const HopsTo& hops, std::vector<std::uint64_t>& waiting,
              SplitLoads& result)
{
    for (std::size_t i = hops.order().size(); i-- > 1;) {
        const VertexIndex vertex = hops.order()[i];
        const std::uint64_t amount = std::exchange(waiting[vertex], 0);
        if (amount == 0) continue;
        const LinkIndex begin = topology.firstLink(vertex);
        const LinkIndex end = topology.firstLink(vertex + 1);
        const auto nearer = [&](LinkIndex link) {
            const VertexIndex target = topology.target(link);
            return hops[target] + 1 == hops[vertex] && (hops[target] == 0 || topology.forwards(target));
        };
        std::uint64_t ways = 0;
        for (LinkIndex link = begin; link < end; ++link) ways += nearer(link) ? 1 : 0;
        std::uint64_t rest = amount % ways;
        for (LinkIndex link = begin; link < end; ++link) {
            if (!nearer(link)) continue;
            const std::uint64_t part = amount / ways + (rest > 0 ? 1 : 0);
            rest -= rest > 0 ? 1 : 0;
            result.loads[link] += part;
            waiting[topology.target(link)] += part;
        }
    }
    waiting[hops.order().front()] = 0;
}

Result<SplitLoads> splitEcmp(const Topology& topology, std::span<const NodePair> pairs,
                             std::span<const std::uint64_t> amounts, const Task& task)
{
    const auto order = byDestination(pairs);
    HopsTo hops(topology);
    SplitLoads result;
    result.loads.assign(topology.links(), 0);
    std::vector<std::uint64_t> waiting(topology.vertices(), 0);
    for (std::size_t begin = 0; begin < order.size();) {
        if (task.stopRequested()) return cancelled();
        const VertexIndex destination = pairs[order[begin]].to;
        hops.search(destination);
        std::size_t end = begin;
        for (; end < order.size() && pairs[order[end]].to == destination; ++end) {
            const NodePair& pair = pairs[order[end]];
            if (hops[pair.from] == HopsTo::kUnreached) return unreachable(topology, pair);
            waiting[pair.from] += amounts[order[end]];
            result.hopAmount += amounts[order[end]] * hops[pair.from];
            result.maximumHops = std::max(result.maximumHops, hops[pair.from]);
        }
        flowDown(topology, hops, waiting, result);
        begin = end;
    }
    return result;
}

void sendVia(const DragonflyRule& rule, const NodePair& pair, std::uint32_t via, std::uint64_t amount,
             std::vector<LinkIndex>& links, SplitLoads& result)
{
    links.clear();
    rule.appendVia(pair.from, pair.to, via, links);
    for (const LinkIndex link : links) result.loads[link] += amount;
    result.hopAmount += amount * links.size();
    result.maximumHops = std::max(result.maximumHops, static_cast<std::uint32_t>(links.size()));
}

Result<SplitLoads> splitValiant(const Topology& topology, std::span<const NodePair> pairs,
                                std::span<const std::uint64_t> amounts, const Task& task)
{
    const DragonflyRule rule(topology);
    SplitLoads result;
    result.loads.assign(topology.links(), 0);
    std::vector<LinkIndex> links;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        if (i % 64 == 0 && task.stopRequested()) return cancelled();
        const std::uint32_t source = rule.groupOf(pairs[i].from);
        const std::uint32_t destination = rule.groupOf(pairs[i].to);
        if (source == destination || rule.groups() < 3) {
            sendVia(rule, pairs[i], source, amounts[i], links, result);
            continue;
        }
        const std::uint64_t ways = rule.groups() - 2;
        std::uint64_t rest = amounts[i] % ways;
        for (std::uint32_t via = 0; via < rule.groups(); ++via) {
            if (via == source || via == destination) continue;
            sendVia(rule, pairs[i], via, amounts[i] / ways + (rest > 0 ? 1 : 0), links, result);
            rest -= rest > 0 ? 1 : 0;
        }
    }
    return result;
}

}  // namespace

void LinkPaths::add(std::span<const LinkIndex> route)
{
    links.insert(links.end(), route.begin(), route.end());
    first.push_back(links.size());
}

Result<LinkPaths> routePairs(const Topology& topology, const RoutingModel& model,
                             std::span<const NodePair> pairs, const MeasuredPaths* measured, const Task& task)
{
    switch (model.kind) {
    case RoutingKind::DimensionOrder:
        return routeByRule(DimensionOrderRule(topology, model), pairs, measured, task);
    case RoutingKind::DModK: return routeByRule(FatTreeRule(topology), pairs, measured, task);
    case RoutingKind::Minimal: return routeByRule(DragonflyRule(topology), pairs, measured, task);
    case RoutingKind::ShortestPath: return routeShortest(topology, pairs, measured, task);
    case RoutingKind::Ecmp:
    case RoutingKind::Valiant: break;
    }
    return fail(
        ErrorCode::InvalidArgument,
        fmt::format("By {} a message takes several ways at once and has no single route.", name(model)));
}

Result<SplitLoads> splitPairs(const Topology& topology, const RoutingModel& model,
                              std::span<const NodePair> pairs, std::span<const std::uint64_t> amounts,
                              const Task& task)
{
    if (model.kind == RoutingKind::Ecmp) return splitEcmp(topology, pairs, amounts, task);
    if (model.kind == RoutingKind::Valiant) return splitValiant(topology, pairs, amounts, task);
    return fail(ErrorCode::InvalidArgument,
                fmt::format("By {} a message takes one way and is not split.", name(model)));
}

}  // namespace skein
