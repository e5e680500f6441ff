// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/table/compared_cells.h"

#include "views/common/table/derived_header.h"
#include "views/common/table/number_text.h"
#include "views/common/table/region_text.h"
#include "views/common/utf8_text.h"

#include <QCoreApplication>

#include <cmath>
#include <limits>

namespace skein {
namespace {

constexpr ColumnHeader kInclusiveHeaders[] = {
    {"A", "Inclusive amount in the first run"},
    {"B", "Inclusive amount in the second run"},
    {"B − A", "By how much the inclusive amount grew"},
    {"B / A", "The second run as a part of the first"},
    {"Speed-up", "A / B: how many times as fast the second run is"},
    {"Own B − A", "By how much the exclusive amount grew: where the change happened"},
    {"Verdict", "Whether the exclusive amount is more or less; changes below 1 % are the same"}};

constexpr ColumnHeader kExclusiveHeaders[] = {
    {"A", "Exclusive amount in the first run"},
    {"B", "Exclusive amount in the second run"},
    {"B − A", "By how much the exclusive amount grew"},
    {"B / A", "The second run as a part of the first"},
    {"Speed-up", "A / B: how many times as fast the second run is"},
    {"Incl. B − A", "By how much the inclusive amount grew"},
    {"Verdict", "Whether the exclusive amount is more or less; changes below 1 % are the same"}};

bool isAmount(ComparedColumn column)
{
    return column != ComparedColumn::Ratio && column != ComparedColumn::SpeedUp
        && column != ComparedColumn::Verdict;
}

}  // namespace

int ComparedCells::columns() const
{
    return compared ? kComparedColumns + static_cast<int>(compared->derived.size()) : 0;
}

std::optional<ComparedColumn> ComparedCells::at(int tableColumn) const
{
    if (tableColumn < 1 || tableColumn > columns()) return std::nullopt;
    return static_cast<ComparedColumn>(tableColumn - 1);
}

const DerivedColumn* ComparedCells::derivedAt(ComparedColumn column) const
{
    const int place = static_cast<int>(column) - kComparedColumns;
    return place < 0 ? nullptr : &compared->derived[static_cast<std::size_t>(place)];
}

double ComparedCells::value(std::size_t row, ComparedColumn column) const
{
    if (const DerivedColumn* derived = derivedAt(column)) return derived->values[row];
    const bool inclusive = amount == ComparedAmount::Inclusive;
    const ChangeEstimate& own = (inclusive ? compared->inclusive : compared->exclusive)[row];
    const ChangeEstimate& other = (inclusive ? compared->exclusive : compared->inclusive)[row];
    switch (column) {
    case ComparedColumn::A: return own.a;
    case ComparedColumn::B: return own.b;
    case ComparedColumn::Difference: return own.difference();
    case ComparedColumn::Ratio: return own.ratio();
    case ComparedColumn::SpeedUp:
        return own.b == 0.0 ? std::numeric_limits<double>::quiet_NaN() : own.a / own.b;
    case ComparedColumn::Other: return other.difference();
    case ComparedColumn::Verdict: break;
    }
    return static_cast<double>(compared->verdicts[row]);
}

QString ComparedCells::text(std::size_t row, ComparedColumn column) const
{
    if (column == ComparedColumn::Verdict) return toQString(std::string(name(compared->verdicts[row])));
    const double number = value(row, column);
    if (const DerivedColumn* derived = derivedAt(column))
        return derived->unit == "ns" ? tableDuration(number) : tableNumber(number);
    return isAmount(column) && compared->rows.time ? tableDuration(number) : tableNumber(number);
}

QString ComparedCells::toolTip(std::size_t row, ComparedColumn column) const
{
    if (column == ComparedColumn::Verdict) return {};
    if (const DerivedColumn* derived = derivedAt(column)) return toQString(derivedText(*derived, row));
    const double number = value(row, column);
    return isAmount(column) && compared->rows.time ? exactDuration(number) : exactNumber(number);
}

QVariant ComparedCells::unit(ComparedColumn column) const
{
    if (column == ComparedColumn::Verdict) return {};
    if (const DerivedColumn* derived = derivedAt(column))
        return derived->unit == "ns" ? QString("ms") : QString("M");
    if (!isAmount(column)) return QString();
    return compared->rows.time ? QString("ms") : QString("M");
}

QVariant ComparedCells::header(ComparedColumn column, int role) const
{
    if (const DerivedColumn* derived = derivedAt(column)) {
        if (role == Qt::DisplayRole) return derivedTitle(*derived);
        if (role == Qt::TextAlignmentRole) return alignmentData(alignment(column));
        return role == Qt::ToolTipRole ? derivedHint(*derived) : QVariant();
    }
    if (role == Qt::ToolTipRole && column == ComparedColumn::A)
        return QCoreApplication::translate("Columns", "The first run: %1").arg(toQString(compared->titleA));
    if (role == Qt::ToolTipRole && column == ComparedColumn::B)
        return QCoreApplication::translate("Columns", "The second run: %1").arg(toQString(compared->titleB));
    return columnHeaderData(amount == ComparedAmount::Inclusive
                                ? std::span<const ColumnHeader>(kInclusiveHeaders)
                                : std::span<const ColumnHeader>(kExclusiveHeaders),
                            static_cast<int>(column), Qt::Horizontal, role, alignment(column));
}

ColumnAlignment ComparedCells::alignment(ComparedColumn column)
{
    return column == ComparedColumn::Verdict ? ColumnAlignment::Left : ColumnAlignment::Right;
}

QString ComparedCells::note() const
{
    QString words = QCoreApplication::translate("Columns", "A: %1 · B: %2")
                        .arg(toQString(compared->titleA), toQString(compared->titleB));
    for (const DerivedColumn& derived : compared->derived)
        if (!derived.problem.empty()) words += " · " + toQString(derived.problem);
    return words;
}

}  // namespace skein
