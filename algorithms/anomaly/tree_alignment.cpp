// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/anomaly/tree_alignment.h"

#include <algorithm>
#include <compare>
#include <cstdlib>

namespace skein {
namespace {

struct AlignCost {
    std::uint32_t nodes = 0;  ///< left over; these count first
    TimeNs ns = 0;

    AlignCost operator+(const AlignCost& other) const { return {nodes + other.nodes, ns + other.ns}; }
    auto operator<=>(const AlignCost&) const = default;
};

/// One of the two trees, as the alignment needs it.
struct SideOfAlignment {
    const ExecutionTree& tree;
    std::vector<std::vector<std::uint32_t>> children;
    std::vector<std::uint32_t> depths;
    std::vector<AlignCost> alone;  ///< of leaving a subtree over

    explicit SideOfAlignment(const ExecutionTree& of)
        : tree(of), children(of.nodes.size()), depths(of.nodes.size(), 0), alone(of.nodes.size())
    {
        const auto& nodes = tree.nodes;
        for (std::uint32_t node = 1; node < nodes.size(); ++node) {
            children[nodes[node].parent].push_back(node);
            depths[node] = depths[nodes[node].parent] + 1;
        }
        for (std::size_t node = nodes.size(); node-- > 0;) {
            alone[node] = alone[node] + AlignCost{1, std::abs(nodes[node].ownNs)};
            if (node > 0) alone[nodes[node].parent] = alone[nodes[node].parent] + alone[node];
        }
    }
};

/// What to do with the next of two lists of siblings.
enum class AlignStep : std::uint8_t { Match, First, Second };

class TreeAligner {
public:
    TreeAligner(const ExecutionTree& first, const ExecutionTree& second)
        : first_(first), second_(second), width_(second.nodes.size()), costs_(first.nodes.size() * width_)
    {
    }

    /// From the leaves to the roots: what it costs to put each node upon each other one. False: stopped.
    bool work(const Task& task)
    {
        for (std::size_t a = first_.tree.nodes.size(); a-- > 0;) {
            if (task.stopRequested()) return false;
            for (std::size_t b = width_; b-- > 0;)
                if (canMatch(a, b)) costs_[a * width_ + b] = costOf(a, b);
        }
        return true;
    }

    TreeAlignment take()
    {
        result_.costNs = costs_[0].ns;
        result_.unmatched = costs_[0].nodes;
        match(0, 0, kNoNode);
        auto& nodes = result_.nodes;
        for (AlignedNode& node : nodes) node.belowNs = node.differenceNs;
        for (std::size_t node = nodes.size(); node-- > 1;)
            nodes[nodes[node].parent].belowNs += nodes[node].belowNs;
        return std::move(result_);
    }

private:
    bool canMatch(std::size_t a, std::size_t b) const
    {
        return first_.depths[a] == second_.depths[b]
            && (a == 0 || first_.tree.nodes[a].function == second_.tree.nodes[b].function);
    }

    AlignCost costOf(std::size_t a, std::size_t b)
    {
        const TimeNs own = std::abs(first_.tree.nodes[a].ownNs - second_.tree.nodes[b].ownNs);
        fillTable(a, b);
        return table_[0] + AlignCost{0, own};
    }

    /// table_[i][j]: the least cost of the siblings from i and j on.
    void fillTable(std::size_t a, std::size_t b)
    {
        const auto &left = first_.children[a], &right = second_.children[b];
        const std::size_t columns = right.size() + 1;
        table_.assign((left.size() + 1) * columns, {});
        for (std::size_t j = right.size(); j-- > 0;)
            table_[left.size() * columns + j] =
                table_[left.size() * columns + j + 1] + second_.alone[right[j]];
        for (std::size_t i = left.size(); i-- > 0;) {
            table_[i * columns + right.size()] =
                table_[(i + 1) * columns + right.size()] + first_.alone[left[i]];
            for (std::size_t j = right.size(); j-- > 0;)
                table_[i * columns + j] = best(left, right, i, j).first;
        }
    }

