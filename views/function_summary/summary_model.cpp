// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/function_summary/summary_model.h"

#include "views/common/table/column_headers.h"
#include "views/common/table/derived_header.h"
#include "views/common/table/number_text.h"
#include "views/common/table/region_text.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"
#include "views/common/theme.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace skein {
namespace {

bool isSummaryText(int column)
{
    return column == SummaryModel::kName || column == SummaryModel::kComponent
        || column == SummaryModel::kWorst;
}

bool isCount(int column) { return column == SummaryModel::kCalls || column == SummaryModel::kLocations; }

ColumnAlignment summaryAlignment(int column)
{
    return isSummaryText(column) ? ColumnAlignment::Left : ColumnAlignment::Right;
}

constexpr ColumnHeader kSummaryHeaders[] = {
    {"Region", "What ran"},
    {"% exclusive", "Exclusive time as a part of all, bars relative to the greatest"},
    {"Exclusive", "Time in the region itself, over all locations"},
    {"Inclusive", "Time in the region and all that it called, over all locations"},
    {"Calls", "How often it was called, over all locations"},
    {"Mean", "Inclusive time of a call that no edge of the window cuts"},
    {"Min", "The shortest call that no edge of the window cuts; known from traces only"},
    {"Max", "The longest call that no edge of the window cuts; known from traces only"},
    {"Locations", "Locations that met the region"},
    {"Max/mean by location",
     "Imbalance: inclusive time of the location with most by the mean over all locations of the scope"},
    {"Lost by location",
     "Inclusive time of the location with most less the mean: what an even division would gain"},
    {"Worst", "The location with most; a click selects it"},
    {"Archive", "Where it was recorded"},
    {"Expression", "A metric by expression"}};

}  // namespace

void SummaryModel::setRows(SummaryRows rows, const Session& session)
{
    beginResetModel();
    rows_ = std::move(rows);
    compared_ = {};
    components_.clear();
    for (const ExperimentPtr& experiment : session.experiments)
        components_.push_back(QString::fromStdString(experiment->name));
    greatestPart_ = 0.0;
    for (const SummaryRow& row : rows_.rows) greatestPart_ = std::max(greatestPart_, value(row, kPercent));
    arrange();
    endResetModel();
}

void SummaryModel::setCompared(ComparedRowsPtr compared)
{
    beginResetModel();
    rows_ = {};
    rows_.time = compared->rows.time;
    for (std::size_t number = 0; number < compared->rows.rows.size(); ++number) {
        const CallTreeRow& row = compared->rows.rows[number];
        SummaryRow region{row.experiment, {}, {}};
        region.region.name = row.name;
        region.region.regions = row.regions;
        rows_.rows.push_back(std::move(region));
    }
    compared_ = {std::move(compared), ComparedAmount::Exclusive};
    greatestPart_ = 0.0;
    arrange();
    endResetModel();
}

std::size_t SummaryModel::numberOf(const SummaryRow& row) const
{
    return static_cast<std::size_t>(&row - rows_.rows.data());
}

std::optional<ComparedColumn> SummaryModel::comparedAt(int column) const { return compared_.at(column); }

bool SummaryModel::isText(int column) const
{
    if (const auto compared = comparedAt(column)) return *compared == ComparedColumn::Verdict;
    return isSummaryText(column);
}

void SummaryModel::clear()
{
    beginResetModel();
    rows_ = {};
    compared_ = {};
    order_.clear();
    endResetModel();
}

void SummaryModel::setPalettes(std::vector<RegionPalette> palettes)
{
    palettes_ = std::move(palettes);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, kName), index(rowCount() - 1, kName), {kSwatchRole});
}

void SummaryModel::setFilter(const QString& text)
{
    if (text == filter_) return;
    beginResetModel();
    filter_ = text;
    arrange();
    endResetModel();
}

void SummaryModel::arrange()
{
    order_.clear();
    for (std::uint32_t i = 0; i < rows_.rows.size(); ++i) {
        const QString name = QString::fromStdString(rows_.rows[i].region.name);
        if (filter_.isEmpty() || name.contains(filter_, Qt::CaseInsensitive)) order_.push_back(i);
    }
    if (isText(sortColumn()))
        sortByText(order_, sortOrder(),
                   [this](std::uint32_t row) { return text(rows_.rows[row], sortColumn()); });
    else
        sortByNumber(order_, sortOrder(),
                     [this](std::uint32_t row) { return value(rows_.rows[row], sortColumn()); });
    placeOf_ = placesOf(order_, rows_.rows.size());
}

int SummaryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

int SummaryModel::columnCount(const QModelIndex& parent) const
{
    if (parent.isValid()) return 0;
    if (compared_) return 1 + compared_.columns();
    return rows_.derived.expression.empty() ? static_cast<int>(kDerived) : static_cast<int>(kColumnCount);
}

