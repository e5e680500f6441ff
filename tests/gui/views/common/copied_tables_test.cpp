// SPDX-License-Identifier: GPL-3.0-or-later
// What is copied from the tables of all panels is what they show, in one unit a column.
#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/picture_panel.h"
#include "views/common/table/table_text.h"
#include "views/common/table/table_tree.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QStackedWidget>
#include <QToolButton>

#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace skein::copied_tables_test {

namespace {

/// The number that a text such as "−3.05 ms" stands for, in ns, bytes or ones, and by how much it is rounded.
struct ReadNumber {
    double value = 0;
    double rounding = 0;
};

std::optional<ReadNumber> readNumber(QString text)
{
    static const std::map<QString, double> kUnits{{"", 1},
                                                  {"ns", 1},
                                                  {"µs", 1e3},
                                                  {"ms", 1e6},
                                                  {"s", 1e9},
                                                  {"B", 1},
                                                  {"KiB", 1024},
                                                  {"MiB", 1024.0 * 1024},
                                                  {"hops", 1},
                                                  {"hop", 1},
                                                  {"GiB", std::pow(1024.0, 3)},
                                                  {"k", 1e3},
                                                  {"M", 1e6},
                                                  {"G", 1e9},
                                                  {"T", 1e12},
                                                  {"%", 1},
                                                  {"messages", 1}};
    text = text.trimmed().replace(QString("−"), "-").remove(QChar(0x202f)).remove(QChar(0xa0));
    if (text.startsWith('+')) text.remove(0, 1);
    const QString number = text.section(' ', 0, 0), unit = text.section(' ', 1);
    bool reads = false;
    const double value = QString(number).remove(',').toDouble(&reads);
    const auto factor = kUnits.find(unit);
    if (!reads || factor == kUnits.end()) return std::nullopt;
    const int digits = number.contains('.') ? static_cast<int>(number.section('.', 1).size()) : 0;
    // Some texts have three digits, others as many as are written.
    const double rounding = std::max(0.51 * std::pow(10.0, -digits), 0.006 * std::fabs(value));
    return ReadNumber{value * factor->second, rounding * factor->second};
}

struct Counted {
    int tables = 0, numbers = 0;
};

void compareBelow(const TableTree& table, const QModelIndex& parent, Counted& counted)
{
    constexpr int kRows = 12;
    const QAbstractItemModel& model = *table.model();
    for (int row = 0; row < std::min(kRows, model.rowCount(parent)); ++row)
        for (int column = 0; column < model.columnCount(); ++column) {
            const QModelIndex cell = model.index(row, column, parent);
            const auto shown = readNumber(cell.data().toString());
            bool isNumber = false;
            const double copied = exactText(cell).toDouble(&isNumber);
            if (!shown || !isNumber) continue;
            INFO(exactHeader(model, column).toStdString() << ": " << cell.data().toString().toStdString());
            CHECK(std::fabs(copied - shown->value) <= shown->rounding + 1e-9);
            ++counted.numbers;
        }
    for (int row = 0; row < std::min(kRows, model.rowCount(parent)); ++row)
        if (model.hasChildren(model.index(row, 0, parent)))
            compareBelow(table, model.index(row, 0, parent), counted);
}

/// Whatever makes the panel show its table.
void showTable(test::WindowFixture& fixture, QWidget& view)
{
    if (auto* panel = dynamic_cast<PicturePanel*>(&view)) panel->showTable(true);
    for (QToolButton* button : view.findChildren<QToolButton*>())
        if (button->objectName().endsWith(".asTable") && !button->isChecked()) button->click();
    for (QComboBox* choice : view.findChildren<QComboBox*>())
        if (const int table = choice->findText("Table"); table >= 0) {
            choice->setCurrentIndex(table);
            Q_EMIT choice->activated(table);
        }
    QTest::qWait(150);  // what changes is waited for a moment
    fixture.settle();
}

}  // namespace

TEST_CASE("what is copied from the tables of all panels is what they show, in one unit a column")
{
    test::WindowFixture fixture;
    fixture.open(
        {test::example("workflow-12-4/sim/trace-otf2"), test::example("workflow-12-4/ana/trace-otf2")});
    std::set<std::string> withRows, inPlaceOfPictures;
    for (const auto& panel : fixture.window->docks().panels()) {
        panel.dock->show();
        panel.dock->raise();
        QTest::qWait(150);
        fixture.settle();
        showTable(fixture, *panel.view);
        for (const TableTree* table : panel.view->findChildren<TableTree*>()) {
            INFO(panel.id.toStdString() << " " << table->objectName().toStdString());
            // One that stands in the place of a picture is what is saved.
            if (table->isVisible() && qobject_cast<QStackedWidget*>(table->parentWidget())) {
                CHECK_FALSE(panel.view->drawnPicture(800, 400));
                inPlaceOfPictures.insert(panel.id.toStdString());
            }
            Counted counted;
            compareBelow(*table, {}, counted);
            if (counted.numbers > 0) withRows.insert(panel.id.toStdString());
        }
        panel.dock->hide();
    }
    for (const char* id : {"call_tree", "function_summary", "statistics", "waits", "hand_overs", "components",
                           "comm_matrix", "metric_rank", "balance", "anomalies"})
        CHECK(withRows.contains(id));
    for (const char* id : {"comm_matrix", "metric_rank", "machine", "communication"})
        CHECK(inPlaceOfPictures.contains(id));
}

}  // namespace skein::copied_tables_test
