// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/call_tree/call_tree_model.h"

#include "core/base/units.h"
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

constexpr double kHotPart = 0.5;

bool isCallTreeText(int column) { return column == CallTreeModel::kName || column == CallTreeModel::kWorst; }

ColumnAlignment callTreeAlignment(int column)
{
    return isCallTreeText(column) ? ColumnAlignment::Left : ColumnAlignment::Right;
}

constexpr ColumnHeader kCallTreeHeaders[] = {
    {"Call path", "What was called from where"},
    {"% incl.", "Inclusive time as a part of the whole"},
    {"Inclusive", "Time in the call and all that it called, over all locations"},
    {"Exclusive", "Time in the call itself, over all locations"},
    {"Calls", "How often it was called, over all locations"},
    {"Mean", "Inclusive time of a call that no edge of the window cuts"},
    {"Min", "The shortest call that no edge of the window cuts; known from traces only"},
    {"Max", "The longest call that no edge of the window cuts; known from traces only"},
    {"Max/mean by location",
     "Imbalance: inclusive time of the location with most by the mean over all locations of the scope"},
    {"Lost by location",
     "Inclusive time of the location with most less the mean: what an even division would gain"},
    {"Worst", "The location with most; a click selects it"},
    {"Expression", "A metric by expression"}};

}  // namespace

CallTreeModel::CallTreeModel(QObject* parent)
    : SortedModel(kInclusive, Qt::DescendingOrder, parent), rows_(std::make_shared<const CallTreeRows>())
{
    rebuild();
}

void CallTreeModel::setRows(std::shared_ptr<const CallTreeRows> rows, std::vector<RegionPalette> palettes,
                            DerivedColumn derived)
{
    beginResetModel();
    rows_ = std::move(rows);
    derived_ = std::move(derived);
    palettes_ = std::move(palettes);
    compared_ = {};
    rebuild();
    endResetModel();
}

void CallTreeModel::setCompared(ComparedRowsPtr compared)
{
    beginResetModel();
    rows_ = std::shared_ptr<const CallTreeRows>(compared, &compared->rows);
    derived_ = {};
    compared_ = {std::move(compared), ComparedAmount::Inclusive};
    rebuild();
    endResetModel();
}

std::size_t CallTreeModel::numberOf(const CallTreeRow& row) const
{
    return static_cast<std::size_t>(&row - rows_->rows.data());
}

std::optional<ComparedColumn> CallTreeModel::comparedAt(int column) const { return compared_.at(column); }

bool CallTreeModel::isText(int column) const
{
    if (const auto compared = comparedAt(column)) return *compared == ComparedColumn::Verdict;
    return isCallTreeText(column);
}

void CallTreeModel::setPalettes(std::vector<RegionPalette> palettes)
{
    palettes_ = std::move(palettes);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, kName), index(rowCount() - 1, kName), {kSwatchRole});
}

void CallTreeModel::setFilter(const QString& text)
{
    if (filter_ == text.toStdString()) return;
    beginResetModel();
    filter_ = text.toStdString();
    rebuild();
    endResetModel();
}

/// Lists the children of every row that the filter keeps, in one pass over the preorder.
void CallTreeModel::rebuild()
{
    const auto& rows = rows_->rows;
    matches_ = matchRows(*rows_, filter_);
    offsets_.assign(rows.size() + 2, 0);
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (matches_[row]) ++offsets_[static_cast<std::size_t>(rows[row].parent + 1) + 1];
    for (std::size_t slot = 0; slot + 1 < offsets_.size(); ++slot) offsets_[slot + 1] += offsets_[slot];
    children_.resize(offsets_.back());
    std::vector<std::uint32_t> next(offsets_.begin(), offsets_.end() - 1);
    for (std::size_t row = 0; row < rows.size(); ++row)
        if (matches_[row])
            children_[next[static_cast<std::size_t>(rows[row].parent + 1)]++] =
                static_cast<std::uint32_t>(row);
    rowOf_.assign(rows.size(), 0);
    ordered_.assign(rows.size() + 1, 0);
    ++generation_;
}

std::int64_t CallTreeModel::nodeOf(const QModelIndex& index) const
{
    return index.isValid() ? static_cast<std::int64_t>(index.internalId()) : -1;
}

