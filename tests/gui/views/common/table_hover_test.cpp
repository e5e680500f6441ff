// SPDX-License-Identifier: GPL-3.0-or-later
// What the pointer costs over a table: over a remote display every pixel is sent.
#include "app/gui/settings/appearance.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/table/table_setup.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QPaintEvent>
#include <QStandardItemModel>
#include <QTreeView>

namespace skein::table_hover_test {

namespace {

/// What is painted in a widget.
class PaintLog : public QObject {
public:
    explicit PaintLog(QWidget& widget) { widget.installEventFilter(this); }

    void restart() { painted_ = {}; }
    const QRegion& painted() const { return painted_; }

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint) painted_ += static_cast<QPaintEvent*>(event)->region();
        return false;
    }

private:
    QRegion painted_;
};

struct Pointer {
    QWidget& window;

    /// Moves it there as the system does, and waits until what follows is painted.
    void moveTo(const QWidget& widget, QPoint place) const
    {
        QTest::mouseMove(window.windowHandle(), widget.mapTo(&window, place));
        QTest::qWait(20);
    }
};

/// Of the rows in sight, whatever they stand below.
QRect wholeRow(const QTreeView& table, int row)
{
    QModelIndex index = table.model()->index(0, 0);
    for (; row > 0; --row) index = table.indexBelow(index);
    const QRect first = table.visualRect(index);
    return {0, first.y(), table.viewport()->width(), first.height()};
}

QRect titleAt(const QTreeView& table, int x)
{
    const QHeaderView& header = *table.header();
    const int section = header.logicalIndexAt(x);
    return {header.sectionViewportPosition(section), 0, header.sectionSize(section),
            header.viewport()->height()};
}

QTreeView* tableInSight(test::WindowFixture& fixture, const char* panel)
{
    auto* dock = fixture.window->docks().find(panel)->dock;
    dock->show();
    dock->raise();
    fixture.settle();
    QTest::qWait(200);
    fixture.settle();
    for (QTreeView* table : dock->findChildren<QTreeView*>())
        if (table->isVisible() && table->indexBelow(table->model()->index(0, 0)).isValid()) return table;
    return nullptr;
}

}  // namespace

TEST_CASE("a pointer that enters a table has one row painted, and so has one that leaves it")
{
    test::WindowFixture fixture;
    fixture.open({test::example("lulesh-8/trace-otf2")});
    const Pointer pointer{*fixture.window};
    for (const char* panel : {"call_tree", "function_summary", "statistics"}) {
        INFO(panel);
        QTreeView* table = tableInSight(fixture, panel);
        REQUIRE(table);
        pointer.moveTo(*fixture.window, {2, 2});
        PaintLog rows(*table->viewport()), titles(*table->header()->viewport());
        const int half = table->viewport()->width() / 2;
        const QRect first = wholeRow(*table, 0), second = wholeRow(*table, 1);

        pointer.moveTo(*table->viewport(), {half, second.center().y()});
        CHECK_FALSE(rows.painted().isEmpty());
        CHECK(rows.painted().subtracted(second).isEmpty());
        CHECK(titles.painted().isEmpty());

        rows.restart();
        pointer.moveTo(*table->viewport(), {half, first.center().y()});
        CHECK_FALSE(rows.painted().isEmpty());
        CHECK(rows.painted().subtracted(QRegion(first) + second).isEmpty());

        rows.restart();
        const QRect title = titleAt(*table, half);
        pointer.moveTo(*table->header()->viewport(), {half, title.center().y()});
        CHECK(rows.painted().subtracted(first).isEmpty());
        CHECK(titles.painted().subtracted(title).isEmpty());

        titles.restart();
        pointer.moveTo(*fixture.window, {2, 2});
        CHECK(titles.painted().subtracted(title).isEmpty());
        CHECK(rows.painted().subtracted(first).isEmpty());
    }
}

TEST_CASE("tables that are plain trees of Qt have single rows and titles painted under the pointer, too")
{
    test::guiApplication();
    QWidget window;
    window.setStyleSheet(gui::styleSheetFor(lightTheme()));
    QStandardItemModel model(6, 3);
    for (int row = 0; row < 6; ++row)
        for (int column = 0; column < 3; ++column)
            model.setItem(row, column, new QStandardItem(QString("%1 %2").arg(row).arg(column)));
    QTreeView table(&window);
    setUpTable(table, "Pairs");
    table.setModel(&model);
    table.setGeometry(20, 20, 360, 240);
    window.resize(400, 300);
    window.show();
    REQUIRE(QTest::qWaitForWindowExposed(&window));
    const Pointer pointer{window};
    pointer.moveTo(window, {2, 2});
    PaintLog rows(*table.viewport()), titles(*table.header()->viewport());
    const QRect second = wholeRow(table, 1), title = titleAt(table, 150);

    pointer.moveTo(*table.viewport(), {150, second.center().y()});
    CHECK_FALSE(rows.painted().isEmpty());
    CHECK(rows.painted().subtracted(second).isEmpty());
    rows.restart();
    pointer.moveTo(*table.header()->viewport(), {150, title.center().y()});
    CHECK_FALSE(rows.painted().isEmpty());
    CHECK(rows.painted().subtracted(second).isEmpty());
    CHECK_FALSE(titles.painted().isEmpty());
    CHECK(titles.painted().subtracted(title).isEmpty());
    titles.restart();
    pointer.moveTo(window, {2, 2});
    CHECK_FALSE(titles.painted().isEmpty());
    CHECK(titles.painted().subtracted(title).isEmpty());
}

}  // namespace skein::table_hover_test
