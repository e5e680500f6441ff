// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/squash_table.h"

#include <cmath>
#include <limits>
#include <map>
#include <tuple>

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

/// Which node of the new table each node went to; kNone where it is not selected.
struct SquashPlan {
    std::vector<std::uint32_t> placed;   ///< [old node]
    std::vector<std::uint32_t> parents;  ///< [new node]
    std::vector<std::uint32_t> firsts;   ///< [new node]: the first old one
};

SquashPlan squashPlan(const CallTable& table, std::span<const std::uint8_t> selected)
{
    const TableColumn* const type = table.column("type");
    SquashPlan plan;
    plan.placed.assign(table.size(), CallTable::kNone);
    std::vector<std::uint32_t> nearest(table.size(),
                                       CallTable::kNone);  // selected node at or above, in new numbers
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>, std::uint32_t> known;
    for (std::uint32_t node = 0; node < table.size(); ++node) {
        const std::uint32_t above =
            table.parent(node) == CallTable::kNone ? CallTable::kNone : nearest[table.parent(node)];
        nearest[node] = above;
        if (selected[node] == 0) continue;
        const std::uint32_t kind = type != nullptr && type->isText() ? type->words[node] : 0;
        const auto [at, added] = known.try_emplace({above, table.names().words[node], kind},
                                                   static_cast<std::uint32_t>(plan.parents.size()));
        nearest[node] = plan.placed[node] = at->second;
        if (!added) continue;
        plan.parents.push_back(above);
        plan.firsts.push_back(node);
    }
    return plan;
}

TableColumn squashedColumn(const TableColumn& column, const SquashPlan& plan)
{
    TableColumn out{column.name, column.unit, {}, {}, column.vocabulary, column.text};
    for (const std::uint32_t first : plan.firsts)
        if (column.isText()) out.words.push_back(column.words[first]);
    if (column.isText()) return out;
    out.numbers.assign(plan.firsts.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t node = 0; node < plan.placed.size(); ++node) {
        if (plan.placed[node] == CallTable::kNone || std::isnan(column.numbers[node])) continue;
        double& sum = out.numbers[plan.placed[node]];
        sum = std::isnan(sum) ? column.numbers[node] : sum + column.numbers[node];
    }
    return out;
}

}  // namespace

SquashedTable squashTable(const CallTable& table, std::span<const std::uint8_t> selected)
{
    const SquashPlan plan = squashPlan(table, selected);
    std::vector<std::string> names;
    std::vector<double> ids;
    for (const std::uint32_t node : plan.firsts) {
        names.emplace_back(table.name(node));
        ids.push_back(table.nodeId(node));
    }
    SquashedTable out{CallTable(plan.parents, names, std::move(ids)), plan.firsts};
    for (std::size_t i = 1; i < table.columns().size(); ++i) {
        TableColumn column = squashedColumn(table.columns()[i], plan);
        const std::string_view name = column.name;
        const TableColumn* const exclusive = name.ends_with(kInclusiveEnd)
            ? table.column(name.substr(0, name.size() - kInclusiveEnd.size()))
            : nullptr;
        if (exclusive != nullptr && !exclusive->isText() && !column.isText())
            column.numbers = sumsBelow(out.table, squashedColumn(*exclusive, plan).numbers);
        out.table.add(std::move(column));
    }
    return out;
}

}  // namespace skein
