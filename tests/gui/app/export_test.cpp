// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/picture.h"
#include "app/gui/export/table_csv.h"
#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/table/table_delegate.h"

#include <QAction>
#include <QClipboard>
#include <QDockWidget>
#include <QFile>
#include <QFileDialog>
#include <QTreeView>

namespace skein::export_test {

using namespace skein::gui;

namespace {

struct Opened : test::WindowFixture {
    test::TemporaryFolder folder;

    Opened() { open({test::example("lulesh-8/trace-otf2")}); }
    View& view(const char* id) const { return *window->docks().find(id)->view; }
    QByteArray written(const char* name) const
    {
        QFile file(QString::fromStdString((folder.path() / name).string()));
        REQUIRE(file.open(QIODevice::ReadOnly));
        return file.readAll();
    }
    QString file(const char* name) const { return QString::fromStdString((folder.path() / name).string()); }
};

QList<QByteArray> lines(const QByteArray& csv) { return csv.trimmed().split('\n'); }

}  // namespace

TEST_CASE("the call tree is exported in the formats of skein-cli export")
{
    Opened opened;
    opened.trigger("file.exportTree");
    auto* dialog = opened.window->findChild<QFileDialog*>("export.tree");
    REQUIRE(dialog);
    CHECK(dialog->nameFilters().size() == 5);
    Q_EMIT dialog->fileSelected(opened.file("tree.json"));
    opened.settle();
    CHECK(opened.written("tree.json").startsWith('['));
    CHECK(opened.written("tree.json").contains("\"time (inc)\""));
    dialog->selectNameFilter(dialog->nameFilters()[3]);
    Q_EMIT dialog->fileSelected(opened.file("tree.folded"));
    opened.settle();
    CHECK(opened.written("tree.folded").contains(";main"));
    dialog->close();
}

TEST_CASE("the window is saved as a page of a PDF")
{
    Opened opened;
    REQUIRE(savePicture(*opened.window, opened.file("window.pdf")));
    CHECK(opened.written("window.pdf").startsWith("%PDF-"));
    CHECK_FALSE(savePicture(*opened.window, "/nowhere/window.pdf"));
}

TEST_CASE("rows are copied with a header and the exact numbers behind them")
{
    Opened opened;
    const QTreeView& table = *tableOf(opened.view("function_summary"));
    const QAbstractItemModel& model = *table.model();
    table.selectionModel()->select(model.index(1, 0),
                                   QItemSelectionModel::Select | QItemSelectionModel::Rows);
    for (QAction* action : table.actions())
        if (action->shortcut() == QKeySequence::Copy) action->trigger();
    const QStringList copied = QApplication::clipboard()->text().split('\n');
    REQUIRE(copied.size() == 2);
    const QStringList header = copied[0].split('\t'), row = copied[1].split('\t');
    REQUIRE(header.size() == row.size());
    CHECK(header[0] == "Region");
    const qsizetype exclusive = header.indexOf("Exclusive [ns]");
    REQUIRE(exclusive > 0);
    CHECK(row[exclusive].toDouble() == model.index(1, 2).data(kSortRole).toDouble());
    CHECK_FALSE(row[exclusive].contains(' '));
}

TEST_CASE("a table is written with the exact numbers behind it and their unit")
{
    Opened opened;
    const QByteArray summary = tableCsv(*tableOf(opened.view("function_summary")));
    const auto rows = lines(summary);
    CHECK(rows[0].startsWith("Region,"));
    CHECK(rows[0].contains("Exclusive [ns]"));
    REQUIRE(rows.size() == 70);
    double total = 0;
    const qsizetype exclusive = rows[0].split(',').indexOf("Exclusive [ns]");
    for (const QByteArray& row : rows.mid(1))
        total +=
            row.split(',')[row.count('"') > 0 ? row.split(',').size() - rows[0].split(',').size() + exclusive
                                              : exclusive]
                .toDouble();
    CHECK(total == Approx(5.339e9).epsilon(0.001));
    double percent = 0;
    const qsizetype share = rows[0].split(',').indexOf("% exclusive");
    for (const QByteArray& row : rows.mid(1))
        percent +=
            row.split(',')[row.count('"') > 0 ? row.split(',').size() - rows[0].split(',').size() + share
                                              : share]
                .toDouble();
    CHECK(percent == Approx(100));
    const QByteArray tree = tableCsv(*tableOf(opened.view("call_tree")));
    CHECK(lines(tree)[0].startsWith("level,Call path"));
    CHECK(lines(tree).size() == 103);
    REQUIRE(saveTable(*tableOf(opened.view("call_tree")), opened.file("tree.csv")));
    CHECK(opened.written("tree.csv") == tree);
    CHECK_FALSE(saveTable(*tableOf(opened.view("call_tree")), "/nowhere/tree.csv"));
    CHECK(tableOf(opened.view("timeline")) == nullptr);
}

TEST_CASE("the picture of the panel with the keyboard goes to the clipboard")
{
    Opened opened;
    opened.window->docks().focusView("call_tree");
    QApplication::clipboard()->clear();
    opened.trigger("edit.copyPicture");
    const QImage copied = QApplication::clipboard()->image();
    CHECK(copied.width() == opened.view("call_tree").width());
    CHECK(copied.height() > 100);
}

}  // namespace skein::export_test
