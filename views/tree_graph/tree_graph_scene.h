// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/layout/tidy_tree.h"
#include "views/common/scene/drawing/cause_arrows.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/common/scene/tree/compared_rows.h"
#include "views/common/scene/tree/tree_quantities.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace skein {

/// What a node-link picture is made of.
struct TreeGraphRequest {
    ProfileQuery query;
    TreeEdits edits;
    TreeQuantity color, size;
    std::optional<ComparisonChoice> compared;  ///< two runs beside each other instead of all
    std::optional<CallPathRef> root;           ///< of the only tree to show; nothing: all
    std::size_t most = 50'000;                 ///< see ShownTreeOptions
};

/// A quantity of every node, and where it lies.
struct NodeQuantity {
    std::vector<double> values;  ///< NaN: not known
    std::string name, unit;
    double least = 0.0;
    double greatest = 0.0;
    bool isDifference = false;
    double whole = 0.0;  ///< what values of roots are together; 0 where shares of it mean nothing
    std::vector<std::pair<double, double>> ofTree;  ///< least and greatest of each tree
};

/// What does not depend on the edits. Immutable; may cross threads.
struct TreeGraphSums {
    SessionPtr session;
    CallTreeRows rows;
    RowQuantity color, size;
    std::vector<LocationSpread> spreads;  ///< one a row, or none
    ComparedRowsPtr compared;  ///< where two runs are compared: `color` is B − A, `size` the larger
    RowQuantity colorA, colorB, sizeA, sizeB;  ///< of A and B alone, NaN where one does not have a row
};

using TreeGraphSumsPtr = std::shared_ptr<const TreeGraphSums>;

/// Where a node lies, packed for going through all of them.
struct TreePlace {
    std::uint32_t node = 0;
    std::uint32_t depth = 0;
    double across = 0;
    bool isLeaf = false;
    bool isSurrogate = false;
};

/// A calling context tree laid out from left to right. Immutable; may cross threads.
struct TreeGraph {
    TreeGraphSumsPtr sums;
    TreeEdits edits;
    ShownTree shown;
    TidyTreeLayout layout;
    NodeQuantity color, size;
    std::vector<std::uint32_t> childOffsets;  ///< of node n: [childOffsets[n], childOffsets[n + 1])
    std::vector<std::uint32_t> children;      ///< from top to bottom
    std::vector<std::uint32_t> levelOffsets;  ///< as childOffsets, of levels
    std::vector<std::uint32_t> levelNodes;    ///< from top to bottom
    std::vector<double> levelAcross;          ///< places of levelNodes
    std::vector<std::uint32_t> levelRanks;    ///< of levelNodes: their places in byValue
    std::vector<std::uint32_t> byValue;       ///< nodes, the greatest colour value first
    std::vector<TreePlace> placesByValue;     ///< the same with their places
    std::vector<std::pair<std::uint32_t, std::string>> notes;  ///< node and note, by node
    std::optional<std::uint32_t> root;                         ///< row of the only tree that is shown

    const CallTreeRows& rows() const { return sums->rows; }
    std::span<const std::uint32_t> childrenOf(std::uint32_t node) const
    {
        return {children.data() + childOffsets[node], childOffsets[node + 1] - childOffsets[node]};
    }
    std::span<const std::uint32_t> level(std::uint32_t depth) const
    {
        return {levelNodes.data() + levelOffsets[depth], levelOffsets[depth + 1] - levelOffsets[depth]};
    }
    TreePlace placeOf(std::uint32_t node) const
    {
        return {node, layout.depth[node], layout.across[node], childrenOf(node).empty(),
                shown.nodes[node].kind == ShownKind::Surrogate};
    }
    /// As labels show it.
    std::string nameOf(std::uint32_t node) const;
};

using TreeGraphPtr = std::shared_ptr<const TreeGraph>;

/// Sums up. Errors: Cancelled, and those of makeCallTreeRows().
Result<TreeGraphSumsPtr> sumUpTree(SessionPtr session, const TreeGraphRequest& request, const Task& task);
/// Prunes and lays out. A query that is wrong for these rows counts as none; panels tell what is wrong with
/// it. Errors: Cancelled.
Result<TreeGraphPtr> layOutTree(TreeGraphSumsPtr sums, const TreeGraphRequest& request, const Task& task);

