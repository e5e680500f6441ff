// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/layout/tidy_tree.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace skein {
namespace {

constexpr std::uint32_t kNodesPerAsk = 1u << 14;

/// The quantities of the paper, one entry a node; names are the paper's.
struct WalkerNode {
    double prelim = 0.0;
    double mod = 0.0;
    double change = 0.0;
    double shift = 0.0;
    std::uint32_t thread = kNoParent;
    std::uint32_t ancestor = 0;
    std::uint32_t number = 0;  ///< among its siblings
};

class TidyForest {
public:
    TidyForest(std::span<const std::uint32_t> parents, const TidyTreeParams& params)
        : parents_(parents), params_(params), nodes_(parents.size())
    {
    }

    Result<TidyTreeLayout> run(const Task& task)
    {
        linkChildren();
        // Children stand behind their parents, so from the last node to the first everything below a node is
        // placed before it. Siblings are looked at by their parent, from the first to the last.
        for (auto node = static_cast<std::uint32_t>(parents_.size()); node-- > 0;) {
            placeChildren(node);
            if (node % kNodesPerAsk == 0 && task.stopRequested()) return cancelled();
        }
        return placeForest();
    }

private:
    bool isLeaf(std::uint32_t node) const { return offsets_[node] == offsets_[node + 1]; }
    std::span<const std::uint32_t> childrenOf(std::uint32_t node) const
    {
        return {children_.data() + offsets_[node], offsets_[node + 1] - offsets_[node]};
    }

    void linkChildren()
    {
        offsets_.assign(parents_.size() + 1, 0);
        for (const std::uint32_t parent : parents_)
            if (parent != kNoParent) ++offsets_[parent + 1];
        for (std::size_t node = 0; node < parents_.size(); ++node) offsets_[node + 1] += offsets_[node];
        children_.resize(offsets_.back());
        std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
        for (std::uint32_t node = 0; node < parents_.size(); ++node) {
            nodes_[node].ancestor = node;
            if (parents_[node] == kNoParent) continue;
            std::uint32_t& place = next[parents_[node]];
            nodes_[node].number = place - offsets_[parents_[node]];
            children_[place++] = node;
        }
    }

    double separation(std::uint32_t one, std::uint32_t other) const
    {
        return parents_[one] == parents_[other] ? params_.siblings : params_.cousins;
    }

    /// The first walk for the children of a node, whose own children are placed: until then `prelim` of an
    /// inner node is the middle of its children.
    void placeChildren(std::uint32_t node)
    {
        const auto below = childrenOf(node);
        if (below.empty()) return;
        std::uint32_t defaultAncestor = below.front();
        for (std::size_t place = 0; place < below.size(); ++place) {
            const std::uint32_t child = below[place];
            if (place > 0) putBeside(child, below[place - 1]);
            defaultAncestor = apportion(child, place > 0 ? below[place - 1] : kNoParent, defaultAncestor);
        }
        executeShifts(below);
        nodes_[node].prelim = (nodes_[below.front()].prelim + nodes_[below.back()].prelim) / 2;
    }

    void putBeside(std::uint32_t node, std::uint32_t left)
    {
        const double middle = nodes_[node].prelim;
        nodes_[node].prelim = nodes_[left].prelim + separation(node, left);
        if (!isLeaf(node)) nodes_[node].mod = nodes_[node].prelim - middle;
    }

    std::uint32_t nextLeft(std::uint32_t node) const
    {
        return isLeaf(node) ? nodes_[node].thread : children_[offsets_[node]];
    }
    std::uint32_t nextRight(std::uint32_t node) const
    {
        return isLeaf(node) ? nodes_[node].thread : children_[offsets_[node + 1] - 1];
    }

    /// Moves the subtree of `node` away from those of its siblings to the left, along both contours.
    std::uint32_t apportion(std::uint32_t node, std::uint32_t left, std::uint32_t defaultAncestor)
    {
        if (left == kNoParent) return defaultAncestor;
        std::uint32_t insideRight = node, outsideRight = node;
        std::uint32_t insideLeft = left, outsideLeft = childrenOf(parents_[node]).front();
        double sumInsideRight = nodes_[insideRight].mod, sumOutsideRight = nodes_[outsideRight].mod;
        double sumInsideLeft = nodes_[insideLeft].mod, sumOutsideLeft = nodes_[outsideLeft].mod;
        std::uint32_t right = nextRight(insideLeft), first = nextLeft(insideRight);
        while (right != kNoParent && first != kNoParent) {
            insideLeft = right;
            insideRight = first;
            outsideLeft = nextLeft(outsideLeft);
            outsideRight = nextRight(outsideRight);
            nodes_[outsideRight].ancestor = node;
            const double shift = nodes_[insideLeft].prelim + sumInsideLeft
                - (nodes_[insideRight].prelim + sumInsideRight) + separation(insideLeft, insideRight);
            if (shift > 0) {
                moveSubtree(greatestDistinct(insideLeft, node, defaultAncestor), node, shift);
                sumInsideRight += shift;
                sumOutsideRight += shift;
            }
            sumInsideLeft += nodes_[insideLeft].mod;
            sumInsideRight += nodes_[insideRight].mod;
            sumOutsideLeft += nodes_[outsideLeft].mod;
            sumOutsideRight += nodes_[outsideRight].mod;
            right = nextRight(insideLeft);
            first = nextLeft(insideRight);
        }
        if (right != kNoParent && nextRight(outsideRight) == kNoParent) {
            nodes_[outsideRight].thread = right;
            nodes_[outsideRight].mod += sumInsideLeft - sumOutsideRight;
        }
        if (first != kNoParent && nextLeft(outsideLeft) == kNoParent) {
            nodes_[outsideLeft].thread = first;
            nodes_[outsideLeft].mod += sumInsideRight - sumOutsideLeft;
            return node;
        }
        return defaultAncestor;
    }

