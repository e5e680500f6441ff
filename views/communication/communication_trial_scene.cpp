// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_trial_scene.h"

#include "core/base/units.h"
#include "views/communication/communication_lines_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <numeric>
#include <unordered_map>

namespace skein {
namespace {

constexpr std::size_t kMostFlowNotes = 4;

/// The vertices of two groupings, by name.
class VertexUnion {
public:
    VertexUnion(const GroupedCommunication& before, const GroupedCommunication& after)
        : before_(before), after_(after)
    {
        std::unordered_map<std::string, std::uint32_t> known;
        for (std::uint32_t v = 0; v < before.graph->vertices.size(); ++v) {
            names.push_back(vertexName(before, v));
            known.emplace(names.back(), v);
            ofAfter_.push_back(CommGraph::kNone);
        }
        for (std::uint32_t v = 0; v < after.graph->vertices.size(); ++v) {
            const auto [place, added] =
                known.emplace(vertexName(after, v), static_cast<std::uint32_t>(names.size()));
            if (added) {
                names.push_back(place->first);
                ofAfter_.push_back(v);
            } else ofAfter_[place->second] = v;
            numberOf.push_back(place->second);
        }
    }

    /// Vertices, places and unit of a graph without flows, with the totals of either side.
    CommGraph empty(bool ofAfter) const
    {
        CommGraph graph;
        graph.unit = before_.graph->unit;
        graph.ofMachine = before_.graph->ofMachine;
        graph.vertexOf.assign(std::max(before_.graph->vertexOf.size(), after_.graph->vertexOf.size()),
                              CommGraph::kNone);
        for (std::uint32_t v = 0; v < names.size(); ++v) {
            const bool inBefore = v < before_.graph->vertices.size();
            const bool inAfter = ofAfter_[v] != CommGraph::kNone;
            CommGraph::Vertex totals;
            if (ofAfter && inAfter) totals = after_.graph->vertices[ofAfter_[v]];
            if (!ofAfter && inBefore) totals = before_.graph->vertices[v];
            graph.vertices.push_back(totals);
            const auto places = (ofAfter && inAfter) || !inBefore ? after_.graph->placesOf(ofAfter_[v])
                                                                  : before_.graph->placesOf(v);
            for (const std::uint32_t place : places) {
                graph.places.push_back(place);
                graph.vertexOf[place] = v;
            }
            graph.firstPlace.push_back(static_cast<std::uint32_t>(graph.places.size()));
        }
        return graph;
    }

    std::vector<std::string> names;
    std::vector<std::uint32_t> numberOf;  ///< of each vertex of `after`

private:
    const GroupedCommunication& before_;
    const GroupedCommunication& after_;
    std::vector<std::uint32_t> ofAfter_;  ///< of each vertex of the union; kNone: it is not there
};

void addFlow(CommGraph& graph, CommGraph::Flow flow, std::vector<std::uint32_t> way)
{
    flow.from = way.front();
    flow.to = way.back();
    flow.firstStop = static_cast<std::uint32_t>(graph.stops.size());
    flow.stops = static_cast<std::uint32_t>(way.size());
    graph.stops.insert(graph.stops.end(), way.begin(), way.end());
    graph.flows.push_back(flow);
}

/// The way of a flow in the numbers of the union.
std::vector<std::uint32_t> wayInUnion(const CommGraph& graph, const CommGraph::Flow& flow,
                                      const std::vector<std::uint32_t>* numberOf)
{
    const auto stops = graph.wayOf(flow);
    std::vector<std::uint32_t> way(stops.begin(), stops.end());
    if (way.empty()) way = {flow.from, flow.to};
    if (numberOf)
        for (std::uint32_t& stop : way) stop = (*numberOf)[stop];
    return way;
}

GroupedCommunicationPtr withGraph(const GroupedCommunication& like, CommGraph graph)
{
    GroupedCommunication grouped = like;
    grouped.graph = std::make_shared<const CommGraph>(std::move(graph));
    return std::make_shared<const GroupedCommunication>(std::move(grouped));
}

/// Flows of both sides that are the same one.
class FlowUnion {
public:
    FlowUnion(CommGraph& both, std::vector<FlowChange>& changes, CommunicationLines lines)
        : both_(both), changes_(changes), lines_(lines)
    {
    }

