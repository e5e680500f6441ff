// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/held_painting.h"

#include "tests/gui/support/view_fixture.h"
#include "views/common/elided_label.h"
#include "views/common/picture_difference.h"
#include "views/common/table/cell_model.h"
#include "views/common/table/table_setup.h"
#include "views/common/table/table_tree.h"

#include <QPaintEvent>
#include <QPainter>
#include <QThread>

namespace skein::held_painting_test {
namespace {

/// Where parts of a widget were painted: pictures of it are of all of it.
class PaintedParts : public QObject {
public:
    explicit PaintedParts(QWidget& widget) : widget_(widget) { widget.installEventFilter(this); }
    QRegion region;
    int whole = 0;  ///< paintings of all of it

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() != QEvent::Paint) return false;
        const QRegion& painted = static_cast<QPaintEvent*>(event)->region();
        if (painted == QRegion(widget_.rect())) ++whole;
        else region |= painted;
        return false;
    }

private:
    QWidget& widget_;
};

/// A grey field with a black square.
class Field : public QWidget {
public:
    explicit Field(QPoint at) : square(at) { resize(400, 300); }
    QPoint square;

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), Qt::gray);
        painter.fillRect(QRect(square, QSize(20, 20)), Qt::black);
    }
};

/// On the screen, with its square at 40, 40.
struct ShownField {
    Field field{(test::guiApplication(), QPoint(40, 40))};
    HeldPainting painting{field};
    PaintedParts painted{field};

    ShownField()
    {
        field.show();
        REQUIRE(QTest::qWaitForWindowExposed(&field));
        QTest::qWait(20);
        painted.region = {};
        painted.whole = 0;
    }
};

/// Rows of a name and two numbers, of which one is in another row each time.
std::vector<std::vector<TableCell>> cells(double last)
{
    std::vector<std::vector<TableCell>> rows;
    for (int row = 0; row < 8; ++row)
        rows.push_back({std::string("region ") + std::to_string(row), 100.0 - row, row == 5 ? last : 7.0});
    return rows;
}

}  // namespace

TEST_CASE("of a widget that is filled anew is painted what looks different")
{
    ShownField shown;
    shown.painting.hold();
    shown.field.square = {240, 200};
    shown.field.update();
    REQUIRE(test::waitFor([&] { return !shown.painted.region.isEmpty(); }, 2'000));
    QTest::qWait(30);
    CHECK(shown.painted.whole == 1);
    CHECK(shown.painted.region.contains(QRect(40, 40, 20, 20)));
    CHECK(shown.painted.region.contains(QRect(240, 200, 20, 20)));
    qint64 pixels = 0;
    for (const QRect& rect : shown.painted.region) pixels += qint64{rect.width()} * rect.height();
    CHECK(pixels <= 2 * 32 * 32);
    // Nothing of one that looks the same …
    shown.painted.region = {};
    shown.painting.hold();
    shown.field.update();
    REQUIRE(test::waitFor([&] { return shown.painted.whole == 2; }, 2'000));
    QTest::qWait(30);
    CHECK(shown.painted.region.isEmpty());
    CHECK(shown.painted.whole == 2);
    // … and it is painted as ever after that.
    shown.field.update();
    CHECK(test::waitFor([&] { return shown.painted.whole == 3; }, 2'000));
}

TEST_CASE("a table with the same rows and one other number paints that number")
{
    test::guiApplication();
    TableTree table;
    CellModel model;
    setUpTable(table, "Rows");
    table.setModel(&model);
    // A row that has the keyboard loses it when the model is filled anew.
    table.setFocusPolicy(Qt::NoFocus);
    const std::vector<CellColumn> columns{{"Name"}, {"First", CellKind::Count}, {"Second", CellKind::Count}};
    model.setTable(columns, cells(7));
    table.resize(600, 400);
    table.show();
    REQUIRE(QTest::qWaitForWindowExposed(&table));
    fitColumns(table, 100);
    QTest::qWait(50);
    const QImage before = table.viewport()->grab().toImage();
    PaintedParts painted(*table.viewport());
    model.setTable(columns, cells(3));
    REQUIRE(test::waitFor([&] { return !painted.region.isEmpty(); }, 2'000));
    QTest::qWait(30);
    CHECK(painted.whole == 1);
    const QImage after = table.viewport()->grab().toImage();
    const QRect changed = differingTiles(before, after, before.devicePixelRatio()).boundingRect();
    REQUIRE_FALSE(changed.isEmpty());
    const QRect cell = table.visualRect(model.index(model.lineOf(5), 2));
    // As far as the small pieces reach in which pictures are compared.
    CHECK(painted.region.boundingRect().contains(changed));
    CHECK(changed.intersects(cell));
    CHECK(changed.width() * changed.height() < table.viewport()->width() * table.viewport()->height() / 8);
}

TEST_CASE("what was to be painted before a widget is held is painted")
{
    ShownField shown;
    const QRect moved(240, 200, 20, 20);
    shown.field.square = moved.topLeft();
    shown.field.update(moved);
    shown.painting.hold();
    REQUIRE(test::waitFor([&] { return !shown.painting.holds(); }, 2'000));
    QTest::qWait(30);
    CHECK(QRegion(moved).subtracted(shown.painted.region).isEmpty());
}

TEST_CASE("a filling that takes long is painted as one that does not")
{
    ShownField shown;
    shown.painting.hold();
    // Its timers are due before the filling is done.
    QThread::msleep(50);
    shown.field.square = {240, 200};
    shown.field.update();
    REQUIRE(test::waitFor([&] { return !shown.painting.holds(); }, 2'000));
    QTest::qWait(30);
    CHECK(shown.painted.whole == 1);  // the picture that is compared
    CHECK(shown.painted.region.contains(QRect(40, 40, 20, 20)));
    CHECK(shown.painted.region.contains(QRect(240, 200, 20, 20)));
    qint64 pixels = 0;
    for (const QRect& rect : shown.painted.region) pixels += qint64{rect.width()} * rect.height();
    CHECK(pixels <= 2 * 32 * 32);
}

TEST_CASE("a label that keeps the room of its longest text asks for no less")
{
    test::guiApplication();
    ElidedLabel usual, keeps;
    keeps.keepWidest();
    for (ElidedLabel* label : {&usual, &keeps}) label->setText("from 123.456 ms to 789.012 ms");
    const int wide = keeps.sizeHint().width();
    CHECK(wide == usual.sizeHint().width());
    for (ElidedLabel* label : {&usual, &keeps}) label->setText("all");
    CHECK(keeps.sizeHint().width() == wide);
    CHECK(usual.sizeHint().width() < wide);
    CHECK(keeps.text() == "all");
}

}  // namespace skein::held_painting_test
