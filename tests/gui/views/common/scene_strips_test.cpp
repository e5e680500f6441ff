// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/select/translate.h"
#include "tests/gui/support/view_fixture.h"
#include "views/common/held_keys.h"
#include "views/common/picture_difference.h"
#include "views/location_detail/location_detail_view.h"
#include "views/timeline/timeline_view.h"

#include <QAccessible>
#include <QPaintEvent>

#include <algorithm>
#include <random>

namespace skein::scene_strips_test {

/// Eight ranks that call the same in turns.
SessionPtr ranks()
{
    test::ExperimentBuilder builder("run");
    for (int rank = 0; rank < 8; ++rank) {
        std::vector<test::Call> calls{{0, 1'000'000, "main", 0}};
        for (int step = 0; step < 20; ++step)
            calls.push_back(
                {step * 50'000 + rank * 1000, step * 50'000 + 30'000, step % 2 ? "solve" : "exchange", 1});
        builder.process("node", calls);
    }
    return test::sessionOf(builder);
}

/// Pixels that were painted.
class PaintedArea : public QObject {
public:
    explicit PaintedArea(QWidget& widget) { widget.installEventFilter(this); }
    qint64 pixels = 0;
    qint64 mostAtOnce = 0;

protected:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() != QEvent::Paint) return false;
        qint64 now = 0;
        for (const QRect& rect : static_cast<QPaintEvent*>(event)->region())
            now += qint64{rect.width()} * rect.height();
        pixels += now;
        mostAtOnce = std::max(mostAtOnce, now);
        return false;
    }
};

template <typename Fixture>
void hoverAt(Fixture& fixture, QPoint at)
{
    QMouseEvent move(QEvent::MouseMove, QPointF(at), fixture.view.mapToGlobal(QPointF(at)), Qt::NoButton,
                     Qt::NoButton, Qt::NoModifier);
    QCoreApplication::sendEvent(&fixture.view, &move);
    fixture.settle();
    QTest::qWait(20);
}

TEST_CASE("a pointer that moves repaints strips of the timeline, not all of it")
{
    test::ViewFixture<TimelineView> fixture({1000, 600}, ranks());
    fixture.settle();
    hoverAt(fixture, {400, 20});
    PaintedArea painted(fixture.view);
    hoverAt(fixture, {520, 20});
    CHECK(painted.pixels > 0);
    CHECK(painted.pixels * 4 < 100 * 1024);
}

TEST_CASE("a pan that is over shows what a fresh picture shows")
{
    test::ViewFixture<TimelineView> fixture({1000, 600}, ranks());
    fixture.selection.setVisible(TimeSpan{100'000, 500'000}, nullptr);
    fixture.settle();
    fixture.view.panBy(37);
    fixture.settle();
    QTest::qWait(50);
    fixture.settle();
    // The line along the upper edge tells who has the keyboard.
    const QRect below(0, 2, 1000, 598);
    const QImage moved = fixture.view.grab(below).toImage();
    test::ViewFixture<TimelineView> fresh({1000, 600}, ranks());
    fresh.selection.setVisible(fixture.selection.state().visible, nullptr);
    fresh.settle();
    QTest::qWait(50);
    fresh.settle();
    CHECK(moved == fresh.view.grab(below).toImage());
}

TEST_CASE("pictures differ where they differ, and lists where their shapes do")
{
    QImage before(200, 100, QImage::Format_RGB32);
    before.fill(Qt::white);
    QImage after = before;
    after.setPixelColor(150, 70, Qt::black);
    const QRegion tiles = differingTiles(before, after, 1);
    CHECK(tiles.contains(QPoint(150, 70)));
    CHECK_FALSE(tiles.contains(QPoint(20, 20)));
    CHECK(differingTiles(before, before, 1).isEmpty());
    CHECK(differingTiles(before, QImage(10, 10, QImage::Format_RGB32), 1).boundingRect()
          == QRect(0, 0, 10, 10));
    DrawList one, other;
    one.fillRect({0, 0, 10, 10}, {1, 2, 3});
    one.line({50, 0}, {50, 90}, {1, 2, 3});
    other = one;
    std::get<LineItem>(other.items[1]).from.x = std::get<LineItem>(other.items[1]).to.x = 80;
    const QRegion strips = differingRegion(one, other, 1);
    CHECK(strips.contains(QPoint(50, 40)));
    CHECK(strips.contains(QPoint(80, 40)));
    CHECK_FALSE(strips.contains(QPoint(65, 40)));
    CHECK_FALSE(strips.contains(QPoint(5, 5)));
    CHECK(differingRegion(one, one, 1).isEmpty());
}

TEST_CASE("an outline is painted anew along its edges, not over what it surrounds")
{
    DrawList none, outlined, filled;
    outlined.strokeRect({20, 20, 400, 60}, {1, 2, 3}, 2);
    filled.fillRect({20, 20, 400, 60}, {1, 2, 3});
    const QRegion edges = differingRegion(none, outlined, 1);
    for (const QPoint& edge : {QPoint(20, 50), QPoint(419, 50), QPoint(200, 20), QPoint(200, 79)})
        CHECK(edges.contains(edge));
    CHECK_FALSE(edges.contains(QPoint(200, 50)));
    CHECK(differingRegion(none, filled, 1).contains(QPoint(200, 50)));
    DrawList low;
    low.strokeRect({20, 20, 400, 4}, {1, 2, 3}, 2);
    CHECK(differingRegion(none, low, 1).contains(QPoint(200, 22)));
}

TEST_CASE("a fill that grows or moves is painted anew where only one of the two is")
{
    DrawList before, after, blurred;
    before.fillRect({0, 10, 300, 60}, {1, 2, 3, 100});
    after.fillRect({5, 10, 300, 60}, {1, 2, 3, 100});
    blurred.fillRect({5.5, 10, 300, 60}, {1, 2, 3, 100});
    CHECK(differingRegion(before, after, 1) == (QRegion(0, 10, 5, 60) | QRegion(300, 10, 5, 60)));
    const QRegion edges = differingRegion(before, blurred, 1);
    CHECK(edges.contains(QRect(0, 10, 6, 60)));
    CHECK(edges.contains(QRect(300, 10, 6, 60)));
    CHECK_FALSE(edges.contains(QPoint(150, 40)));
    // Another colour is another fill.
    DrawList other;
    other.fillRect({5, 10, 300, 60}, {1, 2, 4, 100});
    CHECK(differingRegion(before, other, 1).contains(QRect(0, 10, 305, 60)));
}

TEST_CASE("pieces in which pictures differ reach no farther than what differs, and leave none of it out")
{
    QImage before(300, 120, QImage::Format_RGB32);
    before.fill(Qt::white);
    // As high as a line of text, across the edges of tiles.
    QImage line = before;
    for (int y = 13; y < 24; ++y)
        for (int x = 21; x < 83; ++x) line.setPixelColor(x, y, Qt::black);
    CHECK((differingTiles(before, line, 1) ^ QRegion(21, 13, 62, 11)).isEmpty());
    std::minstd_rand random(3);
    for (int turn = 0; turn < 40; ++turn) {
        QImage after = before;
        QRegion changed;
        for (int spot = 0; spot < 12; ++spot) {
            const QRect box = QRect(static_cast<int>(random() % 300), static_cast<int>(random() % 120),
                                    1 + static_cast<int>(random() % 30), 1 + static_cast<int>(random() % 9))
                & after.rect();
            changed |= box;
            for (int y = box.top(); y <= box.bottom(); ++y)
                for (int x = box.left(); x <= box.right(); ++x) after.setPixelColor(x, y, Qt::black);
        }
        const QRegion found = differingTiles(before, after, 1);
        CHECK((changed - found).isEmpty());
        CHECK(found.boundingRect() == changed.boundingRect());
    }
}

TEST_CASE("pictures that differ everywhere and pictures of two pixels a pixel are painted where they differ")
{
    QImage before(1600, 1000, QImage::Format_RGB32);
    before.fill(Qt::white);
    QImage after = before;
    // More pieces than are told apart: none may be missing.
    for (int y = 0; y < 1000; y += 16)
        for (int x = 0; x < 1600; x += 16) after.setPixelColor(x, y, Qt::black);
    const QRegion all = differingTiles(before, after, 1);
    for (int y = 0; y < 1000; y += 16)
        for (int x = 0; x < 1600; x += 16)
            if (!all.contains(QPoint(x, y))) FAIL(x << ", " << y);
    QImage some = before;
    for (const QPoint& at : {QPoint(3, 3), QPoint(40, 3), QPoint(44, 999), QPoint(1599, 500)})
        some.setPixelColor(at, Qt::black);
    const QRegion fine = differingTiles(before, some, 1);
    const QRegion half = differingTiles(before, some, 2);
    for (const QPoint& at : {QPoint(3, 3), QPoint(40, 3), QPoint(44, 999), QPoint(1599, 500)}) {
        CHECK(fine.contains(at));
        CHECK(half.contains(QPoint(at.x() / 2, at.y() / 2)));
    }
    CHECK_FALSE(fine.contains(QPoint(20, 3)));
    CHECK(half.boundingRect().right() < 800);
}

TEST_CASE("a step of a pan paints what has come into sight, not all of it")
{
    test::ViewFixture<TimelineView> fixture({1000, 600}, ranks());
    fixture.selection.setVisible(TimeSpan{100'000, 500'000}, nullptr);
    fixture.settle();
    QTest::qWait(50);
    PaintedArea painted(fixture.view);
    fixture.view.panBy(96);
    fixture.settle();
    QTest::qWait(100);
    const Rect body = fixture.view.sceneLayout().body;
    // The strip when what is on the screen is moved and when its picture is there, as often as that comes in
    // steps; at most as much again for names that are written elsewhere, the axis and what lies over it.
    CHECK(painted.pixels >= static_cast<qint64>(90 * body.height));
    CHECK(painted.mostAtOnce < static_cast<qint64>(2 * 96 * body.height));
}

TEST_CASE("a picture moved on the screen has its contents where they belong")
{
    QImage picture(40, 10, QImage::Format_RGB32);
    picture.fill(Qt::white);
    picture.setPixelColor(12, 5, Qt::black);
    const QImage moved = movedWithin(picture, {10, 0, 20, 10}, 7, 1);
    CHECK(moved.pixelColor(19, 5) == QColor(Qt::black));
    CHECK(moved.pixelColor(12, 2) == QColor(Qt::white));
    CHECK(movedWithin(picture, {10, 0, 20, 10}, 25, 1) == picture);
}

TEST_CASE("a key that is touched makes one step, one that is held goes on")
{
    test::guiApplication();
    double steps = 0;
    HeldKeys keys([&](int, double by) { steps += by; });
    keys.press(Qt::Key_D);
    keys.release(Qt::Key_D);
    CHECK(steps == 1);
    keys.press(Qt::Key_D);
    REQUIRE(test::waitFor([&] { return steps > 2.5; }, 10000));
    keys.release(Qt::Key_D);
    const double after = steps;
    QTest::qWait(50);
    CHECK(steps == after);
    CHECK_FALSE(keys.any());
}

TEST_CASE("keys of the timeline hold in the location detail")
{
    test::ViewFixture<LocationDetailView> fixture({900, 240}, ranks());
    fixture.settle();
    const IntervalRef first{0, LocationId(2), 1};
    fixture.selection.setSelected(select(*ranks(), first), nullptr);
    fixture.settle();
    QTest::keyClick(&fixture.view, Qt::Key_Period);
    REQUIRE(fixture.selection.state().selected.intervals.size() == 1);
    CHECK(fixture.selection.state().selected.intervals.front() == IntervalRef{0, LocationId(2), 3});
    QTest::keyClick(&fixture.view, Qt::Key_Comma);
    CHECK(fixture.selection.state().selected.intervals.front() == first);
    QTest::keyClick(&fixture.view, Qt::Key_F);
    REQUIRE(fixture.selection.state().visible);
    CHECK(fixture.selection.state().visible->lengthNs() < 60'000);
}

TEST_CASE("screen readers find what stands in a picture as a table")
{
    test::ViewFixture<TimelineView> fixture({1000, 600}, ranks());
    fixture.settle();
    QAccessibleInterface* found = QAccessible::queryAccessibleInterface(&fixture.view);
    REQUIRE(found);
    CHECK(found->role() == QAccessible::Table);
    QAccessibleTableInterface* table = found->tableInterface();
    REQUIRE(table);
    REQUIRE(table->rowCount() > 8);
    QStringList texts;
    for (int row = 0; row < table->rowCount(); ++row)
        for (int column = 0; column < table->columnCount(); ++column)
            texts.push_back(table->cellAt(row, column)->text(QAccessible::Name));
    for (const char* text : {"Rank 0", "Rank 7", "main"}) {
        INFO(text);
        CHECK(texts.contains(text));
    }
}

}  // namespace skein::scene_strips_test
