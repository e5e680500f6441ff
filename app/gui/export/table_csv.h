// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QByteArray>
#include <QString>

class QTreeView;
class QWidget;

namespace skein::gui {

/// The table of a panel: of several that with the keyboard, else the largest that is shown with rows; null
/// where it has none.
const QTreeView* tableOf(const QWidget& view);

/// The rows of a table that are loaded, unfolded or not, as RFC 4180 has it: columns that are shown, in their
/// order, after a column "level" where rows have others below them. Numbers are those behind the shown text,
/// without a locale: durations in ns, sizes in bytes, as the header says. O(cells).
QByteArray tableCsv(const QTreeView& table);

/// Errors: those of writeFile().
Result<void> saveTable(const QTreeView& table, const QString& file);

}  // namespace skein::gui