std::size_t CallTreeModel::slotOf(const QModelIndex& parent) const
{
    return static_cast<std::size_t>(nodeOf(parent) + 1);
}

std::span<std::uint32_t> CallTreeModel::childrenOf(std::size_t slot) const
{
    return {children_.data() + offsets_[slot], offsets_[slot + 1] - offsets_[slot]};
}

double CallTreeModel::value(const CallTreeRow& row, int column) const
{
    if (const auto compared = comparedAt(column)) return compared_.value(numberOf(row), *compared);
    const double unknown = std::numeric_limits<double>::quiet_NaN();
    const bool single = row.values.durations.count > 0.0;
    switch (column) {
    case kPercent: return row.total > 0.0 ? row.values.inclusive / row.total : 0.0;
    case kInclusive: return row.values.inclusive;
    case kExclusive: return row.values.exclusive;
    case kCalls: return row.callPaths.empty() && row.regions.empty() ? unknown : row.values.calls;
    case kMean: return row.values.mean().value_or(unknown);
    case kMinimum: return single ? row.values.durations.minimum : unknown;
    case kMaximum: return single ? row.values.durations.maximum : unknown;
    case kImbalance: return row.balance.imbalance().value_or(unknown);
    case kLost: return row.balance.worst.valid() ? row.balance.lost() : unknown;
    case kDerived: return derived_.values.empty() ? unknown : derived_.values[numberOf(row)];
    default: return unknown;
    }
}

bool CallTreeModel::before(std::uint32_t left, std::uint32_t right) const
{
    const CallTreeRow& a = rows_->rows[left];
    const CallTreeRow& b = rows_->rows[right];
    if (sortColumn() == kWorst && !compared_)
        return sortOrder() == Qt::AscendingOrder ? a.worst < b.worst : b.worst < a.worst;
    if (sortColumn() == kName) return sortOrder() == Qt::AscendingOrder ? a.name < b.name : b.name < a.name;
    return numberBefore(value(a, sortColumn()), value(b, sortColumn()), sortOrder());
}

void CallTreeModel::order(std::size_t slot) const
{
    if (ordered_[slot] == generation_) return;
    ordered_[slot] = generation_;
    const auto children = childrenOf(slot);
    std::sort(children.begin(), children.end());
    std::stable_sort(children.begin(), children.end(),
                     [this](std::uint32_t a, std::uint32_t b) { return before(a, b); });
    for (std::uint32_t place = 0; place < children.size(); ++place) rowOf_[children[place]] = place;
}

QModelIndex CallTreeModel::index(int row, int column, const QModelIndex& parent) const
{
    if (row < 0 || row >= rowCount(parent) || column < 0 || column >= columnCount()) return {};
    const std::size_t slot = slotOf(parent);
    order(slot);
    return createIndex(row, column, quintptr{childrenOf(slot)[static_cast<std::size_t>(row)]});
}

QModelIndex CallTreeModel::indexOf(std::int64_t node, int column) const
{
    if (node < 0 || static_cast<std::size_t>(node) >= rows_->rows.size()) return {};
    const auto at = static_cast<std::size_t>(node);
    if (!matches_[at]) return {};
    order(static_cast<std::size_t>(rows_->rows[at].parent + 1));
    return createIndex(static_cast<int>(rowOf_[at]), column, static_cast<quintptr>(at));
}

QModelIndex CallTreeModel::parent(const QModelIndex& child) const
{
    if (!child.isValid()) return {};
    return indexOf(rows_->rows[child.internalId()].parent);
}

int CallTreeModel::rowCount(const QModelIndex& parent) const
{
    if (parent.isValid() && parent.column() != kName) return 0;
    return static_cast<int>(childrenOf(slotOf(parent)).size());
}

int CallTreeModel::columnCount(const QModelIndex&) const
{
    if (compared_) return 1 + compared_.columns();
    return derived_.expression.empty() ? static_cast<int>(kDerived) : static_cast<int>(kColumnCount);
}

QString CallTreeModel::text(const CallTreeRow& row, int column) const
{
    if (const auto compared = comparedAt(column)) return compared_.text(numberOf(row), *compared);
    const double number = value(row, column);
    switch (column) {
    case kName: return shortRegionName(row.name);
    case kPercent: return tablePercent(number);
    case kCalls: return tableCount(number);
    case kImbalance: return tableNumber(number);
    case kWorst: return QString::fromStdString(row.worst);
    case kDerived: return derived_.unit == "ns" ? tableDuration(number) : tableNumber(number);
    default: return rows_->time ? tableDuration(number) : tableNumber(number);
    }
}

