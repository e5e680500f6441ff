// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/calltree/joint_tree.h"
#include "algorithms/calltree/measured_table.h"
#include "algorithms/calltree/metric_expression.h"
#include "algorithms/calltree/run_query.h"
#include "algorithms/calltree/set_query.h"
#include "algorithms/calltree/squash_table.h"
#include "app/cli/arguments.h"
#include "app/cli/commands.h"
#include "app/cli/open_session.h"
#include "app/cli/output/text.h"

#include <cmath>
#include <fmt/format.h>
#include <set>

namespace skein::cli {
namespace {

struct QueryOptions {
    std::string path;
    std::string query;
    std::string window;
    QueryDialect dialect = QueryDialect::Detect;
    QuerySemantics semantics = QuerySemantics::Hatchet;
    bool squash = false;
    bool asQuery = false;
    Format format = Format::Table;
};

void collectAttributes(const TreeQuery& query, std::set<std::string>& out)
{
    for (const QueryNode& node : query.path)
        for (const QueryCondition& condition : node.conditions)
            if (condition.test != QueryTest::IsLeaf) out.insert(condition.attribute);
    for (const TreeQuery& part : query.parts) collectAttributes(part, out);
}

/// Attributes that are no columns and can be worked out of metrics: n."imbalance(time)" > 2
void addDerivedColumns(MeasuredTable& measured, const TreeQuery& query)
{
    std::set<std::string> attributes;
    collectAttributes(query, attributes);
    for (const std::string& attribute : attributes) {
        if (attribute == "depth" || attribute == "node_id" || measured.table.column(attribute) != nullptr)
            continue;
        const auto expression = MetricExpression::parse(attribute);
        if (!expression) continue;
        auto derived = expression->evaluate(measured);
        if (derived)
            measured.table.add({attribute, derived->unit, std::move(derived->values), {}, {}, false});
    }
}

/// The same for a file of Hatchet's, whose nodes stay as they are: what is worked out of the archive is found
/// by call path.
Result<void> addDerivedOfGraph(CallTable& table, const Experiment& experiment, const TreeQuery& query,
                               const QueryOptions& options, const Task& task)
{
    std::set<std::string> attributes;
    collectAttributes(query, attributes);
    std::erase_if(attributes, [&](const std::string& attribute) {
        return attribute == "depth" || attribute == "node_id" || table.column(attribute) != nullptr
            || !MetricExpression::parse(attribute);
    });
    if (attributes.empty()) return {};
    const auto measured = measuredTable(experiment, {}, {options.query, true}, task);
    if (!measured) return tl::make_unexpected(measured.error());
    const JointTree joint = joinTrees({&table, &measured->table});
    ExpressionRun run{"a", &*measured, std::vector<std::uint32_t>(table.size(), CallTable::kNone)};
    for (std::size_t node = 0; node < joint.table.size(); ++node)
        if (joint.inAll(node)) run.nodeOf[joint.nodeOf[0][node]] = joint.nodeOf[1][node];
    for (const std::string& attribute : attributes)
        if (auto derived = MetricExpression::parse(attribute)->evaluate({run}, table.size()))
            table.add({attribute, derived->unit, std::move(derived->values), {}, {}, false});
    return {};
}

/// The table of an archive; a file of Hatchet's with all its attributes as they are.
Result<CallTable> queriedTable(const OpenSession& opened, const TreeQuery& query, const QueryOptions& options,
                               const Task& task)
{
    const Experiment& experiment = *opened.session.experiments.front();
    if (experiment.importer == "hatchet") {
        ImportReport told;
        auto graph = hatchet::readGraph(experiment.path, told, task);
        if (!graph) return tl::make_unexpected(std::move(graph.error()));
        CallTable table = tableOfGraph(*graph);
        if (auto added = addDerivedOfGraph(table, experiment, query, options, task); !added)
            return tl::make_unexpected(std::move(added.error()));
        return table;
    }
    const auto window = windowOf(opened, 0, options.window);
    if (!window) return tl::make_unexpected(window.error());
    auto measured = measuredTable(experiment, {*window, {}}, {options.query, true}, task);
    if (!measured) return tl::make_unexpected(std::move(measured.error()));
    addDerivedColumns(*measured, query);
    return std::move(measured->table);
}

/// In tables names are spelled as in other tables, without positions in the source.
std::string joinedPath(const CallTable& table, std::size_t node, Format format)
{
    std::string text;
    for (const std::string& name : table.shownPath(node))
        text +=
            (text.empty() ? "" : " => ") + std::string(format == Format::Table ? comparedName(name) : name);
    return text;
}

Cell attributeCell(const TableColumn& column, std::size_t node)
{
    if (column.isText()) return std::string(column.word(node));
    return column.numbers[node];
}

std::string jsonNumber(double value)
{
    if (!std::isfinite(value)) return "null";
    constexpr double kLargestWholeNumber = 9007199254740992.0;
    if (std::fabs(value) <= kLargestWholeNumber && value == std::floor(value))
        return fmt::format("{}", static_cast<std::int64_t>(value));
    return fmt::format("{}", value);
}

void appendMember(std::string& out, std::string_view key, const TableColumn& column, std::size_t node)
{
    appendJson(out, key);
    out += ": ";
    if (column.isText()) appendJson(out, column.word(node));
    else out += jsonNumber(column.numbers[node]);
}

/// {"path": […], "name": …, "node_id": …, "depth": …, each attribute, and "metrics": those that are numbers}
std::string jsonNode(const CallTable& table, const CallTable& names, std::size_t node, std::size_t pathNode)
{
    std::string out = "{\"path\": [";
    bool first = true;
    for (const std::string& name : names.shownPath(pathNode)) {
        if (!first) out += ", ";
        first = false;
        appendJson(out, name);
    }
    out +=
        fmt::format("], \"node_id\": {}, \"depth\": {}", jsonNumber(table.nodeId(node)), table.depth(node));
    for (const TableColumn& column : table.columns()) {
        if (column.name == "path" || column.name == "metrics" || column.name == "node_id"
            || column.name == "depth")
            continue;
        out += ", ";
        appendMember(out, column.name, column, node);
    }
    out += ", \"metrics\": {";
    first = true;
    for (const TableColumn& column : table.columns()) {
        if (column.isText()) continue;
        if (!first) out += ", ";
        first = false;
        appendMember(out, column.name, column, node);
    }
    return out + "}}";
}

/// Nodes of `shown`, which is the table itself or what is left of it; `original` tells which they were.
void writeJsonNodes(const CallTable& table, const CallTable& shown,
                    const std::vector<std::uint32_t>& original, const std::vector<std::uint32_t>& rows,
                    Sink& out)
{
    out.write("[");
    for (std::size_t i = 0; i < rows.size() && out.open(); ++i) {
        out.write(i == 0 ? "\n  " : ",\n  ");
        out.write(jsonNode(shown, table, rows[i], original[rows[i]]));
    }
    out.write(rows.empty() ? "]\n" : "\n]\n");
}

void writeNodeRows(const CallTable& shown, const std::vector<std::uint32_t>& rows, Format format, Sink& out)
{
    std::vector<Field> fields{{"node_id", "Node", FieldKind::Id}, {"depth", "Depth", FieldKind::Id}};
    const bool table = format == Format::Table;
    for (const TableColumn& column : shown.columns()) {
        if (column.name == "name" || column.name == "path" || (table && column.isText())) continue;
        const std::string title =
            column.unit.empty() ? column.name : fmt::format("{} ({})", column.name, column.unit);
        fields.push_back({column.name, title, column.isText() ? FieldKind::Text : FieldKind::Number});
    }
    fields.push_back({"path", "Call path", FieldKind::Text});
    RecordWriter writer(out, format, fields);
    for (const std::uint32_t row : rows) {
        std::vector<Cell> cells{shown.nodeId(row), std::uint64_t{shown.depth(row)}};
        for (const TableColumn& column : shown.columns())
            if (column.name != "name" && column.name != "path" && !(table && column.isText()))
                cells.push_back(attributeCell(column, row));
        cells.emplace_back(joinedPath(shown, row, format));
        if (!writer.row(cells)) return;
    }
    writer.finish();
}

void tellMatch(const QueryOptions& options, const QueryMatch& match, Sink& err)
{
    for (const QueryNote& note : match.notes) {
        err.write(fmt::format("skein-cli: {} It stands here:\n", printable(note.message)));
        err.write(pointedAt({"", note.begin, note.end}, options.query) + "\n");
    }
    const std::size_t count = match.count();
    err.write(fmt::format("skein-cli: {} of {} nodes match.\n", count, match.selected.size()));
}

Unexpected refusedQuery(const QueryOptions& options, const TextProblem& problem, Sink& err)
{
    if (problem.message.empty()) return cancelled();
    err.write(pointedAt(problem, options.query) + "\n");
    return fail(ErrorCode::InvalidArgument, sentenceOf(problem, options.query));
}

void writeMatch(const CallTable& table, const QueryMatch& match, const QueryOptions& options, Sink& out)
{
    std::vector<std::uint32_t> all(table.size()), rows;
    for (std::uint32_t node = 0; node < table.size(); ++node) all[node] = node;
    if (options.squash) {
        const SquashedTable squashed = squashTable(table, match.selected);
        rows.assign(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(squashed.nodes.size()));
        if (options.format == Format::Json) {
            std::vector<std::uint32_t> itself = rows;
            writeJsonNodes(squashed.table, squashed.table, itself, rows, out);
        } else writeNodeRows(squashed.table, rows, options.format, out);
        return;
    }
    for (const std::uint32_t node : all)
        if (match.selected[node] != 0) rows.push_back(node);
    if (options.format == Format::Json) writeJsonNodes(table, table, all, rows, out);
    else writeNodeRows(table, rows, options.format, out);
}

void writeAsQuery(const SetQuery& query, const Invocation& invocation)
{
    if (!query.exact)
        invocation.err.write(
            "skein-cli: some siblings of one name match and others do not: names cannot tell them "
            "apart, and the query finds all of them.\n");
    if (!query.hatchet)
        invocation.err.write("skein-cli: the query has braces in braces or escapes that only Skein reads.\n");
    invocation.out.write(query.text + "\n");
}

Result<ExitCode> query(const QueryOptions& options, const Invocation& invocation)
{
    const auto parsed = parseTreeQuery(options.query, options.dialect);
    if (!parsed) return refusedQuery(options, parsed.error(), invocation.err);
    const auto opened = openSession({options.path}, invocation);
    if (!opened) return tl::make_unexpected(opened.error());
    const auto table = queriedTable(*opened, *parsed, options, invocation.task);
    if (!table) return tl::make_unexpected(table.error());
    const auto match = runTreeQuery(*parsed, *table, options.semantics, invocation.task);
    if (!match) return refusedQuery(options, match.error(), invocation.err);
    invocation.task.report(1.0, "");
    tellMatch(options, *match, invocation.err);
    if (options.asQuery) writeAsQuery(queryOfSet(*table, match->selected), invocation);
    else writeMatch(*table, *match, options, invocation.out);
    return opened->exitCode();
}

Action defineQuery(CommandLine& line)
{
    auto options = std::make_shared<QueryOptions>();
    line.option("PATH", options->path, "An archive, or JSON that Hatchet wrote").required();
    line.option("QUERY", options->query,
                "Which nodes of the call tree: MATCH …, or JSON of the object dialect")
        .required();
    addChoice<QueryDialect>(line, "--dialect", options->dialect,
                            {{"string", QueryDialect::String}, {"object", QueryDialect::Object}},
                            "The dialect of QUERY; by its first character where this is not given");
    addChoice<QuerySemantics>(
        line, "--semantics", options->semantics,
        {{"hatchet", QuerySemantics::Hatchet}, {"declarative", QuerySemantics::Declarative}},
        "How * is read: as Hatchet does, the default, or as all paths that match");
    line.flag("--squash", options->squash, "What is left as a tree: inclusive metrics are summed up again");
    line.flag("--as-query", options->asQuery, "Print a query by call paths that finds the same nodes again");
    addWindow(line, options->window);
    addFormat(line, options->format);
    return [options](const Invocation& invocation) { return query(*options, invocation); };
}

}  // namespace

Command queryCommand()
{
    return {
        "query", "Nodes of the call tree that a query in Hatchet's language finds",
        "  skein-cli query trace.otf2 'MATCH (\"*\")->(n) WHERE n.\"name\" STARTS WITH \"MPI_\"'\n"
        "  skein-cli query profile.cubex 'MATCH (n) WHERE n.\"time\" > 0.5' --format json\n"
        "  skein-cli query literal.json '[{\"name\": \"main\"}, \"*\", {\"time (inc)\": \"> 10\"}]'\n"
        "  skein-cli query run1/ 'MATCH (n) WHERE n.\"calls\" > 1000' --as-query\n"
        "\n"
        "Attributes are name, group, file, line, calls, depth, node_id, and of every metric M its exclusive\n"
        "amount M and its inclusive amount M (inc), summed over locations. The time is called time and is "
        "in\n"
        "seconds. Files of Hatchet have the attributes that they have. docs/QUERIES.md tells the language.\n",
        defineQuery};
}

}  // namespace skein::cli
