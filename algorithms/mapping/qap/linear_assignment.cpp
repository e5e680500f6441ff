// SPDX-License-Identifier: GPL-3.0-or-later
#include "algorithms/mapping/qap/linear_assignment.h"

#include <limits>

namespace skein {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;

/// Dual prices and the matching; column 0 is the root of the search, rows and columns count from 1.
struct Prices {
    explicit Prices(std::uint32_t size)
        : row(size + 1, 0), column(size + 1, 0), rowOfColumn(size + 1, 0), previous(size + 1, 0)
    {
    }
    std::vector<std::int64_t> row;
    std::vector<std::int64_t> column;
    std::vector<std::uint32_t> rowOfColumn;
    std::vector<std::uint32_t> previous;
};

/// Finds the cheapest way to bring one more row in. Returns the free column where it ends.
std::uint32_t augmentingColumn(std::span<const std::int64_t> cost, std::uint32_t size, Prices& prices)
{
    std::vector<std::int64_t> slack(size + 1, kFar);
    std::vector<std::uint8_t> seen(size + 1, 0);
    std::uint32_t at = 0;
    do {
        seen[at] = 1;
        const std::uint32_t row = prices.rowOfColumn[at];
        std::int64_t step = kFar;
        std::uint32_t next = 0;
        for (std::uint32_t column = 1; column <= size; ++column) {
            if (seen[column]) continue;
            const std::int64_t reduced =
                cost[std::size_t{row - 1} * size + column - 1] - prices.row[row] - prices.column[column];
            if (reduced < slack[column]) {
                slack[column] = reduced;
                prices.previous[column] = at;
            }
            if (slack[column] < step) {
                step = slack[column];
                next = column;
            }
        }
        for (std::uint32_t column = 0; column <= size; ++column) {
            if (seen[column]) {
                prices.row[prices.rowOfColumn[column]] += step;
                prices.column[column] -= step;
            } else {
                slack[column] -= step;
            }
        }
        at = next;
    } while (prices.rowOfColumn[at] != 0);
    return at;
}

}  // namespace

LinearAssignment solveLinearAssignment(std::span<const std::int64_t> cost, std::uint32_t size)
{
    Prices prices(size);
    for (std::uint32_t row = 1; row <= size; ++row) {
        prices.rowOfColumn[0] = row;
        std::uint32_t column = augmentingColumn(cost, size, prices);
        while (column != 0) {
            const std::uint32_t previous = prices.previous[column];
            prices.rowOfColumn[column] = prices.rowOfColumn[previous];
            column = previous;
        }
    }
    LinearAssignment result;
    result.columnOfRow.resize(size);
    for (std::uint32_t column = 1; column <= size; ++column) {
        const std::uint32_t row = prices.rowOfColumn[column] - 1;
        result.columnOfRow[row] = column - 1;
        result.cost += cost[std::size_t{row} * size + column - 1];
    }
    return result;
}

}  // namespace skein
