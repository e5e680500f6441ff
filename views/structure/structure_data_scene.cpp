// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/structure/structure_data_scene.h"

#include "algorithms/layout/tidy_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <unordered_map>
#include <utility>

namespace skein {
namespace {

constexpr std::size_t kNodesWanted = 20;
constexpr double kKeptShare = 0.1;  ///< of all that differs, from which on a node is kept at any depth

/// All calls that are not normal and the execution itself, as normalTwin() wants them.
std::vector<CallOfLocation> strangeCalls(const std::vector<LabelledCall>& labelled, const IntervalRef& of)
{
    std::vector<CallOfLocation> strange{{of.location, of.index}};
    for (const LabelledCall& each : labelled) strange.push_back({each.call.location, each.call.index});
    std::sort(strange.begin(), strange.end());
    return strange;
}

/// Which node of a tree a call of its execution belongs to, for calls that come in their order.
class NodesOfCalls {
public:
    NodesOfCalls(const ExecutionTree& tree, const CallIntervals& calls, const FunctionsOfCalls& functions)
        : calls_(calls), functions_(functions), summed_(tree.detail == ExecutionDetail::Summed)
    {
        for (std::uint32_t node = 0; node < tree.nodes.size(); ++node) {
            const ExecutionNode& each = tree.nodes[node];
            if (!summed_) ofCall_.emplace(each.call, node);
            else if (each.parent != kNoNode) below_.emplace(std::pair(each.parent, each.function), node);
        }
    }

