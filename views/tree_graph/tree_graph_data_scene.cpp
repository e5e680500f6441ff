// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/units.h"
#include "core/definitions/definitions.h"
#include "core/select/metric_choice.h"
#include "core/select/translate.h"
#include "views/common/scene/axes/value_axis.h"
#include "views/common/scene/tree/row_query.h"
#include "views/tree_graph/tree_graph_scene.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <numeric>

namespace skein {
namespace {

constexpr double kBetweenTrees = 1.5;  ///< rows
constexpr double kBetweenCousins = 1.25;
constexpr std::size_t kCallersInTooltip = 6;

double orLowest(double value) { return std::isnan(value) ? -std::numeric_limits<double>::infinity() : value; }

void widen(std::pair<double, double>& range, double value)
{
    if (!std::isfinite(value)) return;
    range.first = std::min(range.first, value);
    range.second = std::max(range.second, value);
}

std::pair<double, double> settled(std::pair<double, double> range)
{
    return range.first > range.second ? std::pair{0.0, 0.0} : range;
}

/// Amounts add up to a whole only where a root's amount holds those below.
double wholeOf(const ShownTree& shown, const NodeQuantity& quantity, Combining combining)
{
    double whole = 0.0;
    if (combining == Combining::Largest) return whole;
    for (std::size_t node = 0; node < shown.nodes.size(); ++node) {
        const bool counts = combining == Combining::Sum || shown.nodes[node].parent == kNoShownNode;
        if (counts && std::isfinite(quantity.values[node])) whole += quantity.values[node];
    }
    return whole;
}

/// The same far to both sides of 0, so that equal changes have equally strong colours.
void aroundZero(NodeQuantity& quantity)
{
    const auto reach = [](double least, double greatest) { return std::max(-least, greatest); };
    const double all = reach(quantity.least, quantity.greatest);
    quantity.least = -all;
    quantity.greatest = all;
    for (auto& [least, greatest] : quantity.ofTree) {
        const double own = reach(least, greatest);
        least = -own;
        greatest = own;
    }
}

NodeQuantity nodeQuantity(const ShownTree& shown, const RowQuantity& rows)
{
    NodeQuantity quantity;
    quantity.values = valuesOfNodes(shown, rows.values, rows.combining);
    quantity.name = rows.name;
    quantity.unit = rows.unit;
    constexpr double kFar = std::numeric_limits<double>::infinity();
    std::pair<double, double> all{kFar, -kFar};
    quantity.ofTree.assign(shown.trees.size(), all);
    for (std::size_t node = 0; node < shown.nodes.size(); ++node) {
        widen(all, quantity.values[node]);
        widen(quantity.ofTree[shown.nodes[node].tree], quantity.values[node]);
    }
    std::tie(quantity.least, quantity.greatest) = settled(all);
    for (auto& range : quantity.ofTree) range = settled(range);
    quantity.isDifference = rows.isDifference;
    if (rows.isDifference) aroundZero(quantity);
    quantity.whole = wholeOf(shown, quantity, rows.combining);
    return quantity;
}

/// Numbers groupedByKey by key: offsets and the numbers in their order.
std::pair<std::vector<std::uint32_t>, std::vector<std::uint32_t>> groupedByKey(
    const std::vector<std::uint32_t>& keys, std::size_t groups)
{
    std::vector<std::uint32_t> offsets(groups + 1, 0), members;
    for (const std::uint32_t key : keys)
        if (key < groups) ++offsets[key + 1];
    std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
    members.resize(offsets.back());
    std::vector<std::uint32_t> next(offsets.begin(), offsets.end() - 1);
    for (std::uint32_t number = 0; number < keys.size(); ++number)
        if (keys[number] < groups) members[next[keys[number]]++] = number;
    return {std::move(offsets), std::move(members)};
}

void linkNodes(TreeGraph& graph)
{
    const std::size_t count = graph.shown.nodes.size();
    std::tie(graph.childOffsets, graph.children) = groupedByKey(graph.shown.parents(), count);
    std::tie(graph.levelOffsets, graph.levelNodes) = groupedByKey(graph.layout.depth, graph.layout.levels);
    for (std::uint32_t depth = 0; depth < graph.layout.levels; ++depth)
        std::stable_sort(graph.levelNodes.begin() + graph.levelOffsets[depth],
                         graph.levelNodes.begin() + graph.levelOffsets[depth + 1],
                         [&](std::uint32_t a, std::uint32_t b) {
                             return graph.layout.across[a] < graph.layout.across[b];
                         });
    for (const std::uint32_t node : graph.levelNodes) graph.levelAcross.push_back(graph.layout.across[node]);
    graph.byValue.resize(count);
    std::iota(graph.byValue.begin(), graph.byValue.end(), 0u);
    const auto weightOf = [&](std::uint32_t node) {
        const double value = graph.color.values[node];
        return orLowest(graph.color.isDifference ? std::fabs(value) : value);
    };
    std::stable_sort(graph.byValue.begin(), graph.byValue.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return weightOf(a) > weightOf(b); });
    for (const std::uint32_t node : graph.byValue) graph.placesByValue.push_back(graph.placeOf(node));
    std::vector<std::uint32_t> rankOf(count);
    for (std::uint32_t rank = 0; rank < count; ++rank) rankOf[graph.byValue[rank]] = rank;
    for (const std::uint32_t node : graph.levelNodes) graph.levelRanks.push_back(rankOf[node]);
}

void findNotes(TreeGraph& graph)
{
    for (const CallPathNote& note : graph.edits.notes) {
        const std::int64_t row = graph.rows().rowOf(note.callPath.experiment, note.callPath.id);
        if (row < 0) continue;
        const std::uint32_t node = graph.shown.nodeOf[static_cast<std::size_t>(row)];
        if (node != kNoShownNode) graph.notes.emplace_back(node, note.text);
    }
    std::stable_sort(graph.notes.begin(), graph.notes.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
}

std::optional<std::uint32_t> rowOfRoot(const CallTreeRows& rows, const std::optional<CallPathRef>& root)
{
    if (!root) return std::nullopt;
    const std::int64_t row = rows.rowOf(root->experiment, root->id);
    return row < 0 ? std::nullopt : std::optional(static_cast<std::uint32_t>(row));
}

std::string amountLine(const NodeQuantity& quantity, std::uint32_t node)
{
    const double value = quantity.values[node];
    if (std::isnan(value)) return quantity.name + ": not known";
    std::string line = quantity.name + ": " + formatAmount(value, quantity.unit);
    if (quantity.whole > 0) line += fmt::format(" ({:.3g} % of all)", 100 * value / quantity.whole);
    return line;
}

void addHidden(std::vector<std::string>& lines, const TreeGraph& graph, std::uint32_t node)
{
    const ShownNode& shown = graph.shown.nodes[node];
    if (shown.kind != ShownKind::Call)
        lines.push_back(fmt::format(
            "Stands for {} pruned call paths in {} subtree{}: exclusive amounts are their sum, inclusive "
            "ones {}, ratios and extremes the greatest",
            formatGrouped(shown.hiddenRows), formatGrouped(shown.hiddenRoots),
            shown.hiddenRoots == 1 ? "" : "s",
            shown.kind == ShownKind::Collapsed ? "its own" : "those of the subtrees' roots"));
    if (shown.composed > 0)
        lines.push_back(fmt::format("Composed with {} call path{} below it, whose exclusive amounts it has",
                                    formatGrouped(shown.composed), shown.composed == 1 ? "" : "s"));
}

/// Both runs, and how they are related.
void addCompared(std::vector<std::string>& lines, const TreeGraph& graph, std::uint32_t row)
{
    const ComparedRows& compared = *graph.sums->compared;
    const auto line = [&](const char* what, const ChangeEstimate& change) {
        std::string text = fmt::format("{}: A {}, B {}", what, formatAmount(change.a, compared.unit),
                                       formatAmount(change.b, compared.unit));
        if (change.a != 0) text += fmt::format(" ({:+.1f} %)", 100 * change.difference() / change.a);
        lines.push_back(text);
    };
    line("Inclusive", compared.inclusive[row]);
    line("Exclusive", compared.exclusive[row]);
    const ChangeVerdict verdict = compared.verdicts[row];
    if (verdict == ChangeVerdict::OnlyA) lines.push_back("Only A has it: " + compared.titleA);
    if (verdict == ChangeVerdict::OnlyB) lines.push_back("Only B has it: " + compared.titleB);
}

void addLocations(std::vector<std::string>& lines, const CallTreeRow& row)
{
    const auto imbalance = row.balance.imbalance();
    if (!imbalance || row.worst.empty()) return;
    lines.push_back(fmt::format("Locations: maximum / mean {:.3g}, most on {}", *imbalance, row.worst));
}

std::string callersOf(const TreeGraph& graph, std::uint32_t node)
{
    std::string text;
    std::size_t names = 0;
    for (std::uint32_t at = graph.shown.nodes[node].parent; at != kNoShownNode;
         at = graph.shown.nodes[at].parent) {
        if (++names > kCallersInTooltip) return text + " ← …";
        text += (text.empty() ? "called by " : " ← ") + foldedName(graph.nameOf(at));
    }
    return text;
}

bool isDerived(const TreeQuantity& quantity)
{
    return quantity.amount == TreeAmount::Derived && !quantity.expression.empty();
}

/// What the two runs have of an amount, NaN where one does not have the row.
struct ComparedAmounts {
    RowQuantity a, b, difference, larger;
};

ComparedAmounts comparedAmounts(const ComparedRows& compared, const std::string& name, bool exclusive)
{
    ComparedAmounts out;
    const auto& changes = exclusive ? compared.exclusive : compared.inclusive;
    for (std::size_t row = 0; row < changes.size(); ++row) {
        const double unknown = std::numeric_limits<double>::quiet_NaN();
        const ChangeVerdict verdict = compared.verdicts[row];
        out.a.values.push_back(verdict == ChangeVerdict::OnlyB ? unknown : changes[row].a);
        out.b.values.push_back(verdict == ChangeVerdict::OnlyA ? unknown : changes[row].b);
        out.difference.values.push_back(changes[row].difference());
        out.larger.values.push_back(std::max(changes[row].a, changes[row].b));
    }
    for (RowQuantity* quantity : {&out.a, &out.b, &out.difference, &out.larger}) {
        quantity->unit = compared.unit;
        quantity->combining = exclusive ? Combining::Sum : Combining::RowOnly;
    }
    out.a.name = "A, " + compared.titleA + ": " + name;
    out.b.name = "B, " + compared.titleB + ": " + name;
    out.difference.name = "B − A: " + name;
    out.larger.name = name + ", the larger of A and B";
    out.difference.isDifference = true;
    return out;
}

/// The same of an expression; of one that names both runs its values, wherever A, B or both are shown.
ComparedAmounts derivedAmounts(const std::vector<DerivedColumn>& columns)
{
    ComparedAmounts out;
    const DerivedColumn &a = columns.front(), &b = columns.back();
    out.a = {a.values, a.unit, a.expression};
    out.b = {b.values, b.unit, b.expression};
    if (columns.size() == 1) {
        out.difference = out.larger = out.a;
        return out;
    }
    out.difference.isDifference = true;
    out.difference.name = fmt::format("{} − {}", b.expression, a.expression);
    out.larger.name = fmt::format("the larger of {} and {}", a.expression, b.expression);
    out.difference.unit = out.larger.unit = a.unit;
    for (std::size_t row = 0; row < a.values.size(); ++row) {
        out.difference.values.push_back(b.values[row] - a.values[row]);
        out.larger.values.push_back(std::fmax(a.values[row], b.values[row]));
    }
    return out;
}

}  // namespace

std::string TreeGraph::nameOf(std::uint32_t node) const
{
    const ShownNode& one = shown.nodes[node];
    if (one.kind == ShownKind::Surrogate) return fmt::format("{} pruned", formatGrouped(one.hiddenRows));
    const CallTreeRow& row = rows().rows[one.row];
    if (row.regions.empty()) return row.name;
    return displayName(sums->session->experiments[row.experiment]->definitions.region(row.regions.front()));
}

Result<TreeGraphSumsPtr> sumUpCompared(SessionPtr session, const TreeGraphRequest& request, const Task& task)
{
    auto sums = std::make_shared<TreeGraphSums>();
    sums->session = std::move(session);
    const MetricRef metric = request.color.amount == TreeAmount::Calls ? kCallsMetric : request.color.metric;
    auto compared = makeComparedRows(
        *sums->session,
        {*request.compared, metric, request.query.filters, request.query.clockShiftsNs, false, false,
         isDerived(request.color) ? request.color.expression : request.size.expression},
        task);
    if (!compared) return tl::make_unexpected(compared.error());
    sums->compared = std::move(*compared);
    sums->rows = sums->compared->rows;
    const auto isOwn = [](const TreeQuantity& quantity) { return quantity.amount == TreeAmount::Exclusive; };
    const auto nameOf = [&](const TreeQuantity& quantity) {
        const TreeQuantity of{metric, isOwn(quantity) ? TreeAmount::Exclusive : TreeAmount::Inclusive};
        return metric == kCallsMetric ? std::string("Calls") : quantityName(*sums->session, of);
    };
    const auto amounts = [&](const TreeQuantity& wanted) {
        return isDerived(wanted) ? derivedAmounts(sums->compared->derived)
                                 : comparedAmounts(*sums->compared, nameOf(wanted), isOwn(wanted));
    };
    ComparedAmounts color = amounts(request.color), size = amounts(request.size);
    sums->color = std::move(color.difference);
    sums->colorA = std::move(color.a);
    sums->colorB = std::move(color.b);
    sums->size = std::move(size.larger);
    sums->sizeA = std::move(size.a);
    sums->sizeB = std::move(size.b);
    return TreeGraphSumsPtr(std::move(sums));
}

/// Both begin and end where the other does.
void shareScales(NodeQuantity& quantity, const NodeQuantity& other)
{
    quantity.least = std::min(quantity.least, other.least);
    quantity.greatest = std::max(quantity.greatest, other.greatest);
    for (std::size_t tree = 0; tree < quantity.ofTree.size(); ++tree) {
        quantity.ofTree[tree].first = std::min(quantity.ofTree[tree].first, other.ofTree[tree].first);
        quantity.ofTree[tree].second = std::max(quantity.ofTree[tree].second, other.ofTree[tree].second);
    }
}

Result<TreeGraphSumsPtr> sumUpTree(SessionPtr session, const TreeGraphRequest& request, const Task& task)
{
    if (request.compared) return sumUpCompared(std::move(session), request, task);
    auto sums = std::make_shared<TreeGraphSums>();
    sums->session = std::move(session);
    auto rows = makeCallTreeRows(*sums->session, request.query, task.part(0.0, 0.5));
    if (!rows) return tl::make_unexpected(rows.error());
    sums->rows = std::move(*rows);
    const auto quantity = [&](const TreeQuantity& wanted, const Task& part) {
        return quantityOfRows(*sums->session, request.query, sums->rows, wanted, part);
    };
    auto color = quantity(request.color, task.part(0.5, 0.7));
    if (!color) return tl::make_unexpected(color.error());
    auto size = quantity(request.size, task.part(0.7, 0.9));
    if (!size) return tl::make_unexpected(size.error());
    auto spreads = locationSpreads(*sums->session, request.query, sums->rows, task.part(0.9, 1.0));
    if (!spreads) return tl::make_unexpected(spreads.error());
    sums->color = std::move(*color);
    sums->size = std::move(*size);
    sums->spreads = std::move(*spreads);
    return TreeGraphSumsPtr(std::move(sums));
}

Result<TreeGraphPtr> layOutTree(TreeGraphSumsPtr sums, const TreeGraphRequest& request, const Task& task)
{
    auto graph = std::make_shared<TreeGraph>();
    graph->sums = std::move(sums);
    graph->edits = request.edits;
    graph->root = rowOfRoot(graph->rows(), request.root);
    const TreeGraphSums& of = *graph->sums;
    std::vector<std::uint8_t> found;
    if (!request.edits.query.empty()) {
        const QueriedRows queried = tableOfRows(*of.session, of.rows, request.query.metric);
        auto rows = findRows(request.edits.query, queried, of.rows.rows.size(), task);
        if (task.stopRequested()) return cancelled();
        if (rows) found = std::move(rows->found);
    }
    std::vector<double> sizes;
    if (of.compared)
        for (const double value : of.color.values) sizes.push_back(std::fabs(value));
    graph->shown = makeShownTree(of.rows, request.edits, found, of.compared ? sizes : of.color.values,
                                 {graph->root, request.most});
    auto layout = tidyTree(graph->shown.parents(), {1.0, kBetweenCousins, kBetweenTrees}, task);
    if (!layout) return tl::make_unexpected(layout.error());
    graph->layout = std::move(*layout);
    graph->color = nodeQuantity(graph->shown, of.color);
    graph->size = nodeQuantity(graph->shown, of.size);
    linkNodes(*graph);
    findNotes(*graph);
    return TreeGraphPtr(std::move(graph));
}

TreeGraphPtr sideOf(const TreeGraph& graph, ComparedSide side)
{
    auto one = std::make_shared<TreeGraph>(graph);
    const bool isA = side == ComparedSide::A;
    const TreeGraphSums& sums = *graph.sums;
    one->color = nodeQuantity(graph.shown, isA ? sums.colorA : sums.colorB);
    one->size = nodeQuantity(graph.shown, isA ? sums.sizeA : sums.sizeB);
    shareScales(one->color, nodeQuantity(graph.shown, isA ? sums.colorB : sums.colorA));
    shareScales(one->size, nodeQuantity(graph.shown, isA ? sums.sizeB : sums.sizeA));
    return one;
}

std::vector<std::uint32_t> selectedNodes(const TreeGraph& graph, const Selection& selected)
{
    std::vector<std::uint32_t> nodes;
    for (const CallPathRef& ref : selected.callPaths) {
        const std::int64_t row = graph.rows().rowOf(ref.experiment, ref.id);
        if (row < 0) continue;
        const std::uint32_t node = graph.shown.nodeOf[static_cast<std::size_t>(row)];
        if (node != kNoShownNode) nodes.push_back(node);
    }
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
    return nodes;
}

std::vector<CauseArrow> causeArrowsOn(const TreeGraph& graph, const TreeGraphLayout& layout,
                                      const CauseLinks& causes)
{
    const auto placeOf = [&](const IntervalRef& call) -> std::optional<Point> {
        const CallPathRef path = callPathOf(*graph.sums->session, call);
        const std::int64_t row = path.valid() ? graph.rows().rowOf(path.experiment, path.id) : -1;
        if (row < 0) return std::nullopt;
        const std::uint32_t node = graph.shown.nodeOf[static_cast<std::size_t>(row)];
        return node == kNoShownNode ? std::nullopt : std::optional(layout.place(graph, node));
    };
    return causeArrows(causes, [&](const CauseLink& link) -> std::optional<std::pair<Point, Point>> {
        const auto from = placeOf(link.cause), to = placeOf(link.waiting);
        if (!from || !to) return std::nullopt;
        return std::pair(*from, *to);
    });
}

std::vector<std::string> treeNodeTooltip(const TreeGraph& graph, std::uint32_t node)
{
    const ShownNode& shown = graph.shown.nodes[node];
    std::vector<std::string> lines{graph.nameOf(node)};
    if (const std::string callers = callersOf(graph, node); !callers.empty()) lines.push_back(callers);
    lines.push_back(amountLine(graph.color, node));
    if (graph.size.name != graph.color.name) lines.push_back(amountLine(graph.size, node));
    const CallTreeRow& row = graph.rows().rows[shown.row];
    if (shown.kind != ShownKind::Surrogate) {
        if (graph.sums->compared) addCompared(lines, graph, shown.row);
        else lines.push_back("Calls: " + formatCount(row.values.calls));
        addLocations(lines, row);
    }
    addHidden(lines, graph, node);
    for (const auto& [at, note] : graph.notes)
        if (at == node) lines.push_back("Note: " + note);
    if (shown.kind != ShownKind::Surrogate && !row.regions.empty()) {
        const Region& region =
            graph.sums->session->experiments[row.experiment]->definitions.region(row.regions.front());
        if (!region.sourceFile.empty())
            lines.push_back(fmt::format("{}:{}", region.sourceFile, region.beginLine));
    }
    return lines;
}

std::vector<std::string> treeCountLines(const TreeGraph& graph)
{
    std::size_t drawn = 0;
    for (const ShownNode& node : graph.shown.nodes) drawn += node.kind != ShownKind::Surrogate;
    const std::size_t all = graph.shown.rows, small = graph.shown.tooSmall;
    std::string text =
        formatGrouped(static_cast<std::int64_t>(all)) + (all == 1 ? " call path" : " call paths");
    if (drawn == all) return {text};
    text += ": " + formatGrouped(static_cast<std::int64_t>(drawn)) + " shown";
    if (const std::size_t pruned = all - drawn - small; all > drawn + small)
        text += ", " + formatGrouped(static_cast<std::int64_t>(pruned)) + " pruned";
    if (small == 0) return {text};
    return {text,
            fmt::format("{} left out (up to {} each)", formatGrouped(static_cast<std::int64_t>(small)),
                        formatAmount(graph.shown.smallest, graph.color.unit))};
}

std::string treeCountText(const TreeGraph& graph)
{
    return fmt::format("{}", fmt::join(treeCountLines(graph), ", "));
}

}  // namespace skein