double SummaryModel::value(const SummaryRow& row, int column) const
{
    if (const auto compared = comparedAt(column)) return compared_.value(numberOf(row), *compared);
    const ProfileValues& values = row.region.values;
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const bool single = values.durations.count > 0.0;
    switch (column) {
    case kPercent: return rows_.totalExclusive > 0.0 ? values.exclusive / rows_.totalExclusive : 0.0;
    case kExclusive: return values.exclusive;
    case kInclusive: return values.inclusive;
    case kCalls: return values.calls;
    case kMean: return values.mean().value_or(unknown);
    case kMinimum: return single ? values.durations.minimum : unknown;
    case kMaximum: return single ? values.durations.maximum : unknown;
    case kLocations: return static_cast<double>(row.region.locations);
    case kImbalance: return row.region.balance.imbalance().value_or(unknown);
    case kLost: return row.region.balance.worst.valid() ? row.region.balance.lost() : unknown;
    case kDerived: return rows_.derived.values.empty() ? unknown : rows_.derived.values[numberOf(row)];
    default: return unknown;
    }
}

QString SummaryModel::text(const SummaryRow& row, int column) const
{
    if (column == kName) return shortRegionName(row.region.name);
    if (const auto compared = comparedAt(column)) return compared_.text(numberOf(row), *compared);
    if (column == kWorst) return QString::fromStdString(row.worst);
    if (column == kComponent)
        return row.experiment < components_.size() ? components_[row.experiment] : QString();
    const double number = value(row, column);
    if (column == kPercent) return tablePercent(number);
    if (isCount(column)) return tableCount(number);
    if (column == kImbalance) return tableNumber(number);
    if (column == kDerived) return rows_.derived.unit == "ns" ? tableDuration(number) : tableNumber(number);
    return rows_.time ? tableDuration(number) : tableNumber(number);
}

QString SummaryModel::toolTip(const SummaryRow& row, int column) const
{
    if (column == kName) return regionToolTip(row.region.name);
    if (const auto compared = comparedAt(column)) return compared_.toolTip(numberOf(row), *compared);
    if (isSummaryText(column) || column == kPercent) return {};
    if (column == kDerived) return toQString(derivedText(rows_.derived, numberOf(row)));
    return isCount(column) || column == kImbalance || !rows_.time ? exactNumber(value(row, column))
                                                                  : exactDuration(value(row, column));
}

QVariant SummaryModel::unit(int column) const
{
    if (const auto compared = comparedAt(column)) return compared_.unit(*compared);
    if (isSummaryText(column)) return {};
    if (column == kPercent || column == kImbalance) return QString();
    if (column == kDerived) return rows_.derived.unit == "ns" ? QString("ms") : QString("M");
    return isCount(column) || !rows_.time ? QString("M") : QString("ms");
}

QVariant SummaryModel::swatchOf(const SummaryRow& row) const
{
    if (row.region.regions.empty() || row.experiment >= palettes_.size()) return {};
    return toQColor(palettes_[row.experiment].color(row.region.regions.front()));
}

QVariant SummaryModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const SummaryRow& found = row(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(found, column);
    case Qt::ToolTipRole: return toolTip(found, column);
    case Qt::TextAlignmentRole:
        return alignmentData(isText(column) ? ColumnAlignment::Left : ColumnAlignment::Right);
    case kBarRole:
        return column == kPercent && !compared_ && greatestPart_ > 0.0
            ? QVariant(value(found, column) / greatestPart_)
            : QVariant();
    case kSortRole: return isText(column) ? QVariant(text(found, column)) : QVariant(value(found, column));
    case kSwatchRole: return column == kName ? swatchOf(found) : QVariant();
    case kRegionRole: return column == kName;
    case kUnitRole: return unit(column);
    default: return {};
    }
}

QVariant SummaryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (const auto compared = comparedAt(section); compared && orientation == Qt::Horizontal)
        return compared_.header(*compared, role);
    if (section == kDerived && orientation == Qt::Horizontal) {
        if (role == Qt::DisplayRole) return derivedTitle(rows_.derived);
        if (role == Qt::ToolTipRole) return derivedHint(rows_.derived);
    }
    return columnHeaderData(kSummaryHeaders, section, orientation, role, summaryAlignment(section));
}

RowKey SummaryModel::keyOf(const QModelIndex& index) const
{
    return {order_[static_cast<std::size_t>(index.row())], 0};
}

QModelIndex SummaryModel::indexOfKey(RowKey key, int column) const
{
    return index(placeOf_[key.first], column);
}

}  // namespace skein
