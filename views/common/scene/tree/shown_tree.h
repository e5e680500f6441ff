// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/tree_edits.h"
#include "views/common/scene/data/call_tree_rows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What pictures of the call tree show of its rows: without what the user has pruned, and without what is too
/// little to be seen where there are too many.
namespace skein {

inline constexpr std::uint32_t kNoShownNode = 0xFFFFFFFFu;

enum class ShownKind : std::uint8_t {
    Call,       ///< a row
    Collapsed,  ///< a row that stands for all below it, too
    Surrogate,  ///< stands for subtrees of its parent that were pruned; of no row of its own
};

/// Where a row's numbers went.
enum class RowPlace : std::uint8_t {
    Absent,      ///< of a tree that is not shown
    Itself,      ///< it is the node
    Composed,    ///< pruned, while something below it is shown: part of the node above
    HiddenRoot,  ///< the outermost row of a hidden subtree
    Hidden,      ///< below one
};

struct ShownNode {
    std::uint32_t row = 0;                ///< of a surrogate: that of its parent
    std::uint32_t parent = kNoShownNode;  ///< stands before it; of roots none
    ShownKind kind = ShownKind::Call;
    std::uint32_t hiddenRows = 0;   ///< that a collapsed node or a surrogate stands for, besides itself
    std::uint32_t hiddenRoots = 0;  ///< how many of these are outermost ones
    std::uint32_t composed = 0;     ///< rows between it and those below that were taken out
    std::uint32_t tree = 0;         ///< index into ShownTree::trees
};

/// One tree of the forest.
struct TreeOfForest {
    std::uint32_t root = 0;  ///< its row
    std::size_t rows = 0;
    std::string name;  ///< of its root, with that of the experiment before it where several are open
};

struct ShownTree {
    std::vector<ShownNode> nodes;       ///< parents before children
    std::vector<TreeOfForest> trees;    ///< all there are: the one with most rows first, then by row
    std::vector<std::uint32_t> nodeOf;  ///< of each row: the node that has its numbers, or kNoShownNode
    std::vector<RowPlace> placeOf;      ///< of each row
    std::size_t rows = 0;               ///< call paths in the trees that are shown, pruned or not
    std::size_t tooSmall = 0;           ///< of these were left out for their number
    double smallest = 0.0;              ///< amount below which rows were left out then

    /// Parents as layouts want them.
    std::vector<std::uint32_t> parents() const;
};

struct ShownTreeOptions {
    std::optional<std::uint32_t> root;  ///< the row of the root of the only tree to show; nothing: all
    std::size_t most = 50'000;          ///< nodes; what takes least beyond that is left out
};

/// Applies the edits. `found` has an entry a row where a query is set: whether it found the row; empty: all
/// count as found. Rows whose experiment's row stands above them are roots: experiments are no calls.
/// `weight` decides what is left out where there are too many: one entry a row. O(rows).
ShownTree makeShownTree(const CallTreeRows& rows, const TreeEdits& edits,
                        const std::vector<std::uint8_t>& found, const std::vector<double>& weight,
                        const ShownTreeOptions& options);

/// How rows' numbers become those of nodes.
enum class Combining : std::uint8_t {
    RowOnly,  ///< inclusive amounts and calls: of surrogates the sum over their outermost rows
    Sum,      ///< exclusive amounts: of all rows that the node stands for
    Largest,  ///< ratios and extremes: the row's own; of surrogates the greatest
};

/// One value a node of one a row. NaN stands for "not known" and is left out. O(rows).
std::vector<double> valuesOfNodes(const ShownTree& tree, const std::vector<double>& ofRows,
                                  Combining combining);

/// Every call path of a node's own row.
std::vector<CallPathRef> callPathsOf(const CallTreeRows& rows, std::uint32_t row);

/// Edits with rows pruned in addition, or shown again.
TreeEdits withRemoved(TreeEdits edits, const CallTreeRows& rows, const std::vector<std::uint32_t>& pruned);
/// Prunes all rows but those given and the ones above them.
TreeEdits withOnly(TreeEdits edits, const CallTreeRows& rows, const std::vector<std::uint32_t>& kept);
/// Collapses the row, or opens it where it is collapsed.
TreeEdits withToggled(TreeEdits edits, const CallTreeRows& rows, std::uint32_t row);
/// Shows what surrogates of the row and what was composed into it stand for.
TreeEdits withDecomposed(TreeEdits edits, const CallTreeRows& rows, const ShownTree& tree,
                         std::uint32_t node);
/// An empty text takes the note away.
TreeEdits withNote(TreeEdits edits, const CallTreeRows& rows, std::uint32_t row, const std::string& text);
/// The note on the row; empty for none.
std::string noteOn(const TreeEdits& edits, const CallTreeRows& rows, std::uint32_t row);

}  // namespace skein
