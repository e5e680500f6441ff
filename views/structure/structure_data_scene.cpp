// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/structure/structure_data_scene.h"

#include "algorithms/layout/tidy_tree.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

/// A node of sums is as strange as the strangest call in it, which lies at most `calls` behind the first.
std::vector<AnomalyLabel> labelsOfNodes(const ComparedExecution& compared, const CallIntervals& calls,
                                        const FunctionsOfCalls& functions,
                                        const std::vector<LabelledCall>& labelled)
{
    std::vector<AnomalyLabel> ofTree(compared.first.nodes.size(), AnomalyLabel::Normal);
    const IntervalRef first = compared.of;
    const std::uint32_t end = endOfExecution(calls, first.index);
    auto at =
        std::lower_bound(labelled.begin(), labelled.end(), first,
                         [](const LabelledCall& each, const IntervalRef& of) { return each.call < of; });
    for (; at != labelled.end() && at->call.location == first.location && at->call.index < end; ++at) {
        std::vector<std::uint32_t> way;  // functions from the execution to the call
        for (std::uint32_t call = at->call.index; call != first.index;) {
            way.push_back(functions.of(calls.callPath[call]));
            const std::uint16_t depth = calls.depth[call];
            do --call;
            while (call > first.index && calls.depth[call] >= depth);
        }
        for (std::uint32_t node = 0; node < compared.first.nodes.size(); ++node) {
            const ExecutionNode& each = compared.first.nodes[node];
            const bool single = each.call == at->call.index;
            bool same = single;
            if (!single && compared.first.detail == ExecutionDetail::Summed) {
                std::size_t level = 0;
                std::uint32_t up = node;
                same = true;
                for (; same && compared.first.nodes[up].parent != kNoNode; ++level) {
                    same = level < way.size() && compared.first.nodes[up].function == way[level];
                    up = compared.first.nodes[up].parent;
                }
                same = same && level == way.size();
            }
            if (same) ofTree[node] = std::max(ofTree[node], at->label);
        }
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
    result.labels = labelsOfNodes(result, calls, functions, labelled);
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
    const auto& regions = data.session->experiments[compared.of.experiment]->definitions.regions;
    const std::uint32_t function = functionNumber(compared, node);
    return function < regions.size() ? displayName(regions[function]) : "not defined";
}

std::string structureKind(const AlignedNode& node)
{
    if (node.extra()) return "extra";
    if (node.missing()) return "missing";
    if (node.differenceNs == 0) return "same";
    return node.differenceNs > 0 ? "longer" : "shorter";
}

}  // namespace skein
