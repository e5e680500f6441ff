// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/execution_tree.h"

#include <algorithm>
#include <map>

namespace skein {
namespace {

/// Levels below the first that fit as a whole into kMostExecutionNodes, from how many nodes each level has.
std::uint32_t fittingLevels(const std::vector<std::size_t>& ofLevel)
{
    std::size_t nodes = 0;
    for (std::uint32_t level = 0; level < ofLevel.size(); ++level) {
        nodes += ofLevel[level];
        if (nodes > kMostExecutionNodes) return level > 0 ? level - 1 : 0;
    }
    return ofLevel.empty() ? 0 : static_cast<std::uint32_t>(ofLevel.size() - 1);
}

/// Visits (call, level, place of its caller on the way down) of the calls of an execution in order.
template <typename Visit>
void forEachInside(const CallIntervals& calls, std::uint32_t root, Visit visit)
{
    const std::uint32_t end = endOfExecution(calls, root);
    std::vector<std::uint32_t> way;
    for (std::uint32_t call = root; call < end; ++call) {
        while (!way.empty() && calls.depth[way.back()] >= calls.depth[call]) way.pop_back();
        visit(call, static_cast<std::uint32_t>(way.size()));
        way.push_back(call);
    }
}

ExecutionTree treeOfCalls(const CallIntervals& calls, const FunctionsOfCalls& functions, std::uint32_t root)
{
    std::vector<std::size_t> ofLevel;
    ExecutionTree tree;
    forEachInside(calls, root, [&](std::uint32_t, std::uint32_t level) {
        if (level >= ofLevel.size()) ofLevel.push_back(0);
        ++ofLevel[level];
        ++tree.calls;
    });
    const std::uint32_t levels = fittingLevels(ofLevel);
    tree.complete = levels + 1 >= ofLevel.size();
    std::vector<std::uint32_t> open;
    forEachInside(calls, root, [&](std::uint32_t call, std::uint32_t level) {
        if (level > levels) return;
        open.resize(level);
        const TimeNs duration = calls.end[call] - calls.begin[call];
        const std::uint32_t parent = open.empty() ? kNoNode : open.back();
        if (parent != kNoNode) tree.nodes[parent].ownNs -= duration;
        open.push_back(static_cast<std::uint32_t>(tree.nodes.size()));
        tree.nodes.push_back({parent, functions.of(calls.callPath[call]), call, 1, duration, duration});
    });
    return tree;
}

/// Call paths of an execution in the order in which they occur first.
struct PathSums {
    std::vector<ExecutionNode> nodes;
    std::vector<std::uint32_t> levels;
    std::uint64_t calls = 0;
};

PathSums sumPaths(const CallIntervals& calls, const FunctionsOfCalls& functions, std::uint32_t root)
{
    PathSums sums;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> known;
    std::vector<std::uint32_t> open;
    forEachInside(calls, root, [&](std::uint32_t call, std::uint32_t level) {
        ++sums.calls;
        open.resize(level);
        const std::uint32_t parent = open.empty() ? kNoNode : open.back();
        const std::uint32_t function = functions.of(calls.callPath[call]);
        const auto [at, isNew] =
            known.try_emplace({parent, function}, static_cast<std::uint32_t>(sums.nodes.size()));
        if (isNew) {
            sums.nodes.push_back({parent, function, call, 0, 0, 0});
            sums.levels.push_back(level);
        }
        ExecutionNode& node = sums.nodes[at->second];
        ++node.calls;
        node.durationNs += calls.end[call] - calls.begin[call];
        open.push_back(at->second);
    });
    return sums;
}

ExecutionTree treeOfPaths(const CallIntervals& calls, const FunctionsOfCalls& functions, std::uint32_t root)
{
    const PathSums sums = sumPaths(calls, functions, root);
    std::vector<std::size_t> ofLevel;
    for (const std::uint32_t level : sums.levels) {
        if (level >= ofLevel.size()) ofLevel.resize(level + 1, 0);
        ++ofLevel[level];
    }
    const std::uint32_t levels = fittingLevels(ofLevel);
    std::vector<std::vector<std::uint32_t>> below(sums.nodes.size());
    for (std::uint32_t node = 1; node < sums.nodes.size(); ++node)
        if (sums.levels[node] <= levels) below[sums.nodes[node].parent].push_back(node);
    ExecutionTree tree;
    tree.calls = sums.calls;
    tree.detail = ExecutionDetail::Summed;
    tree.complete = levels + 1 >= ofLevel.size();
    std::vector<std::pair<std::uint32_t, std::uint32_t>> waiting{{0, kNoNode}};
    while (!waiting.empty()) {
        const auto [from, parent] = waiting.back();
        waiting.pop_back();
        const auto number = static_cast<std::uint32_t>(tree.nodes.size());
        tree.nodes.push_back(sums.nodes[from]);
        ExecutionNode& node = tree.nodes.back();
        node.parent = parent;
        node.ownNs = node.durationNs;
        for (const std::uint32_t child : below[from]) node.ownNs -= sums.nodes[child].durationNs;
        std::sort(below[from].begin(), below[from].end(), [&](std::uint32_t a, std::uint32_t b) {
            return sums.nodes[a].function > sums.nodes[b].function;
        });
        for (const std::uint32_t child : below[from]) waiting.emplace_back(child, number);
    }
    return tree;
}

std::vector<std::uint32_t> depthsOf(std::span<const std::uint32_t> parents)
{
    std::vector<std::uint32_t> depths(parents.size(), 0);
    for (std::size_t node = 0; node < parents.size(); ++node)
        if (parents[node] != kNoNode) depths[node] = depths[parents[node]] + 1;
    return depths;
}

}  // namespace

std::vector<std::uint32_t> ExecutionTree::parents() const
{
    std::vector<std::uint32_t> all;
    all.reserve(nodes.size());
    for (const ExecutionNode& node : nodes) all.push_back(node.parent);
    return all;
}

std::uint32_t endOfExecution(const CallIntervals& calls, std::uint32_t call)
{
    std::uint32_t end = call + 1;
    while (end < calls.size() && calls.depth[end] > calls.depth[call]) ++end;
    return end;
}

ExecutionTree executionTree(const CallIntervals& calls, const FunctionsOfCalls& functions, std::uint32_t call,
                            ExecutionDetail detail)
{
    return detail == ExecutionDetail::EachCall ? treeOfCalls(calls, functions, call)
                                               : treeOfPaths(calls, functions, call);
}

std::pair<ExecutionTree, ExecutionTree> comparableTrees(const Trace& trace, const FunctionsOfCalls& functions,
                                                        const CallOfLocation& first,
                                                        const CallOfLocation& second)
{
    const auto tree = [&](const CallOfLocation& of, ExecutionDetail detail) {
        return executionTree(trace.locations[of.location.index()].intervals, functions, of.call, detail);
    };
    std::pair trees{tree(first, ExecutionDetail::EachCall), tree(second, ExecutionDetail::EachCall)};
    if (trees.first.complete && trees.second.complete) return trees;
    return {tree(first, ExecutionDetail::Summed), tree(second, ExecutionDetail::Summed)};
}

std::uint32_t depthOfAbout(std::span<const std::uint32_t> parents, std::size_t wanted)
{
    std::vector<std::size_t> until;
    for (const std::uint32_t depth : depthsOf(parents)) {
        if (depth >= until.size()) until.resize(depth + 1, 0);
        ++until[depth];
    }
    for (std::size_t depth = 1; depth < until.size(); ++depth) until[depth] += until[depth - 1];
    for (std::uint32_t depth = 0; depth < until.size(); ++depth) {
        if (until[depth] < wanted) continue;
        const bool far = until[depth] > 2 * wanted && depth > 0 && 2 * until[depth - 1] >= wanted;
        return far ? depth - 1 : depth;
    }
    return until.empty() ? 0 : static_cast<std::uint32_t>(until.size() - 1);
}

OpenedTree openedTree(std::span<const std::uint32_t> parents, std::uint32_t depth,
                      const std::vector<bool>& keep)
{
    const std::vector<std::uint32_t> depths = depthsOf(parents);
    std::vector<bool> shown(parents.size(), false);
    for (std::size_t node = parents.size(); node-- > 0;) {
        if (depths[node] <= depth || keep[node]) shown[node] = true;
        if (shown[node] && parents[node] != kNoNode) shown[parents[node]] = true;
    }
    OpenedTree opened;
    opened.placeOf.resize(parents.size(), 0);
    for (std::uint32_t node = 0; node < parents.size(); ++node) {
        const bool root = parents[node] == kNoNode;
        if (!shown[node]) {
            opened.placeOf[node] = opened.placeOf[parents[node]];
            ++opened.hidden[opened.placeOf[node]];
            continue;
        }
        opened.placeOf[node] = static_cast<std::uint32_t>(opened.nodes.size());
        opened.nodes.push_back(node);
        opened.parents.push_back(root ? kNoNode : opened.placeOf[parents[node]]);
        opened.hidden.push_back(0);
    }
    return opened;
}

}  // namespace skein