QString CallTreeModel::toolTip(const CallTreeRow& row, int column) const
{
    if (column == kName) return regionToolTip(row.name);
    if (const auto compared = comparedAt(column)) return compared_.toolTip(numberOf(row), *compared);
    if (column == kPercent || column == kWorst) return {};
    if (column == kDerived) return toQString(derivedText(derived_, numberOf(row)));
    const double number = value(row, column);
    return column == kCalls || column == kImbalance || !rows_->time ? exactNumber(number)
                                                                    : exactDuration(number);
}

QVariant CallTreeModel::unit(int column) const
{
    if (const auto compared = comparedAt(column)) return compared_.unit(*compared);
    if (isCallTreeText(column)) return {};
    if (column == kPercent || column == kImbalance) return QString();
    if (column == kDerived) return derived_.unit == "ns" ? QString("ms") : QString("M");
    return column == kCalls || !rows_->time ? QString("M") : QString("ms");
}

QVariant CallTreeModel::swatchOf(const CallTreeRow& row) const
{
    if (row.regions.empty() || row.experiment >= palettes_.size()) return {};
    return toQColor(palettes_[row.experiment].color(row.regions.front()));
}

QVariant CallTreeModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid()) return {};
    const CallTreeRow& row = rows_->rows[index.internalId()];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return toolTip(row, column);
    case Qt::TextAlignmentRole:
        return alignmentData(isText(column) ? ColumnAlignment::Left : ColumnAlignment::Right);
    case kBarRole: return column == kPercent && !compared_ ? QVariant(value(row, column)) : QVariant();
    case kSortRole:
        if (column == kWorst && !compared_) return QString::fromStdString(row.worst);
        return column == kName ? QVariant(QString::fromStdString(row.name)) : QVariant(value(row, column));
    case kSwatchRole: return column == kName ? swatchOf(row) : QVariant();
    case kRegionRole: return column == kName;
    case kUnitRole: return unit(column);
    default: return {};
    }
}

QVariant CallTreeModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (role == Qt::DisplayRole && section == kName && !rows_->hasTree) return tr("Region");
    if (const auto compared = comparedAt(section); compared && orientation == Qt::Horizontal)
        return compared_.header(*compared, role);
    if (section == kDerived && orientation == Qt::Horizontal) {
        if (role == Qt::DisplayRole) return derivedTitle(derived_);
        if (role == Qt::ToolTipRole) return derivedHint(derived_);
    }
    return columnHeaderData(kCallTreeHeaders, section, orientation, role, callTreeAlignment(section));
}

/// Siblings are put in order when they are looked at.
void CallTreeModel::arrange() { ++generation_; }

RowKey CallTreeModel::keyOf(const QModelIndex& index) const
{
    return {static_cast<std::uint64_t>(nodeOf(index)), 0};
}

QModelIndex CallTreeModel::indexOfKey(RowKey key, int column) const
{
    return indexOf(static_cast<std::int64_t>(key.first), column);
}

std::vector<std::int64_t> CallTreeModel::matches(std::size_t limit) const
{
    std::vector<std::int64_t> found;
    for (std::size_t row = 0; row < matches_.size() && found.size() < limit; ++row)
        if (matches_[row] == 2) found.push_back(static_cast<std::int64_t>(row));
    return found;
}

QModelIndex CallTreeModel::hotPathFrom(const QModelIndex& start) const
{
    std::int64_t node = nodeOf(start);
    for (;;) {
        const auto children = childrenOf(static_cast<std::size_t>(node + 1));
        if (children.empty()) break;
        const std::uint32_t hottest =
            *std::max_element(children.begin(), children.end(), [this](auto a, auto b) {
                return rows_->rows[a].values.inclusive < rows_->rows[b].values.inclusive;
            });
        const double below = rows_->rows[hottest].values.inclusive;
        if (node >= 0 && below < kHotPart * rows_->rows[static_cast<std::size_t>(node)].values.inclusive)
            break;
        node = hottest;
    }
    return indexOf(node);
}

}  // namespace skein
