// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tree_graph/tree_table_scene.h"

#include "core/base/units.h"
#include "views/common/scene/axes/value_axis.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace skein {
namespace {

TreeTable::Cell textCell(std::string text) { return {std::move(text), 0, false}; }

TreeTable::Cell numberCell(double value, const std::string& unit)
{
    if (std::isnan(value)) return textCell({});
    return {formatAmount(value, unit), value, true};
}

/// Root first; tabs and line ends would end a cell.
std::string pathText(const TreeGraph& graph, std::uint32_t node)
{
    std::vector<std::string> names;
    for (std::uint32_t at = node; at != kNoShownNode; at = graph.shown.nodes[at].parent)
        names.push_back(graph.nameOf(at));
    std::string path;
    for (auto name = names.rbegin(); name != names.rend(); ++name)
        path += (path.empty() ? "" : " → ") + *name;
    return path;
}

std::string headed(const std::string& name, const std::string& unit)
{
    return unit.empty() ? name : name + " [" + unit + "]";
}

std::string oneCell(std::string text)
{
    std::replace_if(
        text.begin(), text.end(),
        [](char letter) { return letter == '\t' || letter == '\n' || letter == '\r'; }, ' ');
    return text;
}

void addAmounts(std::vector<TreeTable::Cell>& cells, const NodeQuantity& quantity, std::uint32_t node)
{
    const double value = quantity.values[node];
    cells.push_back(numberCell(value, quantity.unit));
    const double share = quantity.whole > 0 ? 100 * value / quantity.whole : std::nan("");
    cells.push_back(numberCell(share, "%"));
}

}  // namespace

TreeTable treeTable(const TreeGraph& graph, const std::vector<std::uint32_t>& nodes)
{
    TreeTable table;
    table.header = {"Name", "Call path"};
    for (const NodeQuantity* quantity : {&graph.color, &graph.size}) {
        table.header.push_back(headed(quantity->name, quantity->unit));
        table.header.push_back(quantity->name + ", share [%]");
    }
    const std::string unit = graph.rows().time ? "ns" : std::string();
    for (const char* name : {"Inclusive", "Exclusive", "Mean of a call"})
        table.header.push_back(headed(name, unit));
    for (const char* name : {"Calls", "Maximum / mean over locations", "Most on", "Stands for"})
        table.header.emplace_back(name);
    for (const std::uint32_t node : nodes) {
        const ShownNode& shown = graph.shown.nodes[node];
        const CallTreeRow& row = graph.rows().rows[shown.row];
        const bool own = shown.kind != ShownKind::Surrogate;
        const auto ofRow = [&](double value, const std::string& in) {
            return own ? numberCell(value, in) : textCell({});
        };
        std::vector<TreeTable::Cell> cells{textCell(graph.nameOf(node)), textCell(pathText(graph, node))};
        addAmounts(cells, graph.color, node);
        addAmounts(cells, graph.size, node);
        cells.push_back(ofRow(row.values.inclusive, unit));
        cells.push_back(ofRow(row.values.exclusive, unit));
        cells.push_back(ofRow(row.values.mean().value_or(std::nan("")), unit));
        cells.push_back(ofRow(row.values.calls, {}));
        cells.push_back(ofRow(row.balance.imbalance().value_or(std::nan("")), {}));
        cells.push_back(textCell(own ? row.worst : std::string()));
        cells.push_back(numberCell(1.0 + shown.hiddenRows + shown.composed - (own ? 0 : 1), {}));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

std::string treeTableText(const TreeTable& table)
{
    std::string text;
    for (std::size_t column = 0; column < table.header.size(); ++column)
        text += (column ? "\t" : "") + oneCell(table.header[column]);
    text += "\n";
    for (const auto& row : table.rows) {
        for (std::size_t column = 0; column < row.size(); ++column)
            text += (column ? "\t" : "")
                + (row[column].isNumber ? fmt::format("{}", row[column].number) : oneCell(row[column].text));
        text += "\n";
    }
    return text;
}

}  // namespace skein
