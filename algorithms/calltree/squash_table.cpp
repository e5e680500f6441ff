// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/squash_table.h"

#include <cmath>

namespace skein {
namespace {

constexpr std::string_view kInclusiveEnd = " (inc)";

std::vector<double> sumsBelow(const CallTable& table, const std::vector<double>& exclusive)
{
    std::vector<double> sums(table.size());
    for (std::size_t node = table.size(); node-- > 0;) {
        if (!std::isnan(exclusive[node])) sums[node] += exclusive[node];
        if (table.parent(node) != CallTable::kNone) sums[table.parent(node)] += sums[node];
    }
    return sums;
}

TableColumn pickedColumn(const TableColumn& column, const std::vector<std::uint32_t>& nodes)
{
    TableColumn out{column.name, column.unit, {}, {}, column.vocabulary, column.text};
    for (const std::uint32_t node : nodes) {
        if (column.isText()) out.words.push_back(column.words[node]);
        else out.numbers.push_back(column.numbers[node]);
    }
    return out;
}

}  // namespace

SquashedTable squashTable(const CallTable& table, std::span<const std::uint8_t> selected)
{
    SquashedTable out;
    std::vector<std::uint32_t> parents,
        nearest(table.size(), CallTable::kNone);  // [node]: selected, or above it
    std::vector<std::string> names;
    std::vector<double> ids;
    for (std::uint32_t node = 0; node < table.size(); ++node) {
        const std::uint32_t above =
            table.parent(node) == CallTable::kNone ? CallTable::kNone : nearest[table.parent(node)];
        nearest[node] = selected[node] != 0 ? static_cast<std::uint32_t>(parents.size()) : above;
        if (selected[node] == 0) continue;
        parents.push_back(above);
        names.emplace_back(table.name(node));
        ids.push_back(table.nodeId(node));
        out.nodes.push_back(node);
    }
    out.table = CallTable(std::move(parents), names, std::move(ids));
    for (std::size_t i = 1; i < table.columns().size(); ++i) {
        TableColumn column = pickedColumn(table.columns()[i], out.nodes);
        const std::string_view name = column.name;
        const TableColumn* const exclusive = name.ends_with(kInclusiveEnd)
            ? table.column(name.substr(0, name.size() - kInclusiveEnd.size()))
            : nullptr;
        if (exclusive != nullptr && !exclusive->isText() && !column.isText())
            column.numbers = sumsBelow(out.table, pickedColumn(*exclusive, out.nodes).numbers);
        out.table.add(std::move(column));
    }
    return out;
}

}  // namespace skein
