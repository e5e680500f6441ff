// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/statistics/statistics_model.h"

#include "core/session/experiment_titles.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/region_text.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"
#include "views/common/theme.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace skein {
namespace {

bool isStatisticsText(int column)
{
    return column == StatisticsModel::kName || column == StatisticsModel::kComponent;
}

ColumnAlignment statisticsAlignment(int column)
{
    return isStatisticsText(column) ? ColumnAlignment::Left : ColumnAlignment::Right;
}

constexpr ColumnHeader kStatisticsHeaders[] = {
    {"Region", "What ran, and below it where"},
    {"% exclusive", "Exclusive time as a part of all, bars relative to the greatest"},
    {"Exclusive", "Time in the region itself, within the span"},
    {"Inclusive", "Time in the region and all that it called, within the span"},
    {"Calls", "Calls that overlap the span"},
    {"Mean", "Inclusive time of a call that no end of the span cuts"},
    {"Min", "The shortest call that no end of the span cuts"},
    {"Max", "The longest call that no end of the span cuts"},
    {"σ", "Standard deviation of the durations of calls that no end of the span cuts"},
    {"Archive", "Where it was recorded"}};

}  // namespace

void StatisticsModel::setRows(StatisticsRows rows, const SessionPtr& session)
{
    beginResetModel();
    session_ = session;
    rows_ = std::move(rows);
    components_.clear();
    for (const std::string& title : experimentTitles(*session))
        components_.push_back(QString::fromStdString(title));
    greatestPart_ = 0;
    for (const StatisticsRow& row : rows_.rows)
        greatestPart_ = std::max(greatestPart_, value(row.total, kPercent));
    arrange();
    endResetModel();
}

void StatisticsModel::clear()
{
    beginResetModel();
    rows_ = {};
    session_ = nullptr;
    arrange();
    endResetModel();
}

void StatisticsModel::setPalettes(std::vector<RegionPalette> palettes)
{
    palettes_ = std::move(palettes);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, kName), index(rowCount() - 1, kName), {kSwatchRole});
}

/// Rows and, when they are looked at, the locations below them.
void StatisticsModel::arrange()
{
    const auto& rows = rows_.rows;
    order_.resize(rows.size());
    std::iota(order_.begin(), order_.end(), 0u);
    if (sortColumn() == kName)
        sortByText(order_, sortOrder(),
                   [&](std::uint32_t row) { return QString::fromStdString(rows[row].name); });
    else if (sortColumn() == kComponent)
        sortByNumber(order_, sortOrder(),
                     [&](std::uint32_t row) { return static_cast<double>(rows[row].experiment); });
    else
        sortByNumber(order_, sortOrder(),
                     [&](std::uint32_t row) { return value(rows[row].total, sortColumn()); });
    placeOf_ = placesOf(order_, rows.size());
    children_.assign(rows.size(), {});
}

const std::vector<std::uint32_t>& StatisticsModel::childrenOf(std::uint32_t row) const
{
    std::vector<std::uint32_t>& children = children_[row];
    const auto& locations = rows_.rows[row].locations;
    if (children.size() == locations.size()) return children;
    children.resize(locations.size());
    std::iota(children.begin(), children.end(), 0u);
    if (isStatisticsText(sortColumn())) {
        if (sortOrder() == Qt::DescendingOrder) std::reverse(children.begin(), children.end());
        return children;
    }
    sortByNumber(children, sortOrder(),
                 [&](std::uint32_t location) { return value(locations[location].values, sortColumn()); });
    return children;
}

QModelIndex StatisticsModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || column < 0 || column >= kColumnCount || row >= rowCount(parent)) return {};
    return createIndex(
        row, column, parent.isValid() ? quintptr{order_[static_cast<std::size_t>(parent.row())]} + 1 : kTop);
}

QModelIndex StatisticsModel::parent(const QModelIndex& child) const
{
    if (!child.isValid() || child.internalId() == kTop) return {};
    return createIndex(placeOf_[child.internalId() - 1], 0, kTop);
}

int StatisticsModel::rowCount(const QModelIndex& parent) const
{
    if (!parent.isValid()) return static_cast<int>(order_.size());
    if (parent.internalId() != kTop || parent.column() != 0) return 0;
    return static_cast<int>(rows_.rows[order_[static_cast<std::size_t>(parent.row())]].locations.size());
}

const StatisticsRow& StatisticsModel::rowOf(const QModelIndex& index) const
{
    if (index.internalId() != kTop) return rows_.rows[index.internalId() - 1];
    return rows_.rows[order_[static_cast<std::size_t>(index.row())]];
}

