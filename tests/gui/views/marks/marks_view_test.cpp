// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/marks/marks_view.h"

#include "tests/gui/support/view_fixture.h"
#include "views/common/mark_actions.h"

#include <QLabel>
#include <QTreeWidget>

namespace skein::marks_view_test {

namespace {

struct Window : test::ViewFixture<MarksView> {
    QTreeWidget* table = view.findChild<QTreeWidget*>();

    Window()
        : ViewFixture(
            {500, 200},
            test::sessionOf(test::ExperimentBuilder("run").process("n", {{0, 1'000'000, "main", 0}})))
    {
    }
    void set(std::vector<Mark> marks)
    {
        selection.setMarks(marks, nullptr);
        QTest::qWait(20);
    }
};

}  // namespace

TEST_CASE("marks are listed, measured against each other, edited and removed")
{
    Window window;
    window.set({{{10'000, 10'000}, "start"}, {{200'000, 260'000}, ""}});
    REQUIRE(window.table->topLevelItemCount() == 2);
    CHECK(window.table->topLevelItem(1)->text(1) == "60 µs");
    window.table->topLevelItem(0)->setSelected(true);
    window.table->topLevelItem(1)->setSelected(true);
    const auto* measure = window.view.findChild<QLabel*>("measure");
    CHECK(measure->text().startsWith("190 µs from begin to begin, 190 µs"));
    window.set({{{10'000, 90'000}, "phase"}, {{60'000, 60'000}, "inside"}});
    for (const int row : {0, 1}) window.table->topLevelItem(row)->setSelected(true);
    CHECK(measure->text() == "50 µs from begin to begin, the last begins 30 µs before the first ends");
    window.set({{{10'000, 10'000}, "start"}, {{200'000, 260'000}, ""}});
    window.table->topLevelItem(1)->setText(2, "slow step");
    CHECK(window.selection.state().marks[1].note == "slow step");
    window.table->topLevelItem(0)->setSelected(false);
    window.table->setCurrentItem(window.table->topLevelItem(1));
    QTest::keyClick(window.table, Qt::Key_Return);
    REQUIRE(window.selection.state().visible.has_value());
    CHECK(window.selection.state().visible->begin < 200'000);
    CHECK(window.selection.state().visible->end > 260'000);
    QTest::keyClick(window.table, Qt::Key_Delete);
    CHECK(window.selection.state().marks.size() == 1);
    window.selection.undo();
    QTest::qWait(20);
    CHECK(window.table->topLevelItemCount() == 2);
}

TEST_CASE("pinning marks the brushed span, else the moment under the pointer")
{
    SelectionModel selection;
    CHECK_FALSE(pinMark(selection, nullptr).has_value());
    Hover hover;
    hover.time = 77;
    selection.setHover(hover, nullptr);
    CHECK(pinMark(selection, nullptr)->span == TimeSpan{77, 77});
    selection.setBrushed(TimeSpan{10, 20}, nullptr);
    CHECK(pinMark(selection, nullptr)->span == TimeSpan{10, 20});
    CHECK(selection.state().marks.size() == 2);
    CHECK(selection.state().marks.front().span.begin == 10);
}

}  // namespace skein::marks_view_test
