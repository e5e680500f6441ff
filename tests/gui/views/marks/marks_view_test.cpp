// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/marks/marks_view.h"

#include "tests/gui/support/view_fixture.h"
#include "views/common/mark_actions.h"
#include "views/common/table/cell_table.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>

namespace skein::marks_view_test {

namespace {

struct Window : test::ViewFixture<MarksView> {
    CellTable* table = view.findChild<CellTable*>();

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
    QString cell(std::size_t row, int column) const { return table->cellOf(row, column).data().toString(); }
    void write(std::size_t row, const QString& note)
    {
        CHECK(table->cells().setData(table->cellOf(row, 2), note, Qt::EditRole));
        QTest::qWait(20);
    }
};

}  // namespace

TEST_CASE("marks are listed, measured against each other, edited and removed")
{
    Window window;
    window.set({{{10'000, 10'000}, "start"}, {{200'000, 260'000}, ""}});
    REQUIRE(window.table->cells().rowCount() == 2);
    CHECK(window.cell(1, 1) == "60.00 µs");
    window.table->selectAll();
    const auto* measure = window.view.findChild<QLabel*>("measure");
    CHECK(measure->text().startsWith("190 µs from begin to begin, 190 µs"));
    window.set({{{10'000, 90'000}, "phase"}, {{60'000, 60'000}, "inside"}});
    window.table->selectAll();
    CHECK(measure->text() == "50 µs from begin to begin, the last begins 30 µs before the first ends");
    window.set({{{10'000, 10'000}, "start"}, {{200'000, 260'000}, ""}});
    window.write(1, "slow step");
    CHECK(window.selection.state().marks[1].note == "slow step");
    CHECK(window.cell(1, 2) == "slow step");
    window.table->setCurrentRow(1);
    QTest::keyClick(window.table, Qt::Key_Return);
    REQUIRE(window.selection.state().visible.has_value());
    CHECK(window.selection.state().visible->begin < 200'000);
    CHECK(window.selection.state().visible->end > 260'000);
    QTest::keyClick(window.table, Qt::Key_Delete);
    CHECK(window.selection.state().marks.size() == 1);
    window.selection.undo();
    QTest::qWait(20);
    CHECK(window.table->cells().rowCount() == 2);
}

TEST_CASE(
    "marks are copied with a header and exact times, and rows that are sorted otherwise stay the same marks")
{
    Window window;
    window.set({{{10'001, 10'001}, "start"}, {{200'000, 263'457}, "step"}, {{300'000, 300'050}, ""}});
    window.table->selectAll();
    window.table->actions().front()->trigger();
    CHECK(QApplication::clipboard()->text()
          == "At [ns]\tLength [ns]\tNote\n10001\t0\tstart\n200000\t63457\tstep\n300000\t50\t");
    window.table->sortByColumn(1, Qt::DescendingOrder);
    CHECK(window.table->cells().index(0, 2).data().toString() == "step");
    window.write(1, "long step");
    CHECK(window.selection.state().marks[1].note == "long step");
    window.table->setCurrentRow(2);
    QTest::keyClick(window.table, Qt::Key_Delete);
    REQUIRE(window.selection.state().marks.size() == 2);
    CHECK(window.selection.state().marks[1].note == "long step");
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
