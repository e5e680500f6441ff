// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_table_scene.h"

#include "core/base/bucket_sort.h"
#include "core/base/units.h"
#include "core/machine/placement.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <map>
#include <numeric>

namespace skein {
namespace {

std::vector<std::uint32_t> ranksByNumber(std::uint32_t ranks)
{
    std::vector<std::uint32_t> order(ranks);
    std::iota(order.begin(), order.end(), 0u);
    return order;
}

/// By node and core of the machine.
std::vector<std::uint32_t> ranksBySlot(std::uint32_t ranks, const Placement& placement)
{
    auto order = ranksByNumber(ranks);
    std::ranges::sort(order, {}, [&](std::uint32_t rank) { return placement.slotOf(rank); });
    return order;
}

/// The place of each rank's process among the leaves of the system tree, depth first.
std::vector<std::uint32_t> ranksByTree(std::uint32_t ranks, const Definitions& definitions)
{
    std::vector<std::vector<std::uint32_t>> paths(ranks);
    for (const Location& location : definitions.locations) {
        if (location.rank < 0 || location.rank >= ranks || !location.group.valid()) continue;
        std::vector<std::uint32_t> path;
        SystemTreeNodeId node = definitions.locationGroups[location.group.index()].node;
        for (; node.valid() && path.size() <= definitions.systemTree.size();
             node = definitions.systemTree[node.index()].parent)
            path.push_back(node.value());
        std::ranges::reverse(path);
        paths[static_cast<std::size_t>(location.rank)] = std::move(path);
    }
    auto order = ranksByNumber(ranks);
    std::ranges::stable_sort(
        order, {}, [&](std::uint32_t rank) -> const auto& { return paths[rank]; });
    return order;
}

/// The order that is asked for and how near to the diagonal it is, or another one and why.
Result<std::vector<std::uint32_t>> matrixOrder(const Experiment& experiment,
                                               const SessionCommunication& communication, CommOrder order,
                                               std::string& note, const Task& task)
{
    const CommMatrix& matrix = *communication.matrix;
    const std::uint32_t ranks = matrix.ranks();
    switch (order) {
    case CommOrder::Rank: break;
    case CommOrder::Placement: {
        if (communication.machine && communication.machine->placement.ranks() >= ranks)
            return ranksBySlot(ranks, communication.machine->placement);
        const auto hosts = hostsOfRanks(experiment.definitions);
        auto placed = orderedRanks(matrix, RankOrder::Placement, hosts, task);
        if (placed || placed.error().cancelled()) return placed;
        note = "No machine and no hosts are known: in the order of ranks.";
        break;
    }
    case CommOrder::SystemTree: return ranksByTree(ranks, experiment.definitions);
    case CommOrder::Cluster: return orderedRanks(matrix, RankOrder::Cluster, {}, task);
    case CommOrder::Bandwidth: {
        auto near = orderedRanks(matrix, RankOrder::Bandwidth, {}, task);
        if (near)
            note = fmt::format("{:.1f} ranks from the diagonal in the mean, {:.1f} by rank",
                               meanDistanceFromDiagonal(matrix, *near),
                               meanDistanceFromDiagonal(matrix, ranksByNumber(ranks)));
        return near;
    }
    }
    return ranksByNumber(ranks);
}

std::string rankName(std::uint32_t rank) { return fmt::format("Rank {}", rank); }

/// Rows and columns: ranks, or groups in the order of their first rank.
void makeItems(CommMatrixTable& table, const std::vector<std::uint32_t>& order, const RankGroups* groups)
{
    table.itemOfRank.assign(order.size(), 0);
    std::map<std::uint32_t, std::uint32_t> itemOfGroup;
    for (const std::uint32_t rank : order) {
        const bool single = !groups || table.options.opened.contains(groups->names[groups->groupOf[rank]]);
        const auto next = static_cast<std::uint32_t>(table.items.size());
        if (single) {
            table.items.push_back({rankName(rank), {rank}, false});
            table.itemOfRank[rank] = next;
            continue;
        }
        const std::uint32_t group = groups->groupOf[rank];
        const auto [found, added] = itemOfGroup.emplace(group, next);
        if (added) table.items.push_back({groups->names[group], {}, true});
        table.items[found->second].ranks.push_back(rank);
        table.itemOfRank[rank] = found->second;
    }
}

bool makeCells(CommMatrixTable& table, const Task& task)
{
    const SessionCommunication& communication = *table.communication;
    const auto entries = communication.matrix->entries();
    table.cells.reserve(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (i % kItemsBetweenStopChecks == 0 && task.stopRequested()) return false;
        const CommMatrix::Entry& entry = entries[i];
        const std::uint64_t hops =
            communication.machine ? communication.hopsOf(entry.sender, entry.receiver).value_or(0) : 0;
        table.cells.push_back({table.itemOfRank[entry.sender], table.itemOfRank[entry.receiver],
                               entry.messages, entry.bytes,
                               communication.timesNs.empty() ? 0 : communication.timesNs[i],
                               amountOf(communication, entry) * hops});
    }
    const bool sorted = sortInBuckets(
        table.cells, static_cast<std::uint32_t>(table.items.size()),
        [](const CommMatrixCell& cell) { return cell.row; },
        [](const CommMatrixCell& a, const CommMatrixCell& b) { return a.column < b.column; }, task);
    if (!sorted) return false;
    std::size_t kept = 0;
    for (const CommMatrixCell& cell : table.cells) {
        CommMatrixCell* last = kept > 0 ? &table.cells[kept - 1] : nullptr;
        if (last && last->row == cell.row && last->column == cell.column) {
            last->messages += cell.messages;
            last->bytes += cell.bytes;
            last->timeNs += cell.timeNs;
            last->hopBytes += cell.hopBytes;
        } else {
            table.cells[kept++] = cell;
        }
    }
    table.cells.resize(kept);
    table.firstCell.assign(table.items.size() + 1, 0);
    for (const CommMatrixCell& cell : table.cells) ++table.firstCell[cell.row + std::size_t{1}];
    for (std::size_t row = 0; row < table.items.size(); ++row)
        table.firstCell[row + 1] += table.firstCell[row];
    return true;
}

void makeValues(CommMatrixTable& table)
{
    table.values.reserve(table.cells.size());
    for (const CommMatrixCell& cell : table.cells) {
        const double value = commCellValue(table, cell, table.options.value);
        table.values.push_back(value);
        if (!(value > 0)) continue;
        table.greatest = std::max(table.greatest, value);
        table.smallest = table.smallest > 0 ? std::min(table.smallest, value) : value;
    }
}

}  // namespace

double commCellValue(const CommMatrixTable& table, const CommMatrixCell& cell, CommValue value)
{
    constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
    const SessionCommunication& communication = *table.communication;
    const auto messages = static_cast<double>(cell.messages), bytes = static_cast<double>(cell.bytes);
    const double amount = communication.bytesKnown ? bytes : messages;
    switch (value) {
    case CommValue::Bytes: return communication.bytesKnown ? bytes : kUnknown;
    case CommValue::Messages: return communication.messagesKnown ? messages : kUnknown;
    case CommValue::MeanSize:
        return communication.bytesKnown && cell.messages > 0 ? bytes / messages : kUnknown;
    case CommValue::Hops:
        return communication.machine && amount > 0 ? static_cast<double>(cell.hopBytes) / amount : kUnknown;
    case CommValue::Time: break;
    }
    return communication.timesNs.empty() ? kUnknown : static_cast<double>(cell.timeNs);
}

const CommMatrixCell* CommMatrixTable::cellAt(std::size_t row, std::size_t column) const
{
    if (row + 1 >= firstCell.size()) return nullptr;
    const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(firstCell[row]);
    const auto end = cells.begin() + static_cast<std::ptrdiff_t>(firstCell[row + 1]);
    const auto found =
        std::lower_bound(begin, end, column,
                         [](const CommMatrixCell& cell, std::size_t wanted) { return cell.column < wanted; });
    return found != end && found->column == column ? &*found : nullptr;
}

Result<CommMatrixTablePtr> makeCommMatrixTable(const Session& session, SessionCommunicationPtr communication,
                                               const CommMatrixOptions& options, const Task& task)
{
    auto table = std::make_shared<CommMatrixTable>();
    table->communication = std::move(communication);
    table->options = options;
    const Experiment& experiment = *session.experiments[table->communication->request.experiment];
    const auto order = matrixOrder(experiment, *table->communication, options.order, table->orderNote, task);
    if (!order) return Unexpected(order.error());
    if (options.level.empty()) {
        makeItems(*table, *order, nullptr);
    } else {
        const auto groups =
            rankGroups(experiment.definitions, options.level, table->communication->matrix->ranks());
        if (!groups) return Unexpected(groups.error());
        makeItems(*table, *order, &*groups);
    }
    if (!makeCells(*table, task)) return cancelled();
    makeValues(*table);
    return CommMatrixTablePtr(std::move(table));
}

Result<CommMatrixTablePtr> makeCommMatrixTable(SessionCommunicationPtr communication,
                                               const CommMatrixTable& like, const Task& task)
{
    if (communication->matrix->ranks() != like.communication->matrix->ranks())
        return fail(ErrorCode::InvalidArgument,
                    fmt::format("The runs have {} and {} ranks: their matrices have no cells in common.",
                                like.communication->matrix->ranks(), communication->matrix->ranks()));
    auto table = std::make_shared<CommMatrixTable>();
    table->communication = std::move(communication);
    table->options = like.options;
    table->items = like.items;
    table->itemOfRank = like.itemOfRank;
    table->orderNote = like.orderNote;
    if (!makeCells(*table, task)) return cancelled();
    makeValues(*table);
    return CommMatrixTablePtr(std::move(table));
}

void shareScale(CommMatrixTable& left, CommMatrixTable& right)
{
    left.greatest = right.greatest = std::max(left.greatest, right.greatest);
    const double least = left.smallest > 0 && right.smallest > 0 ? std::min(left.smallest, right.smallest)
                                                                 : std::max(left.smallest, right.smallest);
    left.smallest = right.smallest = least;
}

Result<CommMatrixTablePtr> commMatrixDifference(const CommMatrixTable& before, const CommMatrixTable& after,
                                                const Task& task)
{
    if (before.size() != after.size())
        return fail(ErrorCode::InvalidArgument, "The matrices have different rows.");
    auto table = std::make_shared<CommMatrixTable>(after);
    table->cells.clear();
    table->befores.clear();
    table->values.clear();
    table->firstCell.assign(table->items.size() + 1, 0);
    table->greatest = table->smallest = 0;
    const auto known = [](double value) { return std::isnan(value) ? 0.0 : value; };
    for (std::size_t row = 0; row < after.size(); ++row) {
        if (task.stopRequested()) return cancelled();
        std::size_t b = before.firstCell[row], a = after.firstCell[row];
        while (b < before.firstCell[row + 1] || a < after.firstCell[row + 1]) {
            constexpr std::uint32_t kEnd = 0xFFFFFFFFu;
            const std::uint32_t left = b < before.firstCell[row + 1] ? before.cells[b].column : kEnd;
            const std::uint32_t right = a < after.firstCell[row + 1] ? after.cells[a].column : kEnd;
            const CommMatrixCell none{static_cast<std::uint32_t>(row), std::min(left, right)};
            table->cells.push_back(right <= left ? after.cells[a] : none);
            table->befores.push_back(left <= right ? before.cells[b] : none);
            const double then = right <= left ? known(after.values[a++]) : 0;
            const double now = left <= right ? known(before.values[b++]) : 0;
            table->values.push_back(then);
            table->changes.push_back(then - now);
            table->greatest = std::max(table->greatest, std::abs(then - now));
        }
        table->firstCell[row + 1] = table->cells.size();
    }
    return CommMatrixTablePtr(std::move(table));
}

std::string commValueText(CommValue value, double amount)
{
    if (std::isnan(amount)) return "not known";
    switch (value) {
    case CommValue::Bytes:
    case CommValue::MeanSize: return formatBytes(amount);
    case CommValue::Messages: return formatGrouped(static_cast<std::int64_t>(amount));
    case CommValue::Hops: return fmt::format("{:.3g} hops", amount);
    case CommValue::Time: break;
    }
    return formatDuration(amount);
}

std::string commAmountText(const SessionCommunication& communication)
{
    const auto text = [](CommValue value, std::uint64_t amount) {
        return commValueText(value, static_cast<double>(amount));
    };
    const std::string messages =
        text(CommValue::Messages, communication.matrix->totalMessages()) + " messages";
    if (!communication.bytesKnown) return messages;
    const std::string bytes = text(CommValue::Bytes, communication.matrix->totalBytes());
    return communication.messagesKnown ? bytes + " in " + messages : bytes;
}

std::string commValueName(CommValue value)
{
    switch (value) {
    case CommValue::Bytes: return "Bytes";
    case CommValue::Messages: return "Messages";
    case CommValue::MeanSize: return "Mean size";
    case CommValue::Hops: return "Hops";
    case CommValue::Time: break;
    }
    return "Time in flight";
}

std::vector<std::string> commCellText(const CommMatrixTable& table, std::size_t row, std::size_t column)
{
    std::vector<std::string> lines{fmt::format("{} to {}", table.items[row].name, table.items[column].name)};
    const CommMatrixCell* cell = table.cellAt(row, column);
    if (!cell) {
        lines.emplace_back("Nothing was sent.");
        return lines;
    }
    if (!table.changes.empty()) {
        const auto place = static_cast<std::size_t>(cell - table.cells.data());
        const CommValue value = table.options.value;
        lines.push_back(fmt::format(
            "{}: {} {}, now {}", commValueName(value), commValueText(value, std::abs(table.changes[place])),
            table.changes[place] < 0 ? "less" : "more", commValueText(value, table.values[place])));
        return lines;
    }
    const SessionCommunication& communication = *table.communication;
    if (communication.bytesKnown) lines.push_back(formatBytes(static_cast<double>(cell->bytes)));
    if (communication.messagesKnown)
        lines.push_back(fmt::format("{} messages", formatGrouped(static_cast<std::int64_t>(cell->messages))));
    if (communication.bytesKnown && cell->messages > 0)
        lines.push_back(
            fmt::format("{} on average",
                        formatBytes(static_cast<double>(cell->bytes) / static_cast<double>(cell->messages))));
    if (!communication.timesNs.empty())
        lines.push_back(
            fmt::format("{} in flight, all together", formatDuration(static_cast<double>(cell->timeNs))));
    const auto amount = static_cast<double>(communication.bytesKnown ? cell->bytes : cell->messages);
    if (communication.machine && amount > 0)
        lines.push_back(fmt::format("{:.3g} hops on average", static_cast<double>(cell->hopBytes) / amount));
    if (table.items[row].group || table.items[column].group)
        lines.push_back(fmt::format("{} × {} ranks; double click opens them", table.items[row].ranks.size(),
                                    table.items[column].ranks.size()));
    return lines;
}

std::vector<std::string> groupingLevels(const Definitions& definitions)
{
    std::map<std::string, std::size_t> counts;
    std::vector<std::string> names;
    for (const SystemTreeNode& node : definitions.systemTree) {
        if (++counts[node.className] == 1) names.push_back(node.className);
    }
    std::erase_if(names, [&](const std::string& name) {
        return name.empty() || counts[name] < 2 || counts[name] >= definitions.locationGroups.size();
    });
    return names;
}

std::vector<RankPairRef> pairsOfCell(const CommMatrixTable& table, std::size_t row, std::size_t column)
{
    std::vector<RankPairRef> pairs;
    const SessionCommunication& communication = *table.communication;
    for (const std::uint32_t sender : table.items[row].ranks) {
        for (const CommMatrix::Entry& entry : communication.matrix->row(sender)) {
            if (table.itemOfRank[entry.receiver] == column)
                pairs.push_back({communication.request.experiment, entry.sender, entry.receiver});
        }
    }
    std::ranges::sort(pairs);
    return pairs;
}

}  // namespace skein