    void add(const CommGraph::Flow& flow, const std::vector<std::uint32_t>& way, std::uint32_t number,
             std::uint32_t FlowChange::*side)
    {
        const std::vector<std::uint32_t> key =
            lines_ == CommunicationLines::Routes ? way : std::vector{way.front(), way.back()};
        const auto [place, added] = known_.emplace(key, changes_.size());
        if (added) {
            changes_.emplace_back();
            addFlow(both_, flow, way);
        }
        FlowChange& change = changes_[place->second];
        if (change.*side == CommGraph::kNone) change.*side = number;
    }

private:
    CommGraph& both_;
    std::vector<FlowChange>& changes_;
    CommunicationLines lines_;
    std::map<std::vector<std::uint32_t>, std::size_t> known_;
};

double valueOr0(const CommGraph& graph, std::uint32_t flow, CommunicationColor color)
{
    return flow == CommGraph::kNone ? 0 : communicationValue(graph, flow, color);
}

/// Width is what flows more or less.
double amountChange(const UnitedCommunication& united, const FlowChange& change)
{
    const auto amount = [](const CommGraph& graph, std::uint32_t flow) {
        return flow == CommGraph::kNone ? 0.0 : static_cast<double>(graph.amountOf(graph.flows[flow]));
    };
    return std::abs(amount(*united.after->graph, change.after)
                    - amount(*united.before->graph, change.before));
}

CommunicationPicture pictureOfBoth(const UnitedCommunication& united, const CommunicationOptions& options)
{
    CommunicationPicture picture;
    picture.graph = united.both->graph;
    picture.options = options;
    picture.names = united.vertices;
    orderVertices(picture);
    return picture;
}

void keepTop(CommunicationPicture& picture, std::size_t all)
{
    if (picture.options.lines == CommunicationLines::None) picture.order.clear();
    const double shown =
        std::ceil(static_cast<double>(all) * std::clamp(picture.options.topPercent, 0.0, 100.0) / 100);
    picture.order.resize(std::min(picture.order.size(), static_cast<std::size_t>(shown)));
}

/// The greatest sum of what flows on one piece of a way, of the flows that are drawn exactly.
double mostOnPiece(const CommunicationPicture& picture)
{
    std::unordered_map<std::uint64_t, double> sums;
    double most = 0;
    for (const std::uint32_t flow : exactFlows(picture)) {
        const std::vector<std::uint32_t> way = picture.wayOf(flow);
        for (std::size_t i = 0; i + 1 < way.size(); ++i) {
            double& sum = sums[std::uint64_t{way[i]} << 32 | way[i + 1]];
            sum += static_cast<double>(picture.graph->amountOf(picture.graph->flows[flow]));
            most = std::max(most, sum);
        }
    }
    return most;
}

std::uint64_t mostInsideOf(const CommunicationPicture& picture)
{
    std::uint64_t most = 0;
    for (const CommGraph::Vertex& vertex : picture.graph->vertices) most = std::max(most, vertex.bytesInside);
    return most;
}

using Ends = std::pair<std::uint32_t, std::uint32_t>;

/// A changed route between two vertices.
struct Alternative {
    std::vector<std::uint32_t> flows;  ///< of `both`: the ways before and after
    std::uint64_t loadBefore = 0, loadAfter = 0;
    std::uint32_t hopsBefore = 0, hopsAfter = 0;