    std::pair<AlignCost, AlignStep> best(const std::vector<std::uint32_t>& left,
                                         const std::vector<std::uint32_t>& right, std::size_t i,
                                         std::size_t j) const
    {
        const std::size_t columns = right.size() + 1;
        std::pair least{table_[(i + 1) * columns + j] + first_.alone[left[i]], AlignStep::First};
        const AlignCost second = table_[i * columns + j + 1] + second_.alone[right[j]];
        if (second < least.first) least = {second, AlignStep::Second};
        if (!canMatch(left[i], right[j])) return least;
        const AlignCost both = table_[(i + 1) * columns + j + 1] + costs_[left[i] * width_ + right[j]];
        if (both <= least.first) least = {both, AlignStep::Match};
        return least;
    }

    void match(std::uint32_t a, std::uint32_t b, std::uint32_t parent)
    {
        const auto number = static_cast<std::uint32_t>(result_.nodes.size());
        result_.nodes.push_back({parent, a, b, first_.tree.nodes[a].ownNs - second_.tree.nodes[b].ownNs, 0});
        const auto &left = first_.children[a], &right = second_.children[b];
        fillTable(a, b);
        std::vector<AlignStep> steps;
        for (std::size_t i = 0, j = 0; i < left.size() || j < right.size();) {
            AlignStep step = i == left.size() ? AlignStep::Second : AlignStep::First;
            if (i < left.size() && j < right.size()) step = best(left, right, i, j).second;
            steps.push_back(step);
            i += step != AlignStep::Second;
            j += step != AlignStep::First;
        }
        std::size_t i = 0, j = 0;
        for (const AlignStep step : steps) {
            if (step == AlignStep::Match) match(left[i], right[j], number);
            else if (step == AlignStep::First) leaveOver(first_, left[i], number);
            else leaveOver(second_, right[j], number);
            i += step != AlignStep::Second;
            j += step != AlignStep::First;
        }
    }

    void leaveOver(const SideOfAlignment& side, std::uint32_t node, std::uint32_t parent)
    {
        const bool extra = &side == &first_;
        const TimeNs own = side.tree.nodes[node].ownNs;
        const auto number = static_cast<std::uint32_t>(result_.nodes.size());
        result_.nodes.push_back(
            {parent, extra ? node : kNoNode, extra ? kNoNode : node, extra ? own : -own, 0});
        for (const std::uint32_t child : side.children[node]) leaveOver(side, child, number);
    }

    SideOfAlignment first_, second_;
    std::size_t width_;
    std::vector<AlignCost> costs_;  ///< [node of the first × node of the second]
    std::vector<AlignCost> table_;
    TreeAlignment result_;
};

bool canBeAligned(const ExecutionTree& tree)
{
    if (tree.nodes.empty() || tree.nodes.size() > kMostExecutionNodes || tree.nodes[0].parent != kNoNode)
        return false;
    for (std::uint32_t node = 1; node < tree.nodes.size(); ++node)
        if (tree.nodes[node].parent >= node) return false;
    return true;
}

}  // namespace

std::vector<std::uint32_t> TreeAlignment::parents() const
{
    std::vector<std::uint32_t> all;
    all.reserve(nodes.size());
    for (const AlignedNode& node : nodes) all.push_back(node.parent);
    return all;
}

Result<TreeAlignment> alignTrees(const ExecutionTree& first, const ExecutionTree& second, const Task& task)
{
    if (!canBeAligned(first) || !canBeAligned(second))
        return fail(ErrorCode::InvalidArgument,
                    "Trees that are compared need one root, parents before their children, and no more than "
                        + std::to_string(kMostExecutionNodes) + " nodes.");
    TreeAligner aligner(first, second);
    if (!aligner.work(task)) return cancelled();
    return aligner.take();
}

}  // namespace skein
