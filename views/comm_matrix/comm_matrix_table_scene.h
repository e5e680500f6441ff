// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms/comm/rank_order.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "views/common/scene/data/session_communication.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace skein {

/// What a cell of the matrix tells.
enum class CommValue : std::uint8_t { Bytes, Messages, MeanSize, Hops, Time };
/// In which order ranks stand: by number, by node and slot of the machine (else by host), by the system tree,
/// those that exchange most beside each other, or what is exchanged near the diagonal.
enum class CommOrder : std::uint8_t { Rank, Placement, SystemTree, Cluster, Bandwidth };

/// How the matrix is cut into rows and columns.
struct CommMatrixOptions {
    CommValue value = CommValue::Bytes;
    CommOrder order = CommOrder::Rank;
    std::string level = {};             ///< a class of the system tree; empty: a row a rank
    std::set<std::string> opened = {};  ///< groups of the level that show their ranks

    bool operator==(const CommMatrixOptions&) const = default;
};

/// A row and a column: a rank, or several.
struct CommMatrixItem {
    std::string name;
    std::vector<std::uint32_t> ranks;
    bool group = false;
};

/// What one item sends another.
struct CommMatrixCell {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    std::uint64_t messages = 0;
    std::uint64_t bytes = 0;
    std::uint64_t timeNs = 0;
    std::uint64_t hopBytes = 0;  ///< bytes × hops, or messages × hops where no bytes are known

    bool operator==(const CommMatrixCell&) const = default;
};

/// The matrix as it is shown. Immutable; may cross threads.
struct CommMatrixTable {
    SessionCommunicationPtr communication;
    CommMatrixOptions options;
    std::vector<CommMatrixItem> items;  ///< from top to bottom, and from left to right
    std::vector<std::uint32_t> itemOfRank;
    std::vector<CommMatrixCell> cells;   ///< by row and column, each once
    std::vector<std::size_t> firstCell;  ///< of a row; one more than rows
    std::vector<double> values;          ///< of each cell, as options.value tells; NaN where not known
    double greatest = 0;                 ///< of the values
    double smallest = 0;                 ///< above 0
    std::string orderNote;  ///< why another order than the chosen one is shown, or how good it is; else empty
    /// By how much the value of each cell changes against another table; empty: values are shown. Then
    /// `greatest` is the greatest change.
    std::vector<double> changes = {};
    std::vector<CommMatrixCell> befores = {};  ///< where there are changes: each cell in the other table

    std::size_t size() const { return items.size(); }
    /// Null where the two exchange nothing.
    const CommMatrixCell* cellAt(std::size_t row, std::size_t column) const;
    bool isTime() const { return options.value == CommValue::Time; }
};

using CommMatrixTablePtr = std::shared_ptr<const CommMatrixTable>;

/// Errors: InvalidArgument for a level that the system tree does not have; Cancelled. O(entries log entries).
Result<CommMatrixTablePtr> makeCommMatrixTable(const Session& session, SessionCommunicationPtr communication,
                                               const CommMatrixOptions& options, const Task& task);
/// The same with the rows and columns of another table of as many ranks. Errors: InvalidArgument for another
/// number of ranks; Cancelled.
Result<CommMatrixTablePtr> makeCommMatrixTable(SessionCommunicationPtr communication,
                                               const CommMatrixTable& like, const Task& task);

/// Gives two tables one scale of colours.
void shareScale(CommMatrixTable& left, CommMatrixTable& right);
/// How the values of `before` change to those of `after`, with the rows and columns of `before`; cells of
/// either, empty ones where one of them has none. Values that are not known count as 0. Errors:
/// InvalidArgument for other numbers of ranks; Cancelled. O(cells log cells).
Result<CommMatrixTablePtr> commMatrixDifference(const CommMatrixTable& before, const CommMatrixTable& after,
                                                const Task& task);

/// What a cell of a table tells, its own or one of `befores`; NaN where that is not known.
double commCellValue(const CommMatrixTable& table, const CommMatrixCell& cell, CommValue value);
/// "1.5 MiB in 12 messages", without what the source does not tell.
std::string commAmountText(const SessionCommunication& communication);
/// "1.5 MiB", "12", "3.2 hops", "4 ms" …; "not known" for NaN.
std::string commValueText(CommValue value, double amount);
/// "Bytes", "Messages", "Mean size", "Hops", "Time in flight".
std::string commValueName(CommValue value);
/// Lines about a cell, or about two items that exchange nothing.
std::vector<std::string> commCellText(const CommMatrixTable& table, std::size_t row, std::size_t column);

/// The classes of a system tree by which ranks can be grouped, from the root down: those of which there are
/// several nodes and fewer than ranks.
std::vector<std::string> groupingLevels(const Definitions& definitions);

/// All pairs of ranks of a cell that exchange something. O(entries of its ranks).
std::vector<RankPairRef> pairsOfCell(const CommMatrixTable& table, std::size_t row, std::size_t column);

}  // namespace skein