    double reduction() const { return static_cast<double>(loadBefore) - static_cast<double>(loadAfter); }
};

std::vector<std::pair<Ends, Alternative>> alternativesOf(const UnitedCommunication& united)
{
    std::map<Ends, Alternative> byEnds;
    for (std::uint32_t i = 0; i < united.changes.size(); ++i) {
        const FlowChange& change = united.changes[i];
        if ((change.before == CommGraph::kNone) == (change.after == CommGraph::kNone)) continue;
        const CommGraph::Flow& flow = united.both->graph->flows[i];
        Alternative& alternative = byEnds[{flow.from, flow.to}];
        alternative.flows.push_back(i);
        const bool old = change.after == CommGraph::kNone;
        std::uint64_t& load = old ? alternative.loadBefore : alternative.loadAfter;
        std::uint32_t& hops = old ? alternative.hopsBefore : alternative.hopsAfter;
        load = std::max(load, flow.highestLoad);
        hops = std::max(hops, flow.hops);
    }
    std::vector<std::pair<Ends, Alternative>> list(byEnds.begin(), byEnds.end());
    std::ranges::stable_sort(
        list, [](const auto& a, const auto& b) { return a.second.reduction() > b.second.reduction(); });
    return list;
}

std::string alternativeNote(const UnitedCommunication& united, const Ends& ends, const Alternative& found)
{
    const auto load = [&](std::uint64_t of) {
        const auto value = static_cast<double>(of);
        return united.both->graph->unit == LoadUnit::Bytes ? formatBytes(value)
                                                           : formatCount(value) + " messages";
    };
    const double change = found.loadBefore == 0
        ? 0
        : 100 * (static_cast<double>(found.loadAfter) / static_cast<double>(found.loadBefore) - 1);
    return fmt::format("{} → {}: highest load {}, before {} ({}{:.1f} %); {} links, before {}",
                       united.vertices[ends.first], united.vertices[ends.second], load(found.loadAfter),
                       load(found.loadBefore), change > 0 ? "+" : (change < 0 ? "−" : ""), std::abs(change),
                       found.hopsAfter, found.hopsBefore);
}

}  // namespace

UnitedCommunicationPtr uniteCommunication(const GroupedCommunication& before,
                                          const GroupedCommunication& after, CommunicationLines lines)
{
    auto united = std::make_shared<UnitedCommunication>();
    VertexUnion vertices(before, after);
    CommGraph left = vertices.empty(false), right = vertices.empty(true), both = vertices.empty(false);
    FlowUnion flows(both, united->changes, lines);
    for (std::uint32_t i = 0; i < before.graph->flows.size(); ++i) {
        const auto way = wayInUnion(*before.graph, before.graph->flows[i], nullptr);
        addFlow(left, before.graph->flows[i], way);
        flows.add(before.graph->flows[i], way, i, &FlowChange::before);
    }
    for (std::uint32_t i = 0; i < after.graph->flows.size(); ++i) {
        const auto way = wayInUnion(*after.graph, after.graph->flows[i], &vertices.numberOf);
        addFlow(right, after.graph->flows[i], way);
        flows.add(after.graph->flows[i], way, i, &FlowChange::after);
    }
    united->before = withGraph(before, std::move(left));
    united->after = withGraph(after, std::move(right));
    united->both = withGraph(before, std::move(both));
    united->vertices = std::move(vertices.names);
    return united;
}

void shareScale(CommunicationPicture& left, CommunicationPicture& right)
{
    left.mostDegree = right.mostDegree = std::max(left.mostDegree, right.mostDegree);
    left.mostInside = right.mostInside = std::max(mostInsideOf(left), mostInsideOf(right));
    left.mostOnPiece = right.mostOnPiece = std::max(mostOnPiece(left), mostOnPiece(right));
    const FlowColors ofLeft(left, false), ofRight(right, false);
    if (left.order.empty() || right.order.empty()) return;
    left.range = right.range =
        std::pair(std::min(ofLeft.least(), ofRight.least()), std::max(ofLeft.most(), ofRight.most()));
}

CommunicationPicture communicationDifference(const UnitedCommunication& united,
                                             const CommunicationOptions& options, const Task& task)
{
    CommunicationPicture picture = pictureOfBoth(united, options);
    if (picture.options.color == CommunicationColor::Category)
        picture.options.color = CommunicationColor::Bytes;
    std::size_t more = 0, less = 0;
    for (std::uint32_t i = 0; i < united.changes.size(); ++i) {
        const FlowChange& change = united.changes[i];
        picture.changes.push_back(valueOr0(*united.after->graph, change.after, picture.options.color)
                                  - valueOr0(*united.before->graph, change.before, picture.options.color));
        picture.widths.push_back(amountChange(united, change));
        more += picture.changes[i] > 0 ? 1 : 0;
        less += picture.changes[i] < 0 ? 1 : 0;
        if (picture.changes[i] != 0) picture.order.push_back(i);
    }
    std::ranges::stable_sort(picture.order, [&](std::uint32_t a, std::uint32_t b) {
        return std::abs(picture.changes[a]) > std::abs(picture.changes[b]);
    });
    keepTop(picture, picture.order.size());
    picture.dense = densePieces(picture, task);
    picture.head = fmt::format("{} flows have more, {} less · {} are as they were",
                               formatGrouped(static_cast<std::int64_t>(more)),
                               formatGrouped(static_cast<std::int64_t>(less)),
                               formatGrouped(static_cast<std::int64_t>(united.changes.size() - more - less)));
    return picture;
}

CommunicationPicture communicationAlternatives(const UnitedCommunication& united,
                                               const CommunicationOptions& options, const Task& task)
{
    CommunicationPicture picture = pictureOfBoth(united, options);
    picture.options.lines = CommunicationLines::Routes;
    picture.alternative.assign(united.changes.size(), 0);
    const auto alternatives = alternativesOf(united);
    for (const auto& [ends, found] : alternatives) {
        if (picture.notes.size() < kMostFlowNotes)
            picture.notes.push_back(alternativeNote(united, ends, found));
        // The new way lies over the old one.
        for (const bool old : {false, true})
            for (const std::uint32_t flow : found.flows) {
                if ((united.changes[flow].after == CommGraph::kNone) != old) continue;
                picture.alternative[flow] = old ? 0 : 1;
                picture.order.push_back(flow);
            }
    }
    picture.hasAlternatives = true;
    keepTop(picture, picture.order.size());
    picture.dense = densePieces(picture, task);
    picture.head = fmt::format("{} routes take another way: grey as it was, blue the alternative",
                               formatGrouped(static_cast<std::int64_t>(alternatives.size())));
    return picture;
}

}  // namespace skein
