// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/picture.h"
#include "app/gui/export/table_csv.h"
#include "app/gui/window/dock_host.h"
#include "core/select/filters.h"
#include "tests/gui/support/window_fixture.h"

#include <QClipboard>
#include <QDockWidget>
#include <QFile>
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

TEST_CASE("every view and the window are saved as a page of a PDF")
{
    Opened opened;
    for (const DockHost::Panel& panel : opened.window->docks().panels()) {
        INFO(panel.description->id);
        const std::string name = std::string(panel.description->id) + ".pdf";
        REQUIRE(saveViewPicture(*panel.view, opened.file(name.c_str()), 800, 500, "A caption"));
        CHECK(opened.written(name.c_str()).startsWith("%PDF-"));
    }
    REQUIRE(savePicture(*opened.window, opened.file("window.pdf")));
    CHECK(opened.written("window.pdf").startsWith("%PDF-"));
    CHECK_FALSE(savePicture(*opened.window, "/nowhere/window.pdf"));
}

TEST_CASE("pictures say over themselves which filters they were made with")
{
    Opened opened;
    opened.window->selection().setFilters(
        {regionFilter(FilterEffect::Hide, "MPI_Wait",
                      regionsMatching(*opened.window->loader().session(), "MPI_Wait"))},
        nullptr);
    opened.settle();
    for (const char* id : {"timeline", "overview", "location_detail", "profile"}) {
        INFO(id);
        REQUIRE(saveViewPicture(opened.view(id), opened.file("a.svg"), 900, 500));
        CHECK(opened.written("a.svg").contains("MPI_Wait hidden"));
    }
    const QImage plain = pictureOf(opened.view("call_tree"));
    CHECK(pictureOf(opened.view("call_tree"), "Call tree").height() > plain.height());
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
    CHECK(copied.height() > opened.view("call_tree").height());
}

}  // namespace skein::export_test
