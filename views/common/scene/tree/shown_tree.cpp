// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/shown_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace skein {
namespace {

/// Rows that stand for an experiment are above trees and in none.
bool isExperimentRow(const CallTreeRow& row) { return row.callPaths.empty() && row.regions.empty(); }

std::vector<std::uint8_t> maskOf(const CallTreeRows& rows, const std::vector<CallPathRef>& callPaths)
{
    std::vector<std::uint8_t> mask(rows.rows.size(), 0);
    for (const CallPathRef& ref : callPaths)
        if (const std::int64_t row = rows.rowOf(ref.experiment, ref.id); row >= 0)
            mask[static_cast<std::size_t>(row)] = 1;
    return mask;
}

void sortUnique(std::vector<CallPathRef>& refs)
{
    std::sort(refs.begin(), refs.end());
    refs.erase(std::unique(refs.begin(), refs.end()), refs.end());
}

class ShownTreeMaker {
public:
    ShownTreeMaker(const CallTreeRows& rows, const ShownTreeOptions& options)
        : rows_(rows.rows), options_(options), rootOf_(rows_.size(), kNoShownNode), removed_(rows_.size(), 0)
    {
    }

    ShownTree make(const CallTreeRows& rows, const TreeEdits& edits, const std::vector<std::uint8_t>& found,
                   const std::vector<double>& weight)
    {
        findTrees();
        removed_ = maskOf(rows, edits.removed);
        collapsed_ = maskOf(rows, edits.collapsed);
        for (std::size_t row = 0; row < found.size() && row < removed_.size(); ++row)
            if (!found[row]) removed_[row] = 1;
        dropSmallest(weight);
        findShownBelow();
        placeAll();
        return std::move(tree_);
    }

private:
    std::int64_t parentOf(std::size_t row) const
    {
        const std::int64_t parent = rows_[row].parent;
        return parent >= 0 && isExperimentRow(rows_[static_cast<std::size_t>(parent)]) ? -1 : parent;
    }
    bool inForest(std::size_t row) const { return rootOf_[row] != kNoShownNode; }

    void findTrees()
    {
        std::vector<std::size_t> sizes(rows_.size(), 0);
        for (std::uint32_t row = 0; row < rows_.size(); ++row) {
            if (isExperimentRow(rows_[row])) continue;
            const std::int64_t parent = parentOf(row);
            rootOf_[row] = parent < 0 ? row : rootOf_[static_cast<std::size_t>(parent)];
            ++sizes[rootOf_[row]];
        }
        for (std::uint32_t row = 0; row < rows_.size(); ++row)
            if (sizes[row] > 0) tree_.trees.push_back({row, sizes[row], nameOf(row)});
        std::stable_sort(tree_.trees.begin(), tree_.trees.end(),
                         [](const auto& left, const auto& right) { return left.rows > right.rows; });
        treeOf_.assign(rows_.size(), 0);
        for (std::uint32_t tree = 0; tree < tree_.trees.size(); ++tree) {
            treeOf_[tree_.trees[tree].root] = tree;
            const bool wanted = !options_.root || tree_.trees[tree].root == *options_.root;
            if (wanted) tree_.rows += tree_.trees[tree].rows;
        }
        if (!options_.root) return;
        for (std::uint32_t& root : rootOf_)
            if (root != *options_.root) root = kNoShownNode;
    }

    std::string nameOf(std::uint32_t row) const
    {
        const std::int64_t above = rows_[row].parent;
        return above < 0 ? rows_[row].name
                         : rows_[static_cast<std::size_t>(above)].name + ": " + rows_[row].name;
    }

    /// Where more rows are left than wanted: those that are least by the greatest weight of their subtree, so
    /// that what stays is connected.
    void dropSmallest(const std::vector<double>& weight)
    {
        std::vector<double> most(rows_.size(), 0.0);
        std::vector<double> left;
        for (std::size_t row = rows_.size(); row-- > 0;) {
            if (!inForest(row)) continue;
            const double own =
                row < weight.size() && std::isfinite(weight[row]) ? std::abs(weight[row]) : 0.0;
            most[row] = std::max(most[row], removed_[row] ? 0.0 : own);
            if (const std::int64_t parent = parentOf(row); parent >= 0)
                most[static_cast<std::size_t>(parent)] =
                    std::max(most[static_cast<std::size_t>(parent)], most[row]);
            if (!removed_[row]) left.push_back(most[row]);
        }
        if (left.size() <= options_.most) return;
        const auto limit = left.begin() + static_cast<std::ptrdiff_t>(options_.most);
        std::nth_element(left.begin(), limit, left.end(), std::greater<>());
        tree_.smallest = *limit;
        std::size_t room = options_.most;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            if (inForest(row) && !removed_[row] && most[row] > tree_.smallest) --room;
        dropBeyond(most, room);
    }

