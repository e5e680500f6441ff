// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/select/view_state.h"
#include "views/balance/balance_matrix_scene.h"
#include "views/common/scene/drawing/draw_list.h"
#include "views/common/scene/drawing/scene_style.h"
#include "views/common/scene/drawing/table_cell.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace skein {

/// What the colour of a cell tells.
enum class BalanceShading : std::uint8_t { Difference, Value, Share };
enum class BalanceRowOrder : std::uint8_t { Total, Lost, Name, Similar };
enum class BalanceColumnOrder : std::uint8_t { Rank, SelectedRegion, Similar };

struct BalanceOptions {
    BalanceShading shading = BalanceShading::Difference;
    BalanceRowOrder rows = BalanceRowOrder::Total;
    BalanceColumnOrder columns = BalanceColumnOrder::Rank;
    std::size_t firstRow = 0;  ///< that is in sight
};

/// A matrix in the order in which it is shown. Immutable; may cross threads.
struct BalancePicture {
    BalanceMatrix matrix;
    std::vector<std::string> labels;      ///< a row: the region's name for a narrow place
    std::vector<std::string> titles;      ///< of the experiments
    std::vector<std::uint32_t> rowOrder;  ///< indices into matrix.rows, from top to bottom
    std::vector<std::uint32_t> columnOrder;
    BalanceOptions options;
};

using BalancePicturePtr = std::shared_ptr<const BalancePicture>;

/// `selected`: by the first of these regions that has a row columns are sorted, where the options say so.
BalancePicturePtr arrangeBalance(const Session& session, BalanceMatrix matrix, const BalanceOptions& options,
                                 const std::vector<RegionRef>& selected);

/// Where the parts are. Device pixels.
struct BalanceLayout {
    Rect caption, efficiencies, axis, labels, body, numbers, foot;
    double rowHeight = 0;
    std::size_t rowsInSight = 0;
};

BalanceLayout balanceLayout(const BalancePicture& picture, const Canvas& canvas);

/// The efficiencies of the processes, and below them a matrix: a row a region, a column a location, its
/// colour the value against the region's mean, by its size, or by its part of the location's time; beside it
/// max/mean and what is lost. With more columns than pixels a pixel shows the one of its columns that differs
/// most from the mean, or of values the greatest. O(pixels + rows × columns).
DrawList balanceScene(const BalancePicture& picture, const Canvas& canvas, const Task& task);

/// The selected region's row and location's column, and the cell under the pointer.
DrawList balanceOverlay(const BalancePicture& picture, const ViewState& state, const BalanceLayout& layout,
                        const Canvas& canvas);

/// A cell by its places in the orders.
struct BalanceCell {
    std::size_t row = 0;
    std::optional<std::size_t> column;  ///< nullopt: the name of the row

    bool operator==(const BalanceCell&) const = default;
};

/// The cell, or the name, at a point.
std::optional<BalanceCell> balanceCellAt(const BalancePicture& picture, const BalanceLayout& layout,
                                         Point point);

/// Region, location and numbers of a cell.
std::vector<std::string> balanceTooltip(const BalancePicture& picture, const BalanceCell& cell);

/// A picture as numbers: a row a region in its order, with max/mean, lost, mean and worst column, and then a
/// value a column: differences and shares as parts of one. At most 256 columns.
struct BalanceTable {
    std::vector<std::string> columns;  ///< those of the matrix
    std::size_t left = 0;              ///< more of them that have no room
    std::vector<std::vector<TableCell>> rows;
};
BalanceTable balanceTable(const BalancePicture& picture);

/// The same in words, of so many rows from the first one in sight on, below a row of titles.
std::vector<std::vector<std::string>> balanceInSight(const BalancePicture& picture, std::size_t rows);

/// "by process": what the numbers beside the rows compare.
std::string balanceByText(const BalanceColumns& columns);

/// "Parallel efficiency 38.9 % = load balance 90.3 % × communication efficiency 43.1 % · …"; empty where it
/// cannot be told.
std::string efficiencyText(const Experiment& experiment, const std::optional<Efficiency>& efficiency);

}  // namespace skein