    /// kNoNode: the tree ends above it.
    std::uint32_t next(std::uint32_t call)
    {
        if (!summed_) {
            const auto found = ofCall_.find(call);
            return found == ofCall_.end() ? kNoNode : found->second;
        }
        while (!open_.empty() && open_.back().first >= calls_.depth[call]) open_.pop_back();
        std::uint32_t node = 0;
        if (!open_.empty()) {
            const auto found = below_.find({open_.back().second, functions_.of(calls_.callPath[call])});
            node = found == below_.end() ? kNoNode : found->second;
        }
        open_.emplace_back(calls_.depth[call], node);
        return node;
    }

private:
    const CallIntervals& calls_;
    const FunctionsOfCalls& functions_;
    bool summed_;
    std::unordered_map<std::uint32_t, std::uint32_t> ofCall_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> below_;  ///< by parent and function
    std::vector<std::pair<std::uint16_t, std::uint32_t>> open_;               ///< depths and nodes
};

/// A node of sums is as strange as the strangest call in it. O(calls log nodes). Errors: Cancelled.
Result<std::vector<AnomalyLabel>> labelsOfNodes(const ComparedExecution& compared, const CallIntervals& calls,
                                                const FunctionsOfCalls& functions,
                                                const std::vector<LabelledCall>& labelled, const Task& task)
{
    std::vector<AnomalyLabel> ofTree(compared.first.nodes.size(), AnomalyLabel::Normal);
    const IntervalRef first = compared.of;
    const std::uint32_t end = endOfExecution(calls, first.index);
    auto at =
        std::lower_bound(labelled.begin(), labelled.end(), first,
                         [](const LabelledCall& each, const IntervalRef& of) { return each.call < of; });
    NodesOfCalls nodes(compared.first, calls, functions);
    for (std::uint32_t call = first.index; call < end; ++call) {
        if ((call - first.index) % kRowsBetweenQuestions == 0 && task.stopRequested()) return cancelled();
        const std::uint32_t node = nodes.next(call);
        for (; at != labelled.end() && at->call.location == first.location && at->call.index == call; ++at)
            if (node != kNoNode) ofTree[node] = std::max(ofTree[node], at->label);
    }
    std::vector<AnomalyLabel> labels;
    for (const AlignedNode& node : compared.alignment.nodes)
        labels.push_back(node.missing() ? AnomalyLabel::Normal : ofTree[node.first]);
    return labels;
}

Result<ComparedExecution> compared(const SessionAnomalies& anomalies, const IntervalRef& of,
                                   const std::vector<CallVerdict>& verdicts, const Task& task)
{
    const Trace& trace = *anomalies.session->experiments[of.experiment]->trace;
    const FunctionsOfCalls& functions = *anomalies.found[of.experiment]->functionsOfCalls;
    const CallIntervals& calls = trace.locations[of.location.index()].intervals;
    const std::vector<LabelledCall> labelled = labelledCalls(anomalies, of.experiment, verdicts);
    const auto twin = normalTwin(trace, functions, functions.of(calls.callPath[of.index]),
                                 strangeCalls(labelled, of), {}, task);
    if (!twin) return Unexpected(twin.error());
    ComparedExecution result;
    result.of = of;
    if (*twin) result.twin = IntervalRef{of.experiment, (*twin)->location, (*twin)->call};
    const CallOfLocation first{of.location, of.index};
    std::tie(result.first, result.second) = comparableTrees(trace, functions, first, twin->value_or(first));
    auto alignment = alignTrees(result.first, result.second, task);
    if (!alignment) return Unexpected(alignment.error());
    result.alignment = std::move(*alignment);
    auto labels = labelsOfNodes(result, calls, functions, labelled, task);
    if (!labels) return Unexpected(labels.error());
    result.labels = std::move(*labels);
    return result;
}

/// What is shown at any depth: anomalies, the outermost of what one tree has alone, and what differs much.
std::vector<bool> keptNodes(const ComparedExecution& execution)
{
    const auto& nodes = execution.alignment.nodes;
    const double much = kKeptShare * static_cast<double>(execution.alignment.costNs);
    std::vector<bool> keep;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        const bool alone = nodes[i].extra() || nodes[i].missing();
        const bool outermost =
            alone && i > 0 && !nodes[nodes[i].parent].extra() && !nodes[nodes[i].parent].missing();
        const double differs = std::abs(static_cast<double>(nodes[i].differenceNs));
        keep.push_back(execution.labels[i] == AnomalyLabel::Anomaly || outermost
                       || (differs > 0.0 && differs >= much));
    }
    return keep;
}

Result<std::vector<PlanePoint>> tidyPlaces(const std::vector<std::uint32_t>& parents, const Task& task)
{
    const auto tidy = tidyTree(parents, {}, task);
    if (!tidy) return Unexpected(tidy.error());
    std::vector<PlanePoint> places;
    for (std::size_t node = 0; node < parents.size(); ++node)
        places.push_back({static_cast<double>(tidy->depth[node]), tidy->across[node]});
    return places;
}

Result<std::vector<PlanePoint>> forcePlaces(const PlacedExecution& placed, const ComparedExecution& execution,
                                            const Task& task)
{
    LayoutGraph graph;
    graph.nodes = static_cast<std::uint32_t>(placed.opened.nodes.size());
    const double most = std::max(1.0, static_cast<double>(execution.first.nodes[0].durationNs));
    for (std::uint32_t node = 0; node < graph.nodes; ++node) {
        if (placed.opened.parents[node] != kNoNode)
            graph.edges.push_back({placed.opened.parents[node], node});
        const AlignedNode& aligned = execution.alignment.nodes[placed.opened.nodes[node]];
        const ExecutionNode& each =
            aligned.missing() ? execution.second.nodes[aligned.second] : execution.first.nodes[aligned.first];
        graph.radii.push_back(0.1
                              + 0.25 * std::sqrt(std::min(1.0, static_cast<double>(each.durationNs) / most)));
    }
    return forceLayout(graph, {}, task);
}

Result<PlacedExecution> placedExecution(const ComparedExecution& execution, const StructureOptions& options,
                                        const Task& task)
{
    PlacedExecution placed;
    const std::vector<std::uint32_t> parents = execution.alignment.parents();
    const std::uint32_t depth = options.depth.value_or(depthOfAbout(parents, kNodesWanted));
    placed.opened = openedTree(parents, depth, keptNodes(execution));
    placed.differenceNs.resize(placed.opened.nodes.size(), 0);
    placed.labels.resize(placed.opened.nodes.size(), AnomalyLabel::Normal);
    for (std::size_t node = 0; node < parents.size(); ++node) {
        const std::uint32_t place = placed.opened.placeOf[node];
        placed.differenceNs[place] += execution.alignment.nodes[node].differenceNs;
        placed.labels[place] = std::max(placed.labels[place], execution.labels[node]);
    }
    auto places = options.shape == StructureShape::Tidy ? tidyPlaces(placed.opened.parents, task)
                                                        : forcePlaces(placed, execution, task);
    if (!places) return Unexpected(places.error());
    placed.places = std::move(*places);
    return placed;
}

}  // namespace