    /// Of those that are as large as the limit the first ones stay; none stays without its parent.
    void dropBeyond(const std::vector<double>& most, std::size_t room)
    {
        std::vector<std::uint8_t> dropped(rows_.size(), 0);
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            if (!inForest(row) || removed_[row] || most[row] > tree_.smallest) continue;
            const std::int64_t parent = parentOf(row);
            const bool orphan = parent >= 0 && dropped[static_cast<std::size_t>(parent)];
            if (!orphan && room > 0 && most[row] == tree_.smallest) {
                --room;
                continue;
            }
            dropped[row] = removed_[row] = 1;
            ++tree_.tooSmall;
        }
    }

    void findShownBelow()
    {
        shownBelow_.assign(rows_.size(), 0);
        for (std::size_t row = rows_.size(); row-- > 0;) {
            const std::int64_t parent = parentOf(row);
            if (inForest(row) && parent >= 0 && (!removed_[row] || shownBelow_[row]))
                shownBelow_[static_cast<std::size_t>(parent)] = 1;
        }
    }

    void placeAll()
    {
        tree_.nodeOf.assign(rows_.size(), kNoShownNode);
        tree_.placeOf.assign(rows_.size(), RowPlace::Absent);
        anchors_.assign(rows_.size(), kNoShownNode);
        for (std::uint32_t row = 0; row < rows_.size(); ++row)
            if (inForest(row)) place(row);
    }

    void place(std::uint32_t row)
    {
        const std::int64_t parent = parentOf(row);
        const std::uint32_t anchor = parent < 0 ? kNoShownNode : anchors_[static_cast<std::size_t>(parent)];
        anchors_[row] = anchor;
        const RowPlace above =
            parent < 0 ? RowPlace::Absent : tree_.placeOf[static_cast<std::size_t>(parent)];
        if (above == RowPlace::HiddenRoot || above == RowPlace::Hidden)
            return hide(row, tree_.nodeOf[static_cast<std::size_t>(parent)], RowPlace::Hidden);
        if (anchor != kNoShownNode && tree_.nodes[anchor].kind == ShownKind::Collapsed)
            return hide(row, anchor, RowPlace::HiddenRoot);
        if (!removed_[row]) return addNode(row, anchor);
        if (anchor == kNoShownNode) return;
        if (!shownBelow_[row]) return hide(row, surrogateOf(anchor), RowPlace::HiddenRoot);
        tree_.nodeOf[row] = anchor;
        tree_.placeOf[row] = RowPlace::Composed;
        ++tree_.nodes[anchor].composed;
    }

    void addNode(std::uint32_t row, std::uint32_t anchor)
    {
        const auto node = static_cast<std::uint32_t>(tree_.nodes.size());
        const bool stands = collapsed_[row] && hasRowsBelow(row);
        tree_.nodes.push_back(
            {row, anchor, stands ? ShownKind::Collapsed : ShownKind::Call, 0, 0, 0, treeOf_[rootOf_[row]]});
        surrogates_.push_back(kNoShownNode);
        tree_.nodeOf[row] = anchors_[row] = node;
        tree_.placeOf[row] = RowPlace::Itself;
    }

    bool hasRowsBelow(std::uint32_t row) const
    {
        return row + 1 < rows_.size() && rows_[row + 1].parent == static_cast<std::int64_t>(row);
    }

    std::uint32_t surrogateOf(std::uint32_t anchor)
    {
        if (surrogates_[anchor] == kNoShownNode) {
            surrogates_[anchor] = static_cast<std::uint32_t>(tree_.nodes.size());
            const ShownNode& above = tree_.nodes[anchor];
            tree_.nodes.push_back({above.row, anchor, ShownKind::Surrogate, 0, 0, 0, above.tree});
            surrogates_.push_back(kNoShownNode);
        }
        return surrogates_[anchor];
    }

    void hide(std::uint32_t row, std::uint32_t node, RowPlace as)
    {
        tree_.nodeOf[row] = node;
        tree_.placeOf[row] = as;
        ++tree_.nodes[node].hiddenRows;
        tree_.nodes[node].hiddenRoots += as == RowPlace::HiddenRoot;
    }

    const std::vector<CallTreeRow>& rows_;
    const ShownTreeOptions& options_;
    std::vector<std::uint32_t> rootOf_;  ///< row of the root; kNoShownNode where the tree is not shown
    std::vector<std::uint32_t> treeOf_;  ///< of roots: index into trees
    std::vector<std::uint8_t> removed_, collapsed_, shownBelow_;
    std::vector<std::uint32_t> anchors_;     ///< of each row: the nearest node at or above it
    std::vector<std::uint32_t> surrogates_;  ///< of each node
    ShownTree tree_;
};

}  // namespace

std::vector<std::uint32_t> ShownTree::parents() const
{
    std::vector<std::uint32_t> result;
    result.reserve(nodes.size());
    for (const ShownNode& node : nodes) result.push_back(node.parent);
    return result;
}

ShownTree makeShownTree(const CallTreeRows& rows, const TreeEdits& edits,
                        const std::vector<std::uint8_t>& found, const std::vector<double>& weight,
                        const ShownTreeOptions& options)
{
    return ShownTreeMaker(rows, options).make(rows, edits, found, weight);
}