LocationRef StatisticsModel::locationOf(const QModelIndex& index) const
{
    if (index.internalId() == kTop) return {};
    const auto row = static_cast<std::uint32_t>(index.internalId() - 1);
    const StatisticsRow& region = rows_.rows[row];
    return {region.experiment,
            region.locations[childrenOf(row)[static_cast<std::size_t>(index.row())]].location};
}

const RegionStatistics& StatisticsModel::valuesOf(const QModelIndex& index) const
{
    if (index.internalId() == kTop) return rowOf(index).total;
    const auto row = static_cast<std::uint32_t>(index.internalId() - 1);
    return rows_.rows[row].locations[childrenOf(row)[static_cast<std::size_t>(index.row())]].values;
}

double StatisticsModel::value(const RegionStatistics& values, int column) const
{
    const bool ofSingleCalls =
        column == kMean || column == kMinimum || column == kMaximum || column == kDeviation;
    if (ofSingleCalls && values.wholeCalls() == 0) return std::numeric_limits<double>::quiet_NaN();
    switch (column) {
    case kPercent:
        return rows_.exclusiveNs > 0
            ? static_cast<double>(values.exclusiveNs) / static_cast<double>(rows_.exclusiveNs)
            : 0;
    case kExclusive: return static_cast<double>(values.exclusiveNs);
    case kInclusive: return static_cast<double>(values.inclusiveNs);
    case kCalls: return static_cast<double>(values.calls);
    case kMean: return values.meanNs;
    case kMinimum: return static_cast<double>(values.shortestNs);
    case kMaximum: return static_cast<double>(values.longestNs);
    case kDeviation: return values.deviationNs;
    default: return 0;
    }
}

QString StatisticsModel::name(const QModelIndex& index) const
{
    const LocationRef location = locationOf(index);
    if (!location.valid()) return shortRegionName(rowOf(index).name);
    return QString::fromStdString(
        displayName(session_->experiments[location.experiment]->definitions, location.id));
}

QString StatisticsModel::text(const QModelIndex& index) const
{
    const int column = index.column();
    if (column == kName) return name(index);
    if (column == kComponent) return components_.at(rowOf(index).experiment);
    const double number = value(valuesOf(index), column);
    if (column == kPercent) return tablePercent(number);
    return column == kCalls ? tableCount(number) : tableDuration(number);
}

QVariant StatisticsModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const int column = index.column();
    const bool top = index.internalId() == kTop;
    switch (role) {
    case Qt::DisplayRole: return text(index);
    case Qt::ToolTipRole:
        if (column == kName && top) return regionToolTip(rowOf(index).name);
        if (isStatisticsText(column) || column == kPercent) return {};
        return column == kCalls ? exactNumber(value(valuesOf(index), column))
                                : exactDuration(value(valuesOf(index), column));
    case Qt::TextAlignmentRole: return alignmentData(statisticsAlignment(column));
    case kBarRole:
        return column == kPercent && greatestPart_ > 0
            ? QVariant(value(valuesOf(index), column) / greatestPart_)
            : QVariant();
    case kSortRole:
        return isStatisticsText(column) ? QVariant(text(index)) : QVariant(value(valuesOf(index), column));
    case kSwatchRole:
        if (column != kName || !top || rowOf(index).experiment >= palettes_.size()) return {};
        return toQColor(palettes_[rowOf(index).experiment].color(rowOf(index).regions.front()));
    case kRegionRole: return column == kName && top;
    case kUnitRole:
        return isStatisticsText(column) ? QVariant()
            : column == kPercent        ? QString()
            : column == kCalls          ? QString("M")
                                        : QString("ms");
    default: return {};
    }
}

QVariant StatisticsModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    return columnHeaderData(kStatisticsHeaders, section, orientation, role, statisticsAlignment(section));
}

/// A region, or one of the locations that called it, counted from 1.
RowKey StatisticsModel::keyOf(const QModelIndex& index) const
{
    const auto place = static_cast<std::size_t>(index.row());
    if (index.internalId() == kTop) return {order_[place], 0};
    const auto row = static_cast<std::uint32_t>(index.internalId() - 1);
    return {row, childrenOf(row)[place] + std::uint64_t{1}};
}

QModelIndex StatisticsModel::indexOfKey(RowKey key, int column) const
{
    const auto [row, child] = key;
    if (child == 0) return createIndex(placeOf_[row], column, kTop);
    const auto& children = childrenOf(static_cast<std::uint32_t>(row));
    const auto place = std::find(children.begin(), children.end(), child - 1) - children.begin();
    return createIndex(static_cast<int>(place), column, quintptr{row} + 1);
}

}  // namespace skein
