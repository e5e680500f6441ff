// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene/tree/row_query.h"

#include "algorithms/calltree/measured_table.h"
#include "core/definitions/definitions.h"
#include "core/select/metric_choice.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace skein {
namespace {

constexpr double kNsPerSecond = 1e9;
constexpr std::size_t kMostCompletions = 200;

std::string queriedMetricName(const Session& session, const CallTreeRows& rows, MetricRef metric)
{
    if (!rows.insteadOfTime.empty()) return rows.insteadOfTime;
    if (!metric.valid() || metric == kCallsMetric) return "time";
    for (const MetricChoice& choice : metricChoices(session))
        if (choice.metric == metric) return choice.name;
    return "time";
}

bool isBlank(const std::string& text)
{
    return std::all_of(text.begin(), text.end(),
                       [](char letter) { return std::isspace(static_cast<unsigned char>(letter)); });
}

TableColumn numberColumn(std::string name, std::string unit, std::vector<double> numbers)
{
    TableColumn column;
    column.name = std::move(name);
    column.unit = std::move(unit);
    column.numbers = std::move(numbers);
    return column;
}

void addAmountColumns(QueriedRows& queried, const Session& session, const CallTreeRows& rows,
                      MetricRef metric)
{
    std::vector<double> calls, exclusive, inclusive;
    const double scale = rows.time ? 1.0 / kNsPerSecond : 1.0;
    for (const std::uint32_t row : queried.rowOf) {
        const ProfileValues& values = rows.rows[row].values;
        calls.push_back(values.calls);
        exclusive.push_back(values.exclusive * scale);
        inclusive.push_back(values.inclusive * scale);
    }
    queried.table.add(numberColumn("calls", "", std::move(calls)));
    if (metric == kCallsMetric) return;
    const std::string name = queriedMetricName(session, rows, metric), unit = rows.time ? "s" : "";
    queried.table.add(numberColumn(name, unit, std::move(exclusive)));
    queried.table.add(numberColumn(name + " (inc)", unit, std::move(inclusive)));
}

void addSourceColumns(QueriedRows& queried, const Session& session, const CallTreeRows& rows)
{
    std::vector<NodeRegion> regions;
    for (const std::uint32_t row : queried.rowOf) {
        const CallTreeRow& one = rows.rows[row];
        const Definitions& definitions = session.experiments[one.experiment]->definitions;
        regions.push_back(
            {&definitions, one.regions.empty() ? nullptr : &definitions.region(one.regions.front())});
    }
    addRegionColumns(queried.table, regions);
}

/// The part of the text that is being typed: behind the last quote that opens, and whether there is one.
std::pair<std::size_t, bool> openQuote(const std::string& text)
{
    std::size_t begin = 0;
    bool open = false;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] != '"') continue;
        open = !open;
        begin = at + 1;
    }
    return {begin, open};
}

/// Behind `n."`: an attribute; behind a comparison: a name; behind `(`: a quantifier.
bool wantsAttribute(const std::string& text, std::size_t quote)
{
    return quote >= 2 && text[quote - 2] == '.';
}

}  // namespace

QueriedRows tableOfRows(const Session& session, const CallTreeRows& rows, MetricRef metric)
{
    QueriedRows queried;
    std::vector<std::uint32_t> parents;
    std::vector<std::string> names;
    std::vector<std::uint32_t> nodeOf(rows.rows.size(), CallTable::kNone);
    for (std::uint32_t row = 0; row < rows.rows.size(); ++row) {
        const CallTreeRow& one = rows.rows[row];
        if (one.callPaths.empty() && one.regions.empty()) continue;
        nodeOf[row] = static_cast<std::uint32_t>(parents.size());
        parents.push_back(one.parent < 0 ? CallTable::kNone : nodeOf[static_cast<std::size_t>(one.parent)]);
        names.push_back(one.name);
        queried.rowOf.push_back(row);
    }
    queried.table = CallTable(std::move(parents), names);
    addAmountColumns(queried, session, rows, metric);
    addSourceColumns(queried, session, rows);
    return queried;
}

tl::expected<RowsFound, TextProblem> findRows(const std::string& query, const QueriedRows& queried,
                                              std::size_t rows, const Task& task)
{
    RowsFound result;
    if (isBlank(query)) {
        result.found.assign(rows, 1);
        result.count = queried.rowOf.size();
        return result;
    }
    const ParsedQuery parsed = parseTreeQuery(query);
    if (!parsed) return tl::make_unexpected(parsed.error());
    const QueryOutcome outcome = runTreeQuery(*parsed, queried.table, QuerySemantics::Hatchet, task);
    if (!outcome) return tl::make_unexpected(outcome.error());
    result.found.assign(rows, 0);
    for (std::size_t node = 0; node < queried.rowOf.size(); ++node)
        result.found[queried.rowOf[node]] = outcome->selected[node];
    result.count = outcome->count();
    for (const QueryNote& note : outcome->notes)
        result.notes.push_back(
            fmt::format("{}  {}", note.message, query.substr(note.begin, note.end - note.begin)));
    return result;
}

SetQuery queryOfRows(const QueriedRows& queried, const std::vector<std::uint32_t>& rows)
{
    std::vector<std::uint8_t> selected(queried.rowOf.size(), 0);
    for (std::size_t node = 0; node < selected.size(); ++node)
        selected[node] = std::binary_search(rows.begin(), rows.end(), queried.rowOf[node]);
    return queryOfSet(queried.table, selected);
}

std::vector<std::string> queryCompletions(const QueriedRows& queried, const std::string& typed)
{
    std::vector<std::string> whole;
    const auto offer = [&](std::size_t from, const std::string& words) {
        if (whole.size() < kMostCompletions && words.starts_with(typed.substr(from)))
            whole.push_back(typed.substr(0, from) + words);
    };
    const auto [quote, open] = openQuote(typed);
    if (open && wantsAttribute(typed, quote)) {
        for (const TableColumn& column : queried.table.columns()) offer(quote, column.name + "\"");
        offer(quote, "depth\"");
        offer(quote, "node_id\"");
    } else if (open) {
        for (const std::string& name : queried.table.names().vocabulary) offer(quote, name + "\"");
    } else {
        offer(0, "MATCH (\"*\")->(n) WHERE n.\"name\" = \"");
        for (const char* words :
             {"=", "STARTS WITH \"", "ENDS WITH \"", "CONTAINS \"", "=~ \"", "IS LEAF", "IS NONE",
              "IS NOT NONE", "IS NAN", "IS INF", "AND n.\"", "OR n.\"", "AND NOT n.\"", "WHERE n.\""})
            if (typed.ends_with(' ')) offer(typed.size(), words);
    }
    return whole;
}

}  // namespace skein
