// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene_accessible.h"

#include "views/common/scene_view.h"
#include "views/common/utf8_text.h"

#include <QAccessible>
#include <QAccessibleWidget>

#include <algorithm>
#include <map>
#include <utility>

namespace skein {
namespace {

class SceneTable;

/// One text of a picture.
class SceneCell : public QAccessibleInterface, public QAccessibleTableCellInterface {
public:
    SceneCell(SceneTable& table, int row, int column) : table_(table), row_(row), column_(column) {}

    bool isValid() const override;
    QObject* object() const override { return nullptr; }
    QWindow* window() const override;
    QAccessibleInterface* childAt(int, int) const override { return nullptr; }
    QAccessibleInterface* parent() const override;
    QAccessibleInterface* child(int) const override { return nullptr; }
    int childCount() const override { return 0; }
    int indexOfChild(const QAccessibleInterface*) const override { return -1; }
    QString text(QAccessible::Text kind) const override;
    void setText(QAccessible::Text, const QString&) override {}
    QRect rect() const override;
    QAccessible::Role role() const override { return QAccessible::Cell; }
    QAccessible::State state() const override { return {}; }
    void* interface_cast(QAccessible::InterfaceType type) override
    {
        return type == QAccessible::TableCellInterface ? static_cast<QAccessibleTableCellInterface*>(this)
                                                       : nullptr;
    }
    bool isSelected() const override { return false; }
    QList<QAccessibleInterface*> columnHeaderCells() const override { return {}; }
    QList<QAccessibleInterface*> rowHeaderCells() const override { return {}; }
    int columnIndex() const override { return column_; }
    int rowIndex() const override { return row_; }
    int columnExtent() const override { return 1; }
    int rowExtent() const override { return 1; }
    QAccessibleInterface* table() const override;

private:
    SceneTable& table_;
    int row_;
    int column_;
};

/// A picture as a table: the values that its colours tell, then its lines of text, and in each its texts.
class SceneTable : public QAccessibleWidget, public QAccessibleTableInterface {
public:
    explicit SceneTable(SceneView* view) : QAccessibleWidget(view, QAccessible::Table), view_(view) {}
    ~SceneTable() override
    {
        for (const auto& [place, id] : cells_) QAccessible::deleteAccessibleInterface(id);
    }

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::TableInterface) return static_cast<QAccessibleTableInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    const std::vector<std::vector<std::string>>& rows() const { return view_->readableRows(); }
    const SceneView& view() const { return *view_; }

    int rowCount() const override { return static_cast<int>(rows().size()); }
    int columnCount() const override
    {
        std::size_t most = 0;
        for (const auto& row : rows()) most = std::max(most, row.size());
        return static_cast<int>(most);
    }
    QAccessibleInterface* cellAt(int row, int column) const override
    {
        if (row < 0 || column < 0 || row >= rowCount() || column >= columnCount()) return nullptr;
        const auto [known, added] = cells_.try_emplace({row, column}, 0);
        if (added)
            known->second = QAccessible::registerAccessibleInterface(
                new SceneCell(const_cast<SceneTable&>(*this), row, column));
        return QAccessible::accessibleInterface(known->second);
    }
    int childCount() const override { return rowCount() * columnCount(); }
    QAccessibleInterface* child(int index) const override
    {
        const int columns = columnCount();
        return columns > 0 ? cellAt(index / columns, index % columns) : nullptr;
    }
    int indexOfChild(const QAccessibleInterface* child) const override
    {
        const auto* cell = child ? const_cast<QAccessibleInterface*>(child)->tableCellInterface() : nullptr;
        return cell ? cell->rowIndex() * columnCount() + cell->columnIndex() : -1;
    }
    QAccessibleInterface* caption() const override { return nullptr; }
    QAccessibleInterface* summary() const override { return nullptr; }
    /// The title of a table of values; texts that stand below each other have none.
    QString columnDescription(int column) const override
    {
        const auto& all = rows();
        const auto at = static_cast<std::size_t>(std::max(0, column));
        return view_->readableTableRows() > 0 && column >= 0 && at < all.front().size()
            ? toQString(all.front()[at])
            : QString();
    }
    QString rowDescription(int row) const override
    {
        return row >= 0 && row < rowCount() && !rows()[static_cast<std::size_t>(row)].empty()
            ? toQString(rows()[static_cast<std::size_t>(row)].front())
            : QString();
    }
    int selectedCellCount() const override { return 0; }
    QList<QAccessibleInterface*> selectedCells() const override { return {}; }
    int selectedColumnCount() const override { return 0; }
    int selectedRowCount() const override { return 0; }
    QList<int> selectedColumns() const override { return {}; }
    QList<int> selectedRows() const override { return {}; }
    bool isColumnSelected(int) const override { return false; }
    bool isRowSelected(int) const override { return false; }
    bool selectRow(int) override { return false; }
    bool selectColumn(int) override { return false; }
    bool unselectRow(int) override { return false; }
    bool unselectColumn(int) override { return false; }
    void modelChange(QAccessibleTableModelChangeEvent*) override {}

private:
    SceneView* view_;
    mutable std::map<std::pair<int, int>, QAccessible::Id> cells_;
};

bool SceneCell::isValid() const { return row_ < table_.rowCount() && column_ < table_.columnCount(); }
QWindow* SceneCell::window() const { return table_.window(); }
QAccessibleInterface* SceneCell::parent() const { return &table_; }
QAccessibleInterface* SceneCell::table() const { return &table_; }
QRect SceneCell::rect() const { return table_.rect(); }

QString SceneCell::text(QAccessible::Text kind) const
{
    if (kind != QAccessible::Name && kind != QAccessible::Value) return {};
    const auto& rows = table_.rows();
    const auto row = static_cast<std::size_t>(row_), column = static_cast<std::size_t>(column_);
    return row < rows.size() && column < rows[row].size() ? toQString(rows[row][column]) : QString();
}

QAccessibleInterface* sceneTableOf(const QString&, QObject* object)
{
    auto* view = qobject_cast<SceneView*>(object);
    return view ? new SceneTable(view) : nullptr;
}

}  // namespace

void makeScenesAccessible()
{
    static const bool installed = [] {
        QAccessible::installFactory(sceneTableOf);
        return true;
    }();
    static_cast<void>(installed);
}

}  // namespace skein
