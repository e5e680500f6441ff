// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/components/components_view.h"

#include "app/gui/window/dock_host.h"
#include "core/session/session_clock.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/table/cell_table.h"

#include <QPushButton>

#include <filesystem>

namespace skein::components_view_test {

namespace {

struct Opened : test::WindowFixture {
    CellTable* table = nullptr;

    explicit Opened(const QStringList& more = {})
    {
        table = &window->findChild<ComponentsView*>("components")->table();
        open(QStringList{test::example("workflow-12-4/sim/trace-otf2"),
                         test::example("workflow-12-4/ana/trace-otf2")}
             + more);
        window->docks().focusView("components");
        settle();
    }
    QString cell(int row, int column) const
    {
        return table->cellOf(static_cast<std::size_t>(row), column).data().toString().trimmed();
    }
    void type(int row, const QString& shift)
    {
        table->cells().setData(table->cellOf(static_cast<std::size_t>(row), ComponentsView::kShift), shift,
                               Qt::EditRole);
        QTest::qWait(30);
        settle();
    }
    const std::vector<TimeNs>& shifts() const { return window->selection().state().clockShiftsNs; }
};

}  // namespace

TEST_CASE("components of a workflow have ranks of their own among those of all, and what they handed over")
{
    Opened opened;
    REQUIRE(opened.table->cells().rowCount() == 2);
    CHECK(opened.cell(0, ComponentsView::kRanks) == "0 – 11");
    CHECK(opened.cell(1, ComponentsView::kRanks) == "12 – 15");
    CHECK(opened.cell(0, ComponentsView::kWrote) == "144");
    CHECK(opened.cell(1, ComponentsView::kRead) == "144");
    CHECK(opened.cell(1, ComponentsView::kBegin) == "0 ns");
}

TEST_CASE("a shift that is typed moves the component, and undo takes it back")
{
    Opened opened;
    const SessionPtr session = opened.window->loader().session();
    opened.table->setCurrentRow(1);
    opened.type(1, "250 ms");
    CHECK(opened.table->currentRow() == 1u);
    CHECK(opened.shifts() == std::vector<TimeNs>{0, 250'000'000});
    CHECK(opened.cell(1, ComponentsView::kShift) == "+250 ms");
    opened.type(0, "-1.5 s");
    CHECK(opened.shifts() == std::vector<TimeNs>{-1'500'000'000, 250'000'000});
    opened.type(0, "nonsense");
    CHECK(opened.cell(0, ComponentsView::kShift) == QString("−1.5 s"));
    opened.window->actionRegistry().find("edit.undo")->trigger();
    QTest::qWait(30);
    CHECK(opened.shifts() == std::vector<TimeNs>{0, 250'000'000});
    opened.window->actionRegistry().find("edit.undo")->trigger();
    QTest::qWait(30);
    CHECK(opened.shifts().empty());
    CHECK(opened.cell(1, ComponentsView::kShift) == "0 ms");
    opened.window->findChild<QPushButton*>("components.align")->click();
    const SessionClock clock = sessionClock(*session, opened.shifts());
    CHECK(clock.offsetsNs[0] == clock.offsetsNs[1]);
    QTest::qWait(30);
    opened.window->findChild<QPushButton*>("components.recorded")->click();
    CHECK(opened.shifts().empty());
}

TEST_CASE("a column of hand-overs that is hidden stays hidden when rows come anew")
{
    Opened opened;
    opened.table->setColumnHidden(ComponentsView::kRead, true);
    opened.type(1, "250 ms");
    REQUIRE(opened.cell(1, ComponentsView::kShift) == "+250 ms");
    CHECK(opened.table->isColumnHidden(ComponentsView::kRead));
    CHECK_FALSE(opened.table->isColumnHidden(ComponentsView::kWaited));
    // A run of which nothing was handed over has none of them; the next workflow has those it had before.
    opened.open({test::example("lulesh-8/trace-otf2")});
    for (const int column : {ComponentsView::kWrote, ComponentsView::kRead, ComponentsView::kWaited})
        CHECK(opened.table->isColumnHidden(column));
    opened.open(
        {test::example("workflow-12-4/sim/trace-otf2"), test::example("workflow-12-4/ana/trace-otf2")});
    CHECK_FALSE(opened.table->isColumnHidden(ComponentsView::kWrote));
    CHECK(opened.table->isColumnHidden(ComponentsView::kRead));
    CHECK_FALSE(opened.table->isColumnHidden(ComponentsView::kWaited));
}

TEST_CASE("shifts are read with their units")
{
    CHECK(parseShift("12.5 ms") == 12'500'000);
    CHECK(parseShift("+3s") == 3'000'000'000);
    CHECK(parseShift("-2") == -2'000'000);
    CHECK(parseShift(" 7 µs ") == 7'000);
    CHECK(parseShift("1 min") == 60'000'000'000);
    CHECK_FALSE(parseShift("soon"));
    CHECK_FALSE(parseShift("3 weeks"));
    CHECK_FALSE(parseShift("1e300 s"));
    CHECK_FALSE(parseShift(""));
}

TEST_CASE("a table of hand-overs is found beside the archives, or goes with what is open")
{
    Opened opened;
    CHECK(opened.window->loader().couplingFile().isEmpty());
    const test::TemporaryFolder folder;
    const auto copy = folder.path() / "handed_over.csv";
    std::filesystem::copy_file(test::sourcePath("examples/workflow-12-4/coupling.csv"), copy);
    opened.window->loader().add({QString::fromStdString(copy.string())});
    opened.settle();
    CHECK(opened.window->loader().couplingFile().toStdString() == copy.string());
    CHECK(opened.window->loader().session()->experiments.size() == 2);
    CHECK(opened.cell(0, ComponentsView::kWrote) == "144");
    opened.open({test::example("lulesh-8/trace-otf2"), QString::fromStdString(copy.string())});
    CHECK(opened.table->cells().rowCount() == 1);
    CHECK(opened.window->loader().session()->experiments.size() == 1);
}

}  // namespace skein::components_view_test
