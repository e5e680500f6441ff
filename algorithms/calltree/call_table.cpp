// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/call_table.h"

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
}

const TableColumn* CallTable::column(std::string_view name) const
{
    const auto found = std::find_if(columns_.begin(), columns_.end(),
                                    [&](const TableColumn& one) { return one.name == name; });
    return found == columns_.end() ? nullptr : &*found;
}

std::vector<std::string_view> CallTable::path(std::size_t node) const
{
    std::vector<std::string_view> names;
    for (std::uint32_t at = static_cast<std::uint32_t>(node); at != kNone; at = parents_[at])
        names.push_back(name(at));
    std::reverse(names.begin(), names.end());
    return names;
}

}  // namespace skein
