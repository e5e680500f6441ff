// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/metric_rank/metric_rank_list_scene.h"

#include "algorithms/comm/comm_matrix_of.h"
#include "core/base/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <numeric>
#include <set>

namespace skein {
namespace {

constexpr std::size_t kHistogramBars = 40;

/// The metric of the algorithm; those of pairs have none.
RankedMetric metricOf(RankedQuantity quantity)
{
    switch (quantity) {
    case RankedQuantity::RouteLength: return RankedMetric::RouteLength;
    case RankedQuantity::HopBytes: return RankedMetric::HopBytes;
    case RankedQuantity::LinkBytes: return RankedMetric::LinkBytes;
    case RankedQuantity::InDegree: return RankedMetric::InDegree;
    case RankedQuantity::OutDegree: return RankedMetric::OutDegree;
    case RankedQuantity::InMinusOut: return RankedMetric::InMinusOut;
    case RankedQuantity::PairBytes:
    case RankedQuantity::PairMessages:
    case RankedQuantity::RouteBytes: break;
    }
    return RankedMetric::RouteBytes;
}

bool isOfPairs(RankedQuantity quantity)
{
    return quantity == RankedQuantity::PairBytes || quantity == RankedQuantity::PairMessages;
}

std::vector<RankedValue> rankedPairs(const CommMatrix& matrix, bool bytes)
{
    std::vector<RankedValue> values;
    double total = 0, sum = 0;
    for (const CommMatrix::Entry& entry : matrix.entries()) {
        const std::uint64_t value = bytes ? entry.bytes : entry.messages;
        values.push_back({entry.sender, entry.receiver, static_cast<std::int64_t>(value), 0});
        total += static_cast<double>(value);
    }
    std::ranges::stable_sort(values, std::greater(), &RankedValue::value);
    for (RankedValue& value : values) {
        sum += static_cast<double>(value.value);
        value.cumulativeShare = total > 0 ? sum / total : 0;
    }
    return values;
}

Result<std::vector<RankedValue>> rankedValues(const SessionCommunication& communication,
                                              RankedQuantity quantity)
{
    if (isOfPairs(quantity)) return rankedPairs(*communication.matrix, quantity == RankedQuantity::PairBytes);
    const RankedMetric metric = metricOf(quantity);
    if (isOfRanks(metric)) return rankedRanks(*communication.matrix, metric);
    if (!communication.machine)
        return fail(ErrorCode::NotRecorded,
                    communication.machineProblem.empty()
                        ? "Routes and links are those of a machine: describe one in the panel Machine."
                        : communication.machineProblem);
    return rankedRoutes(*communication.machine->topology, communication.traffic, metric);
}

void addStatistics(MetricRankList& list)
{
    for (const RankedValue& value : list.values) list.total += static_cast<double>(value.value);
    if (list.values.empty()) return;
    list.mean = list.total / static_cast<double>(list.size());
    list.upperQuartile = quantileOf(list.values, 0.25);
    list.median = quantileOf(list.values, 0.5);
    list.lowerQuartile = quantileOf(list.values, 0.75);
    const auto least = static_cast<double>(list.values.back().value);
    const double spread = static_cast<double>(list.values.front().value) - least;
    list.histogram.assign(kHistogramBars, 0);
    for (const RankedValue& value : list.values) {
        const double part = spread > 0 ? (static_cast<double>(value.value) - least) / spread : 0;
        ++list.histogram[std::min(kHistogramBars - 1, static_cast<std::size_t>(part * kHistogramBars))];
    }
}

/// Pairs of ranks that are chosen by a property of theirs.
template <typename Wanted>
std::vector<RankPairRef> pairsWhere(const SessionCommunication& communication, const Wanted& wanted)
{
    std::vector<RankPairRef> pairs;
    for (const CommMatrix::Entry& entry : communication.matrix->entries()) {
        if (wanted(entry)) pairs.push_back({communication.request.experiment, entry.sender, entry.receiver});
    }
    return pairs;
}

Selection linksChosen(const MetricRankList& list, const std::vector<std::size_t>& places)
{
    Selection chosen;
    const SessionCommunication& communication = *list.communication;
    const Topology& topology = *communication.machine->topology;
    for (const std::size_t place : places) {
        const auto [from, to] = topology.parallelLinks(list.values[place].source, list.values[place].target);
        for (LinkIndex link = from; link < to; ++link) chosen.links.push_back({link});
    }
    std::ranges::sort(chosen.links);
    chosen.links.erase(std::unique(chosen.links.begin(), chosen.links.end()), chosen.links.end());
    for (const std::size_t entry : entriesOver(communication, chosen.links)) {
        const CommMatrix::Entry& of = communication.matrix->entries()[entry];
        chosen.rankPairs.push_back({communication.request.experiment, of.sender, of.receiver});
    }
    return chosen;
}

Selection ranksChosen(const Session& session, const MetricRankList& list,
                      const std::vector<std::size_t>& places)
{
    std::set<std::uint32_t> ranks;
    for (const std::size_t place : places) ranks.insert(list.values[place].source);
    const std::uint32_t experiment = list.communication->request.experiment;
    Selection chosen;
    const auto rankOf = ranksOfLocations(session.experiments[experiment]->definitions);
    for (std::uint32_t id = 0; id < rankOf.size(); ++id) {
        if (rankOf[id] >= 0 && ranks.contains(static_cast<std::uint32_t>(rankOf[id])))
            chosen.locations.push_back({experiment, LocationId(id)});
    }
    const bool senders = list.quantity != RankedQuantity::InDegree;
    const bool receivers = list.quantity != RankedQuantity::OutDegree;
    chosen.rankPairs = pairsWhere(*list.communication, [&](const CommMatrix::Entry& entry) {
        return (senders && ranks.contains(entry.sender)) || (receivers && ranks.contains(entry.receiver));
    });
    return chosen;
}

}  // namespace

std::string titleOf(RankedQuantity quantity)
{
    switch (quantity) {
    case RankedQuantity::PairBytes: return "Bytes of pairs of ranks";
    case RankedQuantity::PairMessages: return "Messages of pairs of ranks";
    case RankedQuantity::RouteBytes: return "Bytes of routes";
    case RankedQuantity::RouteLength: return "Length of routes";
    case RankedQuantity::HopBytes: return "Hop-bytes of routes";
    case RankedQuantity::LinkBytes: return "Load of links";
    case RankedQuantity::InDegree: return "In-degree of ranks";
    case RankedQuantity::OutDegree: return "Out-degree of ranks";
    case RankedQuantity::InMinusOut: break;
    }
    return "In-degree minus out-degree of ranks";
}

double quantileOf(const std::vector<RankedValue>& descending, double part)
{
    if (descending.empty()) return 0;
    const double place = part * static_cast<double>(descending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, descending.size() - 1);
    const auto a = static_cast<double>(descending[below].value),
               b = static_cast<double>(descending[above].value);
    return a + (place - static_cast<double>(below)) * (b - a);
}

Result<MetricRankListPtr> makeMetricRankList(SessionCommunicationPtr communication, RankedQuantity quantity)
{
    auto list = std::make_shared<MetricRankList>();
    auto values = rankedValues(*communication, quantity);
    if (!values) return Unexpected(values.error());
    list->communication = std::move(communication);
    list->quantity = quantity;
    list->values = std::move(*values);
    addStatistics(*list);
    return MetricRankListPtr(std::move(list));
}

std::string valueNameOf(RankedQuantity quantity)
{
    switch (quantity) {
    case RankedQuantity::PairBytes:
    case RankedQuantity::RouteBytes: return "Amount";
    case RankedQuantity::PairMessages: return "Messages";
    case RankedQuantity::RouteLength: return "Hops";
    case RankedQuantity::HopBytes: return "Amount × hops";
    case RankedQuantity::LinkBytes: return "Load";
    case RankedQuantity::InDegree:
    case RankedQuantity::OutDegree:
    case RankedQuantity::InMinusOut: break;
    }
    return "Degree";
}

bool MetricRankList::ofPairs() const { return isOfPairs(quantity); }

bool MetricRankList::ofRanks() const { return !isOfPairs(quantity) && isOfRanks(metricOf(quantity)); }

bool MetricRankList::inBytes() const
{
    switch (quantity) {
    case RankedQuantity::PairBytes: return true;
    case RankedQuantity::RouteBytes:
    case RankedQuantity::HopBytes:
    case RankedQuantity::LinkBytes: return communication->traffic.unit == LoadUnit::Bytes;
    default: return false;
    }
}

std::string rankedText(const MetricRankList& list, double value)
{
    if (list.inBytes()) return formatBytes(value);
    if (list.quantity == RankedQuantity::RouteLength)
        return fmt::format("{:.4g} {}", value, value == 1 ? "hop" : "hops");
    return formatNumber(value);
}

std::pair<std::string, std::string> rankedEnds(const MetricRankList& list, const RankedValue& value)
{
    if (list.ofPairs()) return {fmt::format("Rank {}", value.source), fmt::format("Rank {}", value.target)};
    if (list.ofRanks()) return {fmt::format("Rank {}", value.source), {}};
    const Topology& topology = *list.communication->machine->topology;
    return {topology.vertexName(value.source), topology.vertexName(value.target)};
}

std::string rankedName(const MetricRankList& list, std::size_t place)
{
    const auto [from, to] = rankedEnds(list, list.values[place]);
    if (list.ofRanks()) return from;
    return from + (list.ofPairs() ? " to " : " -> ") + to;
}

Selection selectionOf(const Session& session, const MetricRankList& list,
                      const std::vector<std::size_t>& places)
{
    if (places.empty()) return {};
    const SessionCommunication& communication = *list.communication;
    if (list.quantity == RankedQuantity::LinkBytes) return linksChosen(list, places);
    if (list.ofRanks()) return ranksChosen(session, list, places);
    std::set<std::pair<std::uint32_t, std::uint32_t>> wanted;
    for (const std::size_t place : places)
        wanted.emplace(list.values[place].source, list.values[place].target);
    Selection chosen;
    chosen.rankPairs = pairsWhere(communication, [&](const CommMatrix::Entry& entry) {
        if (list.ofPairs()) return wanted.contains({entry.sender, entry.receiver});
        const Placement& placement = communication.machine->placement;
        return std::max(entry.sender, entry.receiver) < placement.ranks()
            && wanted.contains({placement.nodeOf(entry.sender), placement.nodeOf(entry.receiver)});
    });
    return chosen;
}

Selection selectionOf(const Session& session, const MetricRankList& list, std::size_t first, std::size_t end)
{
    end = std::min(end, list.size());
    std::vector<std::size_t> places(first < end ? end - first : 0);
    std::iota(places.begin(), places.end(), first);
    return selectionOf(session, list, places);
}

std::size_t topCount(const MetricRankList& list, double part)
{
    if (list.values.empty() || part <= 0) return 0;
    const auto count = static_cast<std::size_t>(std::ceil(part * static_cast<double>(list.size()) - 1e-9));
    return std::clamp<std::size_t>(count, 1, list.size());
}

}  // namespace skein
