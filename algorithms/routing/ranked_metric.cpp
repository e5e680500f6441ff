// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/routing/ranked_metric.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace skein {
namespace {

constexpr std::array<std::string_view, 7> kRankedMetricNames{
    "route-bytes", "route-length", "hop-bytes", "link-bytes", "in-degree", "out-degree", "in-minus-out"};

/// Sorts by value and tells the shares.
std::vector<RankedValue> inDescendingOrder(std::vector<RankedValue> values)
{
    std::ranges::stable_sort(values, [](const RankedValue& left, const RankedValue& right) {
        if (left.value != right.value) return left.value > right.value;
        return std::pair(left.source, left.target) < std::pair(right.source, right.target);
    });
    double all = 0;
    for (const RankedValue& value : values) all += std::abs(static_cast<double>(value.value));
    double before = 0;
    for (RankedValue& value : values) {
        before += std::abs(static_cast<double>(value.value));
        value.cumulativeShare = all > 0 ? std::min(1.0, before / all) : 0;
    }
    return values;
}

struct RankDegrees {
    std::vector<std::int64_t> in;
    std::vector<std::int64_t> out;
};

RankDegrees degreesOf(const CommMatrix& matrix)
{
    const bool told = matrix.totalMessages() > 0;
    RankDegrees degrees{std::vector<std::int64_t>(matrix.ranks(), 0),
                        std::vector<std::int64_t>(matrix.ranks(), 0)};
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        const std::int64_t messages = told ? static_cast<std::int64_t>(entry.messages) : 1;
        degrees.out[entry.sender] += messages;
        degrees.in[entry.receiver] += messages;
    }
    return degrees;
}

std::vector<RankedValue> routeValues(const Traffic& traffic, RankedMetric metric)
{
    std::vector<RankedValue> values;
    for (std::size_t route = 0; route < traffic.pairs.size(); ++route) {
        const NodePair& pair = traffic.pairs[route];
        const auto amount = static_cast<std::int64_t>(amountOf(pair, traffic.unit));
        const auto hops = metric == RankedMetric::RouteBytes
            ? std::int64_t{1}
            : static_cast<std::int64_t>(traffic.paths[route].size());
        values.push_back({pair.from, pair.to, metric == RankedMetric::RouteLength ? hops : amount * hops, 0});
    }
    return values;
}

std::vector<RankedValue> linkValues(const Topology& topology, const LinkAmounts& loads)
{
    std::vector<RankedValue> values;
    loads.forEach([&](LinkIndex link, std::uint64_t load) {
        if (load > 0)
            values.push_back(
                {topology.source(link), topology.target(link), static_cast<std::int64_t>(load), 0});
    });
    return values;
}

}  // namespace

bool isOfRanks(RankedMetric metric)
{
    return metric == RankedMetric::InDegree || metric == RankedMetric::OutDegree
        || metric == RankedMetric::InMinusOut;
}

bool isBytes(RankedMetric metric)
{
    return metric == RankedMetric::RouteBytes || metric == RankedMetric::HopBytes
        || metric == RankedMetric::LinkBytes;
}

std::string_view name(RankedMetric metric) { return kRankedMetricNames[static_cast<std::size_t>(metric)]; }

std::vector<RankedValue> rankedRanks(const CommMatrix& matrix, RankedMetric metric)
{
    const RankDegrees degrees = degreesOf(matrix);
    std::vector<RankedValue> values(matrix.ranks());
    for (std::uint32_t rank = 0; rank < matrix.ranks(); ++rank) {
        values[rank].source = rank;
        if (metric != RankedMetric::OutDegree) values[rank].value = degrees.in[rank];
        if (metric == RankedMetric::OutDegree) values[rank].value = degrees.out[rank];
        if (metric == RankedMetric::InMinusOut) values[rank].value -= degrees.out[rank];
    }
    return inDescendingOrder(std::move(values));
}

Result<std::vector<RankedValue>> rankedRoutes(const Topology& topology, const Traffic& traffic,
                                              RankedMetric metric)
{
    if (isOfRanks(metric))
        return fail(ErrorCode::InvalidArgument, "Degrees are of ranks, not of routes or links.");
    if (metric == RankedMetric::LinkBytes) return inDescendingOrder(linkValues(topology, traffic.loads));
    if (metric != RankedMetric::RouteBytes && traffic.paths.size() != traffic.pairs.size())
        return fail(ErrorCode::InvalidArgument,
                    "By this routing a message takes several ways at once and has no single route.");
    return inDescendingOrder(routeValues(traffic, metric));
}

}  // namespace skein
