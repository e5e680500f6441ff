// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/table_csv.h"

#include "core/base/csv.h"
#include "core/base/output_file.h"
#include "views/common/table/table_text.h"

#include <QHeaderView>
#include <QTreeView>

#include <tuple>
#include <vector>

namespace skein::gui {
namespace {

QByteArray quoted(const QString& text)
{
    std::string field;
    appendCsv(field, text.toStdString());
    return QByteArray::fromStdString(field);
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
            text_ += (i > 0 ? "," : "") + quoted(exactHeader(model_, columns_[i]));
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
                text_ += (i > 0 ? "," : "") + quoted(exactText(model_.index(row, columns_[i], parent)));
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

const QTreeView* tableOf(const QWidget& view)
{
    const auto rank = [&view](const QTreeView* table) {
        const bool rows = table->model() && table->model()->rowCount() > 0;
        const bool shown = rows && table->isVisibleTo(&view);
        return std::tuple(table->hasFocus(), shown, rows, shown ? table->width() * table->height() : 0);
    };
    const QTreeView* best = nullptr;
    for (const QTreeView* table : view.findChildren<QTreeView*>())
        if (!best || rank(table) > rank(best)) best = table;
    return best;
}

QByteArray tableCsv(const QTreeView& table) { return TableWriter(table, hasLevels(*table.model())).write(); }

Result<void> saveTable(const QTreeView& table, const QString& file)
{
    const QByteArray text = tableCsv(table);
    return writeFile(file.toStdString(), std::string_view(text.constData(), text.size()));
}

}  // namespace skein::gui