enum class ComparedSide : std::uint8_t { A, B };
/// The same nodes at the same places with the amounts of one run; scales are those of both. Of a graph that
/// compares two.
TreeGraphPtr sideOf(const TreeGraph& graph, ComparedSide side);

/// From levels and places across to device pixels.
struct TreeCamera {
    double levelWidth = 1;
    double rowHeight = 1;
    double x = 0;  ///< of level 0
    double y = 0;  ///< of place 0

    bool operator==(const TreeCamera&) const = default;
};

enum class ColorMap : std::uint8_t { Sequential, Diverging };
enum class ColorDirection : std::uint8_t { Rising, Falling };
/// What colours and areas begin and end with: the least and greatest of all trees, or of each.
enum class ScaleUnit : std::uint8_t { AllTrees, EachTree };

struct TreeGraphOptions {
    std::optional<TreeCamera> camera;  ///< nothing: everything fits
    ColorMap map = ColorMap::Sequential;
    ColorDirection colors = ColorDirection::Rising;
    ColorDirection sizes = ColorDirection::Rising;
    ScaleUnit unit = ScaleUnit::AllTrees;
    ColorScaling scaling = ColorScaling::Linear;

    bool operator==(const TreeGraphOptions&) const = default;
};

struct TreeGraphLayout {
    Rect legend, body;
    TreeCamera camera;
    double largestRadius = 0;  ///< of nodes at this zoom
    double smallestRadius = 0;

    Point place(const TreeGraph& graph, std::uint32_t node) const
    {
        return {camera.x + graph.layout.depth[node] * camera.levelWidth,
                camera.y + graph.layout.across[node] * camera.rowHeight};
    }
    Point place(const TreePlace& one) const
    {
        return {camera.x + one.depth * camera.levelWidth, camera.y + one.across * camera.rowHeight};
    }
};

TreeGraphLayout treeGraphLayout(const TreeGraph& graph, const TreeGraphOptions& options,
                                const Canvas& canvas);

/// Nodes, edges, labels and both legends. The cost depends on the pixels and, a little, on the number of
/// nodes.
DrawList treeGraphScene(const TreeGraph& graph, const Selection& selected, const TreeGraphOptions& options,
                        const Canvas& canvas);

/// The uppermost node at a point. O(levels near it · log nodes).
std::optional<std::uint32_t> treeNodeAt(const TreeGraph& graph, const TreeGraphOptions& options,
                                        const TreeGraphLayout& layout, Point point, double reach);
/// All nodes whose middle lies in the rectangle, in order.
std::vector<std::uint32_t> treeNodesWithin(const TreeGraph& graph, const TreeGraphLayout& layout,
                                           const Rect& rect);
/// Radius of a node in device pixels.
double nodeRadius(const TreeGraph& graph, const TreeGraphOptions& options, const TreeGraphLayout& layout,
                  std::uint32_t node);
Color nodeColor(const TreeGraph& graph, const TreeGraphOptions& options, const Theme& theme,
                std::uint32_t node);

/// Nodes of the selected call paths, in order.
std::vector<std::uint32_t> selectedNodes(const TreeGraph& graph, const Selection& selected);
/// Chains of causes between call paths.
std::vector<CauseArrow> causeArrowsOn(const TreeGraph& graph, const TreeGraphLayout& layout,
                                      const CauseLinks& causes);
/// Lines about a node: names, both quantities with their shares, locations, what it stands for, note, source.
std::vector<std::string> treeNodeTooltip(const TreeGraph& graph, std::uint32_t node);
/// "1,234 call paths: 1,100 shown, 34 pruned", and "100 left out (up to 1.2 ms each)" where there are too
/// many.
std::vector<std::string> treeCountLines(const TreeGraph& graph);
/// The lines as one.
std::string treeCountText(const TreeGraph& graph);

}  // namespace skein
