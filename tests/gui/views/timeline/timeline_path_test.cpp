// SPDX-License-Identifier: GPL-3.0-or-later
// The critical path over the timeline and as a table.
#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/scenes.h"
#include "views/anomalies/anomalies_view.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_model.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QComboBox>

#include <algorithm>

namespace skein::timeline_path_view_test {

namespace {

struct Opened : test::WindowFixture {
    TimelineView* timeline = nullptr;

    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        timeline = dynamic_cast<TimelineView*>(window->docks().find("timeline")->view);
        REQUIRE(timeline);
    }
    bool drawsPath() const
    {
        const auto picture = timeline->drawnPicture(900, 500);
        if (!picture) return false;
        const auto texts = test::itemsOf<TextItem>(*picture);
        return std::any_of(texts.begin(), texts.end(),
                           [](const TextItem& item) { return item.text.starts_with("Critical path "); });
    }
    bool becomes(bool drawn) const
    {
        return test::waitFor([&] { return drawsPath() == drawn; }, 30'000);
    }
};

}  // namespace

TEST_CASE(
    "the critical path is drawn over the timeline on demand, which the session keeps and undo takes back")
{
    Opened opened;
    CHECK_FALSE(opened.drawsPath());
    auto* shown = opened.timeline->findChild<QAction*>("timeline.criticalPath");
    REQUIRE(shown);
    shown->trigger();
    CHECK(opened.becomes(true));
    opened.settle();
    CHECK(opened.window->selection().state().panels.at("timeline").at("criticalPath") == "on");
    opened.trigger("edit.undo");
    CHECK(opened.becomes(false));
    opened.trigger("edit.redo");
    CHECK(opened.becomes(true));
    opened.open({test::example("heatflow-16x2/trace-otf2")});
    CHECK(opened.becomes(shown->isChecked()));
}

TEST_CASE("the panel of anomalies has the critical path as a table, and its rows select their functions")
{
    Opened opened;
    auto* panel = dynamic_cast<AnomaliesView*>(opened.window->docks().find("anomalies")->view);
    REQUIRE(panel);
    opened.window->docks().focusView("anomalies");
    panel->showTable(true);
    auto* choice = opened.child<QComboBox>("anomalies.rows");
    choice->setCurrentIndex(3);
    auto* rows = panel->findChild<CellModel*>();
    REQUIRE(rows);
    REQUIRE(test::waitFor([&] { return rows->columnCount() == 7 && rows->rowCount() > 5; }, 30'000));
    CHECK(rows->columns()[6].title == "Twice as fast gains");
    Q_EMIT panel->rowsChosen({0});
    const auto& regions = opened.window->selection().state().selected.regions;
    REQUIRE(regions.size() == 1);
    const Experiment& experiment = *opened.window->loader().session()->experiments[0];
    const QString name = rows->data(rows->index(rows->lineOf(0), 0), Qt::DisplayRole).toString();
    CHECK(name.toStdString() == displayName(experiment.definitions.regions[regions[0].id.index()]));
}

namespace {

/// The panel of anomalies with the critical path as its table.
struct PathTable : Opened {
    AnomaliesView* panel = dynamic_cast<AnomaliesView*>(window->docks().find("anomalies")->view);
    CellModel* rows = nullptr;

    PathTable()
    {
        REQUIRE(panel);
        window->docks().focusView("anomalies");
        panel->showTable(true);
        child<QComboBox>("anomalies.rows")->setCurrentIndex(3);
        rows = panel->findChild<CellModel*>();
        REQUIRE(rows);
    }
    bool fills() const
    {
        return test::waitFor([&] { return rows->columnCount() == 7 && rows->rowCount() > 5; }, 30'000);
    }
};

}  // namespace

TEST_CASE("zooms and filters leave the table of the critical path as it is")
{
    PathTable table;
    REQUIRE(table.fills());
    table.settle();
    int filled = 0;
    QObject::connect(table.rows, &CellModel::modelReset, [&] { ++filled; });
    SelectionModel& selection = table.window->selection();
    selection.setVisible(TimeSpan{1'000'000, 20'000'000}, nullptr);
    table.settle();
    selection.setBrushed(TimeSpan{2'000'000, 4'000'000}, nullptr);
    table.settle();
    CHECK(filled == 0);
    CHECK(table.rows->rowCount() > 5);
}

TEST_CASE("archives are closed and changed while the critical path of the table is worked out")
{
    PathTable table;
    table.trigger("file.close");  // while it is being followed
    QTest::qWait(200);
    table.settle();
    CHECK(table.rows->rowCount() == 0);
    Q_EMIT table.panel->rowsChosen({0});
    CHECK(table.window->selection().state().selected.regions.empty());
    table.open({test::example("heatflow-16x2/trace-otf2")});
    REQUIRE(table.fills());
    Q_EMIT table.panel->rowsChosen({0});
    const auto& regions = table.window->selection().state().selected.regions;
    REQUIRE(regions.size() == 1);
    const Experiment& experiment = *table.window->loader().session()->experiments[0];
    const QString name =
        table.rows->data(table.rows->index(table.rows->lineOf(0), 0), Qt::DisplayRole).toString();
    CHECK(name.toStdString() == displayName(experiment.definitions.regions[regions[0].id.index()]));
}

TEST_CASE("a table of anomalous calls has those of the archive that is opened while it is shown")
{
    PathTable table;
    table.child<QComboBox>("anomalies.rows")->setCurrentIndex(0);
    REQUIRE(test::waitFor([&] { return table.rows->rowCount() > 0; }, 30'000));
    table.trigger("file.close");
    CHECK(test::waitFor([&] { return table.rows->rowCount() == 0; }));
    Q_EMIT table.panel->rowsChosen({0});
    table.open({test::example("heatflow-16x2/trace-otf2")});
    CHECK(test::waitFor([&] { return table.rows->rowCount() > 0; }, 30'000));
}

}  // namespace skein::timeline_path_view_test