Result<StructureDataPtr> compareStructures(const SessionAnomalies& anomalies, const Selection& selected,
                                           const std::vector<CallVerdict>& verdicts, const Task& task)
{
    auto data = std::make_shared<StructureData>();
    data->session = anomalies.session;
    data->selected = selected.intervals.size();
    for (const IntervalRef& of : executionsToShow(anomalies, selected, kMostStructures)) {
        auto execution = compared(anomalies, of, verdicts, task);
        if (!execution) return Unexpected(execution.error());
        data->executions.push_back(std::move(*execution));
    }
    return StructureDataPtr(std::move(data));
}

Result<StructurePicturePtr> placeStructures(StructureDataPtr data, const StructureOptions& options,
                                            const Task& task)
{
    auto picture = std::make_shared<StructurePicture>();
    for (const ComparedExecution& execution : data->executions) {
        auto placed = placedExecution(execution, options, task);
        if (!placed) return Unexpected(placed.error());
        picture->placed.push_back(std::move(*placed));
    }
    picture->data = std::move(data);
    picture->options = options;
    return StructurePicturePtr(std::move(picture));
}

const ExecutionNode* executionNode(const ComparedExecution& compared, StructureSide side, std::uint32_t node)
{
    const AlignedNode& aligned = compared.alignment.nodes[node];
    if (side == StructureSide::Execution)
        return aligned.missing() ? nullptr : &compared.first.nodes[aligned.first];
    return aligned.extra() ? nullptr : &compared.second.nodes[aligned.second];
}

std::optional<IntervalRef> callOfNode(const ComparedExecution& compared, StructureSide side,
                                      std::uint32_t node)
{
    const ExecutionNode* found = executionNode(compared, side, node);
    if (!found || (side == StructureSide::Twin && !compared.twin)) return std::nullopt;
    IntervalRef call = side == StructureSide::Execution ? compared.of : *compared.twin;
    call.index = found->call;
    return call;
}

std::uint32_t functionNumber(const ComparedExecution& compared, std::uint32_t node)
{
    const ExecutionNode* found = executionNode(compared, StructureSide::Execution, node);
    return (found ? found : executionNode(compared, StructureSide::Twin, node))->function;
}

std::string functionOfNode(const StructureData& data, const ComparedExecution& compared, std::uint32_t node)
{
    return functionName(data.session->experiments[compared.of.experiment]->definitions,
                        functionNumber(compared, node));
}

std::string structureKind(const AlignedNode& node)
{
    if (node.extra()) return "extra";
    if (node.missing()) return "missing";
    if (node.differenceNs == 0) return "same";
    return node.differenceNs > 0 ? "longer" : "shorter";
}

StructurePicturePtr withDragged(const StructurePicture& picture, std::size_t execution, std::uint32_t node,
                                PlanePoint byPx)
{
    auto dragged = std::make_shared<StructurePicture>(picture);
    if (execution >= picture.placed.size()) return dragged;
    const auto& placeOf = picture.placed[execution].opened.placeOf;
    if (node >= placeOf.size() || placeOf[node] >= picture.placed[execution].places.size()) return dragged;
    if (dragged->draggedPx.empty())
        for (const PlacedExecution& each : picture.placed)
            dragged->draggedPx.emplace_back(each.places.size(), PlanePoint{0, 0});
    PlanePoint& by = dragged->draggedPx[execution][placeOf[node]];
    by = {by.x + byPx.x, by.y + byPx.y};
    return dragged;
}

}  // namespace skein
