// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/cell_data.h"

#include "core/base/natural_order.h"
#include "core/base/units.h"
#include "views/common/table/column_headers.h"
#include "views/common/table/number_text.h"
#include "views/common/table/row_places.h"
#include "views/common/table/table_delegate.h"
#include "views/common/utf8_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace skein {
namespace {

constexpr std::size_t kElidedFrom = 24;  ///< letters; longer texts may be elided: they are told whole

QString cellText(const TableCell& cell, CellKind kind)
{
    if (const auto* text = std::get_if<std::string>(&cell)) return toQString(*text);
    if (const auto* worded = std::get_if<WordedNumber>(&cell)) return toQString(worded->text);
    const double value = std::get<double>(cell);
    switch (kind) {
    case CellKind::Bytes: return toQString(formatBytes(value));
    case CellKind::Count: return tableCount(value);
    case CellKind::Percent: return tablePercent(value);
    case CellKind::Duration: return tableDuration(value);
    default: return tableNumber(value);
    }
}

std::optional<double> numberOf(const TableCell& cell)
{
    if (const auto* worded = std::get_if<WordedNumber>(&cell)) return worded->value;
    if (const auto* value = std::get_if<double>(&cell)) return *value;
    return std::nullopt;
}

/// Of the numbers behind the texts; empty: they have none.
QString exactUnit(CellKind kind)
{
    switch (kind) {
    case CellKind::Bytes: return "bytes";
    case CellKind::Duration: return "ns";
    case CellKind::Percent: return "%";
    default: return {};
    }
}

}  // namespace

std::vector<double> greatestOfColumns(std::size_t columns, const std::vector<std::vector<TableCell>>& rows)
{
    std::vector<double> most(columns, 0);
    for (const auto& row : rows)
        for (std::size_t i = 0; i < row.size(); ++i)
            if (const auto* value = std::get_if<double>(&row[i])) most[i] = std::max(most[i], *value);
    return most;
}

QVariant cellData(const TableCell& cell, CellKind kind, double most, int role)
{
    const auto* value = std::get_if<double>(&cell);
    const std::optional<double> number = numberOf(cell);
    switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole: return cellText(cell, kind);
    case kSortRole: return number ? QVariant(*number) : QVariant(cellText(cell, kind));
    case Qt::TextAlignmentRole:
        return QVariant((number || kind != CellKind::Text ? Qt::AlignRight : Qt::AlignLeft)
                        | Qt::AlignVCenter);
    case Qt::ToolTipRole:
        if (const auto* text = std::get_if<std::string>(&cell); text && text->size() >= kElidedFrom)
            return toQString(*text);
        return {};
    case kBarRole:
        if (value && std::isfinite(*value) && most > 0 && kind != CellKind::Number) return *value / most;
        return {};
    default: return {};
    }
}

QVariant cellHeaderData(const CellColumn& column, int role)
{
    if (role == Qt::DisplayRole) return column.title;
    if (role == kExactUnitRole) return exactUnit(column.kind);
    if (role == Qt::ToolTipRole && !column.toolTip.isEmpty()) return column.toolTip;
    const auto alignment = column.kind == CellKind::Text ? ColumnAlignment::Left : ColumnAlignment::Right;
    if (role == Qt::TextAlignmentRole) return alignmentData(alignment);
    return role == Qt::InitialSortOrderRole ? initialOrderData(alignment) : QVariant();
}

bool cellBefore(const TableCell& left, const TableCell& right, Qt::SortOrder order)
{
    const std::optional<double> x = numberOf(left), y = numberOf(right);
    if (x && y) return numberBefore(*x, *y, order);
    if (x || y) return x.has_value();
    const auto &a = std::get<std::string>(left), &b = std::get<std::string>(right);
    return order == Qt::AscendingOrder ? NaturalOrder()(a, b) : NaturalOrder()(b, a);
}

}  // namespace skein
