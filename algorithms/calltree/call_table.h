// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// A calling context tree as a table: a row a node, in preorder, with named columns of numbers and of words.
/// Queries, prunes, derived metrics and comparisons work on it, whatever archive it came from.
namespace skein {

/// One attribute of every node. Either `numbers` or `words` has an entry a node.
struct TableColumn {
    static constexpr std::uint32_t kNoWord = 0xFFFFFFFFu;

    std::string name;                     ///< as Hatchet has it: "time (inc)" beside "time"
    std::string unit;                     ///< of the numbers; "" where they have none
    std::vector<double> numbers;          ///< NaN: the node has none
    std::vector<std::uint32_t> words;     ///< index into vocabulary; kNoWord: the node has none
    std::vector<std::string> vocabulary;  ///< each word once

    bool text = false;  ///< whether words count or numbers

    bool isText() const { return text; }
    /// The node's word; empty where it has none.
    std::string_view word(std::size_t node) const
    {
        return words[node] == kNoWord ? std::string_view() : std::string_view(vocabulary[words[node]]);
    }
};

/// Makes a column of words out of a word a node.
TableColumn textColumn(std::string name, std::span<const std::string> words);

/// Immutable but for its columns; reading from several threads is safe.
class CallTable {
public:
    static constexpr std::uint32_t kNone = 0xFFFFFFFFu;

    CallTable() = default;
    /// parents[i] < i or kNone; `nodeIds` are the numbers that queries call `node_id`: empty for 0, 1, 2 …
    /// `names` is the column "name". O(nodes).
    CallTable(std::vector<std::uint32_t> parents, std::span<const std::string> names,
              std::vector<double> nodeIds = {});

    std::size_t size() const { return parents_.size(); }
    std::uint32_t parent(std::size_t node) const { return parents_[node]; }
    const std::vector<std::uint32_t>& parents() const { return parents_; }
    std::uint32_t depth(std::size_t node) const { return depths_[node]; }
    std::uint32_t greatestDepth() const { return greatestDepth_; }
    std::span<const std::uint32_t> children(std::size_t node) const
    {
        return std::span(children_).subspan(childOffsets_[node],
                                            childOffsets_[node + 1] - childOffsets_[node]);
    }
    bool isLeaf(std::size_t node) const { return childOffsets_[node] == childOffsets_[node + 1]; }
    double nodeId(std::size_t node) const
    {
        return nodeIds_.empty() ? static_cast<double>(node) : nodeIds_[node];
    }

    const std::vector<TableColumn>& columns() const { return columns_; }
    const TableColumn& names() const { return columns_.front(); }
    std::string_view name(std::size_t node) const { return columns_.front().word(node); }
    /// nullptr where there is none.
    const TableColumn* column(std::string_view name) const;
    void add(TableColumn column) { columns_.push_back(std::move(column)); }

    /// The names from the root to the node. O(depth).
    std::vector<std::string_view> path(std::size_t node) const;
    /// The same to be shown to people: a long one is shortened as core/base/shown_path.h says. O(names
    /// shown).
    std::vector<std::string> shownPath(std::size_t node) const;

private:
    void findHeads();
    std::vector<std::string_view> namesUp(std::uint32_t node, std::size_t most) const;

    /// The node at the end of what is shown of the beginning of a long path; empty where no path is long.
    std::vector<std::uint32_t> heads_;
    std::vector<std::uint32_t> parents_, depths_, childOffsets_{0}, children_;
    std::vector<double> nodeIds_;
    std::vector<TableColumn> columns_{TableColumn{"name", "", {}, {}, {}, true}};
    std::uint32_t greatestDepth_ = 0;
};

}  // namespace skein