std::vector<double> valuesOfNodes(const ShownTree& tree, const std::vector<double>& ofRows,
                                  Combining combining)
{
    std::vector<double> values(tree.nodes.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t row = 0; row < ofRows.size() && row < tree.nodeOf.size(); ++row) {
        const std::uint32_t node = tree.nodeOf[row];
        if (node == kNoShownNode || std::isnan(ofRows[row])) continue;
        const RowPlace place = tree.placeOf[row];
        const bool surrogate = tree.nodes[node].kind == ShownKind::Surrogate;
        const bool root = surrogate && place == RowPlace::HiddenRoot;
        double& value = values[node];
        const double before = std::isnan(value) ? 0.0 : value;
        switch (combining) {
        case Combining::RowOnly:
            if (place == RowPlace::Itself || root) value = before + ofRows[row];
            break;
        case Combining::Sum: value = before + ofRows[row]; break;
        case Combining::Largest:
            if (place == RowPlace::Itself || surrogate)
                value = std::isnan(value) ? ofRows[row] : std::max(value, ofRows[row]);
            break;
        }
    }
    return values;
}

std::vector<CallPathRef> callPathsOf(const CallTreeRows& rows, std::uint32_t row)
{
    std::vector<CallPathRef> refs;
    for (const CallPathId id : rows.rows[row].callPaths) refs.push_back({rows.rows[row].experiment, id});
    std::sort(refs.begin(), refs.end());
    return refs;
}

TreeEdits withRemoved(TreeEdits edits, const CallTreeRows& rows, const std::vector<std::uint32_t>& pruned)
{
    for (const std::uint32_t row : pruned)
        for (const CallPathId id : rows.rows[row].callPaths)
            edits.removed.push_back({rows.rows[row].experiment, id});
    sortUnique(edits.removed);
    return edits;
}

TreeEdits withOnly(TreeEdits edits, const CallTreeRows& rows, const std::vector<std::uint32_t>& kept)
{
    std::vector<std::uint8_t> stays(rows.rows.size(), 0);
    for (const std::uint32_t row : kept) stays[row] = 1;
    std::vector<std::uint32_t> pruned;
    for (std::size_t row = rows.rows.size(); row-- > 0;) {
        const std::int64_t parent = rows.rows[row].parent;
        if (stays[row] && parent >= 0) stays[static_cast<std::size_t>(parent)] = 1;
        if (!stays[row]) pruned.push_back(static_cast<std::uint32_t>(row));
    }
    return withRemoved(std::move(edits), rows, pruned);
}

TreeEdits withToggled(TreeEdits edits, const CallTreeRows& rows, std::uint32_t row)
{
    const std::vector<CallPathRef> refs = callPathsOf(rows, row);
    if (refs.empty()) return edits;
    const bool open = std::binary_search(edits.collapsed.begin(), edits.collapsed.end(), refs.front());
    if (open)
        std::erase_if(edits.collapsed, [&](const CallPathRef& ref) {
            return std::binary_search(refs.begin(), refs.end(), ref);
        });
    else edits.collapsed.insert(edits.collapsed.end(), refs.begin(), refs.end());
    sortUnique(edits.collapsed);
    return edits;
}

TreeEdits withDecomposed(TreeEdits edits, const CallTreeRows& rows, const ShownTree& tree, std::uint32_t node)
{
    const auto belongs = [&](std::uint32_t at) {
        return at != kNoShownNode
            && (at == node || (tree.nodes[at].kind == ShownKind::Surrogate && tree.nodes[at].parent == node));
    };
    std::vector<CallPathRef> shown;
    for (std::size_t row = 0; row < tree.nodeOf.size(); ++row) {
        if (!belongs(tree.nodeOf[row]) || tree.placeOf[row] == RowPlace::Itself) continue;
        const auto refs = callPathsOf(rows, static_cast<std::uint32_t>(row));
        shown.insert(shown.end(), refs.begin(), refs.end());
    }
    sortUnique(shown);
    std::erase_if(edits.removed, [&](const CallPathRef& ref) {
        return std::binary_search(shown.begin(), shown.end(), ref);
    });
    return edits;
}

TreeEdits withNote(TreeEdits edits, const CallTreeRows& rows, std::uint32_t row, const std::string& text)
{
    const std::vector<CallPathRef> refs = callPathsOf(rows, row);
    if (refs.empty()) return edits;
    std::erase_if(edits.notes, [&](const CallPathNote& note) {
        return std::binary_search(refs.begin(), refs.end(), note.callPath);
    });
    if (!text.empty()) edits.notes.push_back({refs.front(), text});
    std::sort(edits.notes.begin(), edits.notes.end(),
              [](const CallPathNote& a, const CallPathNote& b) { return a.callPath < b.callPath; });
    return edits;
}

std::string noteOn(const TreeEdits& edits, const CallTreeRows& rows, std::uint32_t row)
{
    const std::vector<CallPathRef> refs = callPathsOf(rows, row);
    for (const CallPathNote& note : edits.notes)
        if (std::binary_search(refs.begin(), refs.end(), note.callPath)) return note.text;
    return {};
}

}  // namespace skein
