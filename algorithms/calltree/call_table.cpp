// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/call_table.h"

#include "core/base/shown_path.h"

#include <algorithm>
#include <unordered_map>

namespace skein {

TableColumn textColumn(std::string name, std::span<const std::string> words)
{
    TableColumn column{std::move(name), "", {}, {}, {}, true};
    std::unordered_map<std::string_view, std::uint32_t> known;
    column.words.reserve(words.size());
    for (const std::string& word : words)
        column.words.push_back(
            known.try_emplace(word, static_cast<std::uint32_t>(known.size())).first->second);
    column.vocabulary.resize(known.size());
    for (const auto& [word, number] : known) column.vocabulary[number] = word;
    return column;
}

CallTable::CallTable(std::vector<std::uint32_t> parents, std::span<const std::string> names,
                     std::vector<double> nodeIds)
    : parents_(std::move(parents)), nodeIds_(std::move(nodeIds))
{
    depths_.resize(size());
    childOffsets_.assign(size() + 1, 0);
    for (std::size_t node = 0; node < size(); ++node) {
        if (parents_[node] == kNone) continue;
        depths_[node] = depths_[parents_[node]] + 1;
        greatestDepth_ = std::max(greatestDepth_, depths_[node]);
        ++childOffsets_[parents_[node] + 1];
    }
    for (std::size_t node = 0; node < size(); ++node) childOffsets_[node + 1] += childOffsets_[node];
    children_.resize(childOffsets_.back());
    std::vector<std::uint32_t> next(childOffsets_.begin(), childOffsets_.end() - 1);
    for (std::size_t node = 0; node < size(); ++node)
        if (parents_[node] != kNone) children_[next[parents_[node]]++] = static_cast<std::uint32_t>(node);
    columns_.front() = textColumn("name", names);
    if (greatestDepth_ >= kMostShownNames) findHeads();
}

void CallTable::findHeads()
{
    heads_.resize(size());
    for (std::size_t node = 0; node < size(); ++node)
        heads_[node] =
            depths_[node] < kShownAtAnEnd ? static_cast<std::uint32_t>(node) : heads_[parents_[node]];
}

const TableColumn* CallTable::column(std::string_view name) const
{
    const auto found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const TableColumn& one) { return one.name == name; });
    return found == columns_.end() ? nullptr : &*found;
}

std::vector<std::string_view> CallTable::path(std::size_t node) const
{
    return namesUp(static_cast<std::uint32_t>(node), size());
}

/// Of the node and those above it, at most so many; the highest first.
std::vector<std::string_view> CallTable::namesUp(std::uint32_t node, std::size_t most) const
{
    std::vector<std::string_view> names;
    for (std::uint32_t at = node; at != kNone && names.size() < most; at = parents_[at])
        names.push_back(name(at));
    std::reverse(names.begin(), names.end());
    return names;
}

std::vector<std::string> CallTable::shownPath(std::size_t node) const
{
    const std::size_t count = depths_[node] + std::size_t{1};
    const auto own = static_cast<std::uint32_t>(node);
    const bool whole = count <= kMostShownNames;
    const auto last = namesUp(own, whole ? count : kShownAtAnEnd);
    if (whole) return {last.begin(), last.end()};
    const auto first = namesUp(heads_[node], kShownAtAnEnd);
    std::vector<std::string> shown(first.begin(), first.end());
    shown.push_back(namesLeftOut(count - 2 * kShownAtAnEnd));
    shown.insert(shown.end(), last.begin(), last.end());
    return shown;
}

}  // namespace skein
