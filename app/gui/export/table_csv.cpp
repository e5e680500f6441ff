// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/table_csv.h"

#include "core/base/csv.h"
#include "core/base/output_file.h"
#include "views/common/table/table_delegate.h"

#include <QHeaderView>
#include <QTreeView>

#include <algorithm>
#include <vector>

namespace skein::gui {
namespace {

QByteArray quoted(const QString& text)
{
    std::string field;
    appendCsv(field, text.toStdString());
    return QByteArray::fromStdString(field);
}

std::vector<int> shownColumns(const QTreeView& table)
{
    std::vector<int> columns;
    for (int place = 0; place < table.header()->count(); ++place)
        if (const int column = table.header()->logicalIndex(place); !table.isColumnHidden(column))
            columns.push_back(column);
    return columns;
}

bool isNumber(const QVariant& value)
{
    const int type = value.typeId();
    return type == QMetaType::Double || type == QMetaType::Int || type == QMetaType::LongLong
        || type == QMetaType::ULongLong || type == QMetaType::UInt;
}

/// The unit of the number behind a shown text such as "3.05 ms".
QString unitBehind(const QString& text)
{
    const QString unit = text.section(' ', -1);
    if (unit == "ns" || unit == "µs" || unit == "ms" || unit == "s") return "ns";
    return unit.endsWith('B') && text.contains(' ') ? "bytes" : QString();
}

QString headerOf(const QAbstractItemModel& model, int column)
{
    const QString title = model.headerData(column, Qt::Horizontal).toString();
    constexpr int kLookedAt = 50;
    for (int row = 0; row < std::min(model.rowCount(), kLookedAt); ++row) {
        const QModelIndex cell = model.index(row, column);
        const QString unit = isNumber(cell.data(kSortRole)) ? unitBehind(cell.data().toString()) : QString();
        if (!unit.isEmpty()) return QString("%1 [%2]").arg(title, unit);
    }
    return title;
}

/// Shares are parts of one to sort by, and percent to read: "% exclusive".
bool isPercent(const QModelIndex& cell)
{
    return cell.model()->headerData(cell.column(), Qt::Horizontal).toString().startsWith('%');
}

QByteArray textOf(const QModelIndex& cell)
{
    const QVariant exact = cell.data(kSortRole);
    if (isNumber(exact)) return QByteArray::number(exact.toDouble() * (isPercent(cell) ? 100 : 1), 'g', 17);
    return quoted(cell.data().toString());
}

class TableWriter {
public:
    TableWriter(const QTreeView& table, bool levels)
        : model_(*table.model()), columns_(shownColumns(table)), levels_(levels)
    {
    }

    QByteArray write()
    {
        if (levels_) text_ += "level,";
        for (std::size_t i = 0; i < columns_.size(); ++i)
            text_ += (i > 0 ? "," : "") + quoted(headerOf(model_, columns_[i]));
        text_ += '\n';
        writeBelow({}, 0);
        return text_;
    }

private:
    void writeBelow(const QModelIndex& parent, int level)
    {
        for (int row = 0; row < model_.rowCount(parent); ++row) {
            if (levels_) text_ += QByteArray::number(level) + ',';
            for (std::size_t i = 0; i < columns_.size(); ++i)
                text_ += (i > 0 ? "," : "") + textOf(model_.index(row, columns_[i], parent));
            text_ += '\n';
            writeBelow(model_.index(row, 0, parent), level + 1);
        }
    }

    const QAbstractItemModel& model_;
    std::vector<int> columns_;
    bool levels_;
    QByteArray text_;
};

bool hasLevels(const QAbstractItemModel& model)
{
    for (int row = 0; row < model.rowCount(); ++row)
        if (model.rowCount(model.index(row, 0)) > 0) return true;
    return false;
}

}  // namespace

const QTreeView* tableOf(const QWidget& view) { return view.findChild<QTreeView*>(); }

QByteArray tableCsv(const QTreeView& table) { return TableWriter(table, hasLevels(*table.model())).write(); }

Result<void> saveTable(const QTreeView& table, const QString& file)
{
    const QByteArray text = tableCsv(table);
    return writeFile(file.toStdString(), std::string_view(text.constData(), text.size()));
}

}  // namespace skein::gui