    /// Of the two subtrees that meet, the root of the left one among the siblings of `node`.
    std::uint32_t greatestDistinct(std::uint32_t insideLeft, std::uint32_t node,
                                   std::uint32_t defaultAncestor) const
    {
        const std::uint32_t ancestor = nodes_[insideLeft].ancestor;
        return parents_[ancestor] == parents_[node] && ancestor != node ? ancestor : defaultAncestor;
    }

    void moveSubtree(std::uint32_t left, std::uint32_t right, double shift)
    {
        const double part = shift / (nodes_[right].number - nodes_[left].number);
        nodes_[right].change -= part;
        nodes_[right].shift += shift;
        nodes_[left].change += part;
        nodes_[right].prelim += shift;
        nodes_[right].mod += shift;
    }

    void executeShifts(std::span<const std::uint32_t> siblings)
    {
        double shift = 0.0, change = 0.0;
        for (auto place = siblings.size(); place-- > 0;) {
            WalkerNode& node = nodes_[siblings[place]];
            node.prelim += shift;
            node.mod += shift;
            change += node.change;
            shift += node.shift + change;
        }
    }

    /// The second walk, tree by tree below each other.
    TidyTreeLayout placeForest()
    {
        TidyTreeLayout layout;
        layout.across.resize(parents_.size());
        layout.depth.resize(parents_.size());
        std::vector<double> modOf(parents_.size());
        std::vector<std::uint32_t> rootOf(parents_.size());
        for (std::uint32_t node = 0; node < parents_.size(); ++node) {
            const std::uint32_t parent = parents_[node];
            const bool isRoot = parent == kNoParent;
            rootOf[node] = isRoot ? node : rootOf[parent];
            layout.depth[node] = isRoot ? 0 : layout.depth[parent] + 1;
            layout.across[node] = isRoot ? 0.0 : nodes_[node].prelim + modOf[parent];
            // So that the root lies at 0.
            modOf[node] = isRoot ? -nodes_[node].prelim : modOf[parent] + nodes_[node].mod;
            layout.levels = std::max(layout.levels, layout.depth[node] + 1);
        }
        stackTrees(layout, rootOf);
        return layout;
    }

    void stackTrees(TidyTreeLayout& layout, const std::vector<std::uint32_t>& rootOf) const
    {
        std::vector<double> least(parents_.size(), 0.0), greatest(parents_.size(), 0.0);
        for (std::size_t node = 0; node < parents_.size(); ++node) {
            double &low = least[rootOf[node]], &high = greatest[rootOf[node]];
            low = std::min(low, layout.across[node]);
            high = std::max(high, layout.across[node]);
        }
        std::vector<double> offset(parents_.size(), 0.0);
        bool first = true;
        for (std::size_t root = 0; root < parents_.size(); ++root) {
            if (parents_[root] != kNoParent) continue;
            if (!first) offset[root] = layout.greatest + params_.trees - least[root];
            if (first) layout.least = least[root];
            layout.greatest = greatest[root] + offset[root];
            first = false;
        }
        for (std::size_t node = 0; node < parents_.size(); ++node)
            layout.across[node] += offset[rootOf[node]];
    }

    std::span<const std::uint32_t> parents_;
    const TidyTreeParams& params_;
    std::vector<WalkerNode> nodes_;
    std::vector<std::uint32_t> offsets_, children_;
};

bool isDistance(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

Result<TidyTreeLayout> tidyTree(std::span<const std::uint32_t> parents, const TidyTreeParams& params,
                                const Task& task)
{
    if (!isDistance(params.siblings) || !isDistance(params.cousins) || !std::isfinite(params.trees)
        || params.trees < 0)
        return fail(ErrorCode::InvalidArgument, "The nodes of a tree must be a positive distance apart.");
    for (std::size_t node = 0; node < parents.size(); ++node)
        if (parents[node] != kNoParent && parents[node] >= node)
            return fail(ErrorCode::InvalidArgument,
                        "Node " + std::to_string(node) + " of a tree does not stand behind its parent.");
    return TidyForest(parents, params).run(task);
}

}  // namespace skein
