// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/scene/tree/compared_rows.h"
#include "views/common/table/column_headers.h"

#include <QString>
#include <QVariant>

#include <cstddef>
#include <optional>

/// Columns of tables that show two runs beside each other. They stand behind the column of names.
namespace skein {

/// Behind these stand those of ComparedRows::derived.
enum class ComparedColumn { A, B, Difference, Ratio, SpeedUp, Other, Verdict };
inline constexpr int kComparedColumns = 7;

/// What A, B and their ratios are of; ComparedColumn::Other is the difference of the other one.
enum class ComparedAmount { Inclusive, Exclusive };

/// What one table shows of a comparison.
struct ComparedCells {
    ComparedRowsPtr compared;  ///< null: nothing is compared
    ComparedAmount amount = ComparedAmount::Inclusive;

    explicit operator bool() const { return compared != nullptr; }
    /// All of them, with those of expressions.
    int columns() const;
    /// Of a table with names in front; nullopt: none of these.
    std::optional<ComparedColumn> at(int tableColumn) const;
    double value(std::size_t row, ComparedColumn column) const;
    QString text(std::size_t row, ComparedColumn column) const;
    QString toolTip(std::size_t row, ComparedColumn column) const;
    /// As kUnitRole wants it.
    QVariant unit(ComparedColumn column) const;
    QVariant header(ComparedColumn column, int role) const;
    static ColumnAlignment alignment(ComparedColumn column);
    /// "A: run1 · B: run2", and why an expression has no values, for a line above the table.
    QString note() const;

private:
    const DerivedColumn* derivedAt(ComparedColumn column) const;
};

}  // namespace skein
