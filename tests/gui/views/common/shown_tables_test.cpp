// SPDX-License-Identifier: GPL-3.0-or-later
// A table in the place of a picture shows what the picture would: views that are hidden hear of no change.
#include "app/gui/window/dock_host.h"
#include "core/select/filters.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/picture_panel.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_tree.h"

#include <QComboBox>
#include <QDockWidget>
#include <QStackedWidget>
#include <QToolButton>

#include <functional>
#include <set>

namespace skein::shown_tables_test {
namespace {

struct Change {
    const char* what = "";
    std::function<void(SelectionModel&)> make;
};

std::vector<Change> changes(const Session& session)
{
    const TimeSpan extent = session.experiments[0]->trace->extent;
    const TimeNs third = extent.lengthNs() / 3;
    const TimeSpan middle{extent.begin + third, extent.begin + 2 * third};
    const IntervalRef call{0, LocationId(2), 40};
    return {
        {"marked rows and a selected call",
         [=, &session](SelectionModel& to) {
             to.setBrushed(middle, {{0, LocationId(1)}, {0, LocationId(2)}}, nullptr);
             to.setSelected(select(session, call), nullptr);
         }},
        {"filter of locations",
         [](SelectionModel& to) {
             to.setBrushed(std::nullopt, nullptr);
             to.setFilters({locationFilter(FilterEffect::Hide, "some", {{0, LocationId(0)}})}, nullptr);
         }},
        {"visible span",
         [=](SelectionModel& to) {
             to.setFilters({}, nullptr);
             to.setVisible(middle, nullptr);
         }},
        {"machine",
         [](SelectionModel& to) {
             MachineChoice machine;
             machine.topology = "mesh:2x2";
             machine.ranksPerNode = 4;
             to.setMachine(machine, nullptr);
         }},
    };
}

void takeBack(SelectionModel& changed)
{
    changed.setMachine({}, nullptr);
    changed.setVisible(std::nullopt, nullptr);
    changed.setSelected({}, nullptr);
}

/// The table that stands in the place of the panel's picture, if there is one.
TableTree* tableInPlace(QWidget& view)
{
    for (TableTree* table : view.findChildren<TableTree*>())
        if (qobject_cast<QStackedWidget*>(table->parentWidget())) return table;
    return nullptr;
}

enum class Shown { Picture, Table };
void show(test::WindowFixture& fixture, QWidget& view, Shown wanted)
{
    const bool table = wanted == Shown::Table;
    if (auto* panel = dynamic_cast<PicturePanel*>(&view)) panel->showTable(table);
    for (QToolButton* button : view.findChildren<QToolButton*>())
        if (button->objectName().endsWith(".asTable") && button->isChecked() != table) button->click();
    for (QComboBox* choice : view.findChildren<QComboBox*>())
        if (const int row = choice->findText("Table"); row >= 0) {
            choice->setCurrentIndex(table ? row : 0);
            Q_EMIT choice->activated(table ? row : 0);
        }
    QTest::qWait(120);  // what changes is waited for a moment
    fixture.settle();
}

QStringList lines(const QAbstractItemModel& model)
{
    constexpr int kMostLines = 200;
    QStringList all{QString("%1 rows").arg(model.rowCount())};
    for (int row = 0; row < std::min(kMostLines, model.rowCount()); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        all << cells.join('|');
    }
    return all;
}

/// What the table has once nothing follows any more: what changes is waited for a moment, some of it twice.
QStringList linesAtRest(test::WindowFixture& fixture, const QAbstractItemModel& model)
{
    constexpr int kMostTurns = 20;
    QTest::qWait(300);
    fixture.settle();
    QStringList before = lines(model);
    for (int turn = 0; turn < kMostTurns; ++turn) {
        QTest::qWait(300);
        fixture.settle();
        QStringList now = lines(model);
        if (now == before) break;
        before = std::move(now);
    }
    return before;
}

}  // namespace

TEST_CASE("tables in the place of pictures follow what the window shows as the pictures do")
{
    test::WindowFixture fixture;
    fixture.open({test::example("heatflow-16x2/trace-otf2")});
    SelectionModel& selection = fixture.window->selection();
    std::set<std::string> followed;
    for (const auto& panel : fixture.window->docks().panels()) {
        TableTree* table = tableInPlace(*panel.view);
        if (!table) continue;
        panel.dock->show();
        panel.dock->raise();
        show(fixture, *panel.view, Shown::Table);
        if (!test::waitFor([&] { return table->isVisible(); }, 1000)) continue;
        fixture.settle();
        QStringList before = lines(*table->model());
        for (const Change& change : changes(*fixture.window->loader().session())) {
            INFO(panel.id.toStdString() << ": " << change.what);
            change.make(selection);
            const QStringList followedTo = linesAtRest(fixture, *table->model());
            show(fixture, *panel.view, Shown::Picture);
            show(fixture, *panel.view, Shown::Table);
            test::waitFor([&] { return lines(*table->model()) == followedTo; }, 2000);
            CHECK(followedTo.join('\n').toStdString() == lines(*table->model()).join('\n').toStdString());
            if (followedTo != before) followed.insert(panel.id.toStdString());
            before = followedTo;
        }
        takeBack(selection);
        panel.dock->hide();
    }
    for (const char* id : {"anomalies", "comm_changes", "comm_matrix", "communication", "execution_stack",
                           "machine", "metric_rank", "prediction", "route_matrix", "structure"}) {
        INFO(id);
        CHECK(followed.contains(id));
    }
}

}  // namespace skein::shown_tables_test
