// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/behavior_view.h"

#include "app/gui/settings/preference_keeper.h"
#include "app/gui/window/panel_arranger.h"
#include "app/gui/window/workspaces.h"
#include "core/select/translate.h"
#include "tests/gui/support/window_fixture.h"
#include "tests/support/paths.h"
#include "views/behavior/behavior_canvas.h"
#include "views/comm_matrix/comm_changes_view.h"
#include "views/common/scene/data/session_replay.h"
#include "views/common/scene_view.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/cell_table.h"
#include "views/common/table/table_delegate.h"
#include "views/common/table/table_text.h"
#include "views/common/utf8_text.h"

#include <QComboBox>
#include <QContextMenuEvent>
#include <QDialog>
#include <QDockWidget>
#include <QMenu>
#include <QSlider>
#include <QTextBrowser>
#include <QToolButton>

namespace skein::behavior_view_test {

namespace {

struct Opened : test::WindowFixture {
    BehaviorCanvas* canvas = nullptr;

    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        const auto* panel = window->docks().find("behavior");
        panel->dock->show();
        panel->dock->raise();
        canvas = panel->view->findChild<BehaviorCanvas*>();
        settleAll();
    }
    void settleAll()
    {
        QTest::qWait(150);
        settle();
    }
    void click(Point point)
    {
        const double scale = canvas->devicePixelRatioF();
        QTest::mouseClick(canvas, Qt::LeftButton, {}, QPointF(point.x / scale, point.y / scale).toPoint());
    }
    const ViewState& state() { return window->selection().state(); }
    QTextBrowser* detailsText() const
    {
        return window->docks().find("details")->view->findChild<QTextBrowser*>();
    }
    QString details() const { return detailsText()->toPlainText(); }
};

/// A panel's view, in sight.
View* panelInSight(Opened& opened, const char* id)
{
    const auto* panel = opened.window->docks().find(id);
    if (!panel) return nullptr;
    panel->dock->show();
    panel->dock->raise();
    opened.settleAll();
    return panel->view;
}

CommChangesView* changesInSight(Opened& opened)
{
    auto* view = dynamic_cast<CommChangesView*>(panelInSight(opened, "comm_changes"));
    REQUIRE(view);
    REQUIRE(test::waitFor([&] { return view->canvas().changes() != nullptr; }, 30'000));
    return view;
}

}  // namespace

TEST_CASE("a click on a change point shows its periods, and one on a cluster selects its locations")
{
    Opened opened;
    REQUIRE(opened.canvas->picture());
    const SessionBehavior& behavior = *opened.canvas->picture()->behavior;
    CHECK(behavior.table.columns.size() == 8);
    CHECK(behavior.request.metric == "exclusive:MPI");
    REQUIRE_FALSE(behavior.changes.changes.empty());
    BehaviorLayout layout = opened.canvas->sceneLayout();
    REQUIRE_FALSE(layout.chips.empty());
    const Rect& chip = layout.chips[0].box;
    opened.click({chip.x + chip.width / 2, chip.y + chip.height / 2});
    CHECK(opened.state().selected.locations == behavior.locationsOfCluster(0));
    CHECK(opened.state().selected.clusters == std::vector<ClusterRef>{{0, 0}});
    opened.settleAll();
    CHECK(opened.details().contains(QString("%1 of 8").arg(behavior.clusterSizes[0])));
    layout = opened.canvas->sceneLayout();
    opened.click({layout.frame.scale.toX(behavior.edges[behavior.changes.changes[0]]) + 1,
                  layout.frame.body.y + layout.frame.body.height / 2});
    REQUIRE(opened.canvas->chosenChange());
    const ChangePeriods periods = periodsAround(behavior, *opened.canvas->chosenChange());
    REQUIRE(opened.state().visible);
    CHECK(opened.state().visible->contains(periods.after.begin));
    const std::size_t chosen = *opened.canvas->chosenChange();
    CHECK(opened.state().selected.changePoints == std::vector<ChangePointRef>{{0, periods.after.begin}});
    opened.settleAll();
    // Details tell who moved by how much, zoom to both periods and bring the rows of who moved into sight.
    const EntityShift first = shiftsAt(behavior, chosen).front();
    CHECK(opened.details().contains(QString("Who moved most at change %1").arg(chosen + 1)));
    CHECK(opened.details().contains(toQString(behavior.table.columns[first.entity])));
    CHECK(opened.details().contains(toQString(behaviorAmount(behavior.request, first.after))));
    opened.window->selection().setVisible(std::nullopt, nullptr);
    Q_EMIT opened.detailsText()->anchorClicked(QUrl("zoom:0"));
    REQUIRE(opened.state().visible);
    CHECK(opened.state().visible->begin <= periods.before.begin);
    CHECK(opened.state().visible->end >= periods.after.end);
    Q_EMIT opened.detailsText()->anchorClicked(QUrl("rows:0"));
    Selection moved;
    for (const std::size_t entity : movedAt(behavior, chosen))
        moved = united(moved, select(*opened.window->loader().session(), behavior.locationsOf(entity)));
    CHECK(opened.state().selected.locations == moved.locations);
    opened.canvas->markAfter(0);
    CHECK(opened.state().brushed == periodsAround(behavior, 0).after);
}

TEST_CASE("pictures of a kind that are drawn at the same time all come")
{
    Opened opened;
    opened.trigger("layout.behavior");
    opened.settleAll();
    for (int again = 0; again < 5; ++again) {
        opened.window->preferences().setAppearance(again % 2 ? gui::Appearance::Light
                                                             : gui::Appearance::Dark);
        std::vector<SceneView*> pictures;
        for (SceneView* picture : opened.window->findChildren<SceneView*>())
            if (picture->isVisible() && picture->objectName().startsWith("behavior"))
                pictures.push_back(picture);
        CHECK(pictures.size() >= 2);
        for (SceneView* picture : pictures) {
            INFO(picture->objectName().toStdString());
            CHECK(test::waitFor([&] { return picture->upToDate(); }, 5'000));
        }
    }
}

TEST_CASE("behaviour is that of the metric and of the entities that are chosen; no metric is a sentence")
{
    Opened opened;
    auto* per = opened.child<QComboBox>("behavior.per");
    auto* metric = opened.child<QComboBox>("behavior.metric");
    metric->setCurrentText("sent-bytes");
    Q_EMIT metric->activated(0);
    opened.settleAll();
    REQUIRE(opened.canvas->picture());
    CHECK(opened.canvas->picture()->behavior->request.metric == "sent-bytes");
    REQUIRE(per->findData("location") >= 0);
    per->setCurrentIndex(per->findData("location"));
    Q_EMIT per->activated(per->currentIndex());
    opened.settleAll();
    REQUIRE(opened.canvas->picture());
    CHECK(opened.canvas->picture()->behavior->request.per.entity == SeriesEntity::Location);
    auto* burnIn = opened.child<QComboBox>("behavior.burn_in");
    CHECK(opened.canvas->picture()->behavior->request.burnIn == 10);
    burnIn->setCurrentIndex(3);
    Q_EMIT burnIn->activated(3);
    opened.settleAll();
    REQUIRE(opened.canvas->picture());
    const SessionBehavior& behavior = *opened.canvas->picture()->behavior;
    CHECK(behavior.request.burnIn == 50);
    REQUIRE_FALSE(behavior.changes.blind.empty());
    CHECK(behavior.changes.blind.front().last >= 50);
    metric->setCurrentText("no such metric");
    Q_EMIT metric->activated(0);
    opened.settleAll();
    CHECK_FALSE(opened.canvas->picture());
}

TEST_CASE("an entity is opened: a line a part of it, and out again")
{
    Opened opened;
    auto* per = opened.child<QComboBox>("behavior.per");
    REQUIRE(per->findData("component") >= 0);
    per->setCurrentIndex(per->findData("component"));
    Q_EMIT per->activated(per->currentIndex());
    opened.settleAll();
    REQUIRE(opened.canvas->picture());
    CHECK(opened.canvas->picture()->behavior->table.columns.size() == 1);
    auto* view = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior"));
    REQUIRE(view);
    auto* out = opened.child<QToolButton>("behavior.out");
    CHECK_FALSE(out->isVisible());
    view->model().openEntity(0);
    opened.settleAll();
    CHECK(opened.canvas->picture()->behavior->table.columns.size() == 8);
    CHECK(per->currentData().toString().toStdString() == "node");
    CHECK(out->isVisible());
    // A process alone on its node, of one location: there are no parts.
    view->model().openEntity(3);
    opened.settleAll();
    CHECK(opened.canvas->picture()->behavior->table.columns.size() == 8);
    BehaviorRequest some = view->model().request();
    some.within = {LocationId(3), LocationId(5)};
    view->model().ask(some);
    opened.settleAll();
    REQUIRE(opened.canvas->picture()->behavior->table.columns.size() == 2);
    CHECK(opened.canvas->picture()->behavior->locationsOf(1).front().id == LocationId(5));
    out->click();
    opened.settleAll();
    CHECK(opened.canvas->picture()->behavior->table.columns.size() == 1);
    CHECK_FALSE(out->isVisible());
}

TEST_CASE("a replay shows what was known by a time, steps, is scrubbed, and ends with the whole run")
{
    Opened opened;
    auto* view = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior"));
    REQUIRE(view);
    BehaviorModel& model = view->model();
    REQUIRE(model.whole());
    double seconds = 0;
    model.setSeconds([&seconds] { return seconds; });
    const std::size_t all = model.whole()->table.rows();
    const TimeSpan run{model.whole()->edges.front(), model.whole()->edges.back()};
    model.control([&](ReplayClock& clock, double now) {
        clock.playOn(now);
        clock.setSpeed(now, static_cast<double>(run.lengthNs()) / 1e9 / 10);
    });
    seconds = 5;
    model.tick();
    opened.settleAll();
    REQUIRE(model.behavior());
    CHECK(model.behavior()->table.rows() == rowsUntil(*model.whole(), model.replayTime()));
    CHECK(model.behavior()->table.rows() < all);
    CHECK(model.behavior()->table.rows() > all / 3);
    const std::size_t before = model.behavior()->table.rows();
    opened.child<QToolButton>("behavior_replay.back")->click();
    opened.settleAll();
    CHECK(model.behavior()->table.rows() < before);
    CHECK(model.replay()->held());
    seconds = 8;
    opened.child<QToolButton>("behavior_replay.pause")->click();
    opened.settleAll();
    CHECK(model.behavior()->table.rows() > before);
    opened.child<QSlider>("behavior.replay_time")->setValue(2000);
    opened.settleAll();
    CHECK(model.behavior()->table.rows() == rowsUntil(*model.whole(), model.replayTime()));
    opened.child<QToolButton>("behavior_replay.end")->click();
    opened.settleAll();
    CHECK(model.behavior() == model.whole());
    CHECK_FALSE(model.replay());
}

TEST_CASE("a part that is still being made does not come after the end of the replay")
{
    Opened opened;
    auto* view = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior"));
    REQUIRE(view);
    BehaviorModel& model = view->model();
    REQUIRE(model.whole());
    model.control([&](ReplayClock& clock, double now) {
        clock.scrub(now, model.whole()->edges[model.whole()->edges.size() / 2]);
    });
    model.endReplay();
    opened.settleAll();
    CHECK(model.behavior() == model.whole());
}

TEST_CASE("a second metric has the changes and colours of the first, or its own")
{
    Opened opened;
    auto* second = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior_second"));
    REQUIRE(second);
    opened.settleAll();
    const SessionBehaviorPtr& shown = second->model().behavior();
    const auto* first = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior"));
    REQUIRE(shown);
    CHECK(shown->request.metric == "sent-bytes");
    CHECK(shown->findingsOf == "exclusive:MPI");
    CHECK(shown->changes.changes == opened.canvas->picture()->behavior->changes.changes);
    CHECK(first != second);
    auto* findings = opened.child<QComboBox>("behavior_second.findings");
    findings->setCurrentIndex(1);
    Q_EMIT findings->activated(1);
    opened.settleAll();
    CHECK(second->model().behavior()->findingsOf.empty());
}

TEST_CASE("the second metric's changes and colours can be those of both panels, in a replay too")
{
    Opened opened;
    auto* second = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior_second"));
    auto* first = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior"));
    REQUIRE(second);
    REQUIRE(first);
    opened.settleAll();
    auto* findings = opened.child<QComboBox>("behavior_second.findings");
    const auto choose = [&](int index) {
        findings->setCurrentIndex(index);
        Q_EMIT findings->activated(index);
        opened.settleAll();
    };
    choose(2);
    const auto shareFindings = [&] {
        const SessionBehaviorPtr led = first->model().behavior();
        const SessionBehaviorPtr leader = second->model().behavior();
        CHECK(led->request.metric == "exclusive:MPI");
        CHECK(led->findingsOf == "sent-bytes");
        CHECK(leader->findingsOf.empty());
        CHECK(led->changes.changes == leader->changes.changes);
        CHECK(led->clusters.labels == leader->clusters.labels);
        CHECK(led->table.rows() == leader->table.rows());
    };
    shareFindings();

    BehaviorModel& model = first->model();
    model.setSeconds([] { return 0.0; });
    model.control([&](ReplayClock& clock, double now) {
        clock.scrub(now, model.whole()->edges[model.whole()->edges.size() / 2]);
    });
    opened.settleAll();
    CHECK(model.behavior()->table.rows() < model.whole()->table.rows());
    shareFindings();
    model.endReplay();
    opened.settleAll();
    CHECK(model.behavior()->table.rows() == model.whole()->table.rows());
    shareFindings();

    choose(0);
    CHECK(first->model().behavior()->findingsOf.empty());
    CHECK(second->model().behavior()->findingsOf == "exclusive:MPI");
    choose(2);
    choose(1);
    CHECK(first->model().behavior()->findingsOf.empty());
    CHECK(second->model().behavior()->findingsOf.empty());
}

TEST_CASE("the menu of the picture holds nothing up, and goes with the session")
{
    Opened opened;
    REQUIRE(opened.canvas->picture());
    const QPoint middle = opened.canvas->rect().center();
    QContextMenuEvent event(QContextMenuEvent::Mouse, middle, opened.canvas->mapToGlobal(middle));
    QApplication::sendEvent(opened.canvas, &event);
    REQUIRE(opened.canvas->findChild<QMenu*>());
    opened.window->loader().close();
    opened.settleAll();
    CHECK_FALSE(opened.canvas->findChild<QMenu*>());
}

TEST_CASE("a second metric that there is not ends no replay")
{
    Opened opened;
    auto* second = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior_second"));
    REQUIRE(second);
    BehaviorModel& model = dynamic_cast<BehaviorView*>(panelInSight(opened, "behavior"))->model();
    REQUIRE(model.whole());
    model.setSeconds([] { return 0.0; });
    model.control([](ReplayClock& clock, double now) { clock.playOn(now); });
    REQUIRE(panelInSight(opened, "behavior_second"));
    second->model().askSecond("no such metric", BehaviorFindings::First);
    opened.settleAll();
    CHECK_FALSE(second->model().whole());
    CHECK(model.replay());
    CHECK(model.whole());
    model.endReplay();
    opened.settleAll();
}

TEST_CASE("a change leads to a comparison of call paths, and to who moved")
{
    Opened opened;
    opened.canvas->compareAround(0);
    opened.settleAll();
    auto* dialog = opened.window->findChild<QDialog*>("behavior.change_dialog");
    REQUIRE(dialog);
    auto* table = dialog->findChild<CellTable*>("behavior.change_table");
    REQUIRE(table->cells().rowCount() > 0);
    table->setCurrentRow(0);
    CHECK_FALSE(opened.state().selected.callPaths.empty());
    dialog->close();
    opened.canvas->selectMoved(0);
    CHECK_FALSE(opened.state().selected.locations.empty());
}

TEST_CASE("a comparison around a change of a session that is closed does not open, and an open one goes")
{
    Opened opened;
    opened.canvas->compareAround(0);
    opened.settleAll();
    REQUIRE(opened.window->findChild<QDialog*>("behavior.change_dialog"));
    opened.canvas->compareAround(0);
    opened.trigger("file.close");
    opened.settleAll();
    CHECK_FALSE(opened.window->findChild<QDialog*>("behavior.change_dialog"));
}

TEST_CASE("differences of communication follow the base, which is dragged on the strip")
{
    Opened opened;
    CommChangesView* view = changesInSight(opened);
    const CommChangesLayout layout = view->canvas().sceneLayout();
    const double scale = view->canvas().devicePixelRatioF();
    const auto at = [&](double part) {
        return QPointF((layout.strip.x + part * layout.strip.width) / scale,
                       (layout.strip.y + layout.strip.height / 2) / scale)
            .toPoint();
    };
    QTest::mousePress(&view->canvas(), Qt::LeftButton, {}, at(0.2));
    QTest::mouseMove(&view->canvas(), at(0.82));
    QTest::mouseRelease(&view->canvas(), Qt::LeftButton, {}, at(0.82));
    opened.settleAll();
    const std::size_t rows = view->canvas().changes()->behavior->table.rows();
    CHECK(view->canvas().changes()->base.row > rows / 10);
    CHECK(view->canvas().changes()->base.row < rows);
    auto* shown = opened.child<QComboBox>("comm_changes.shown");
    shown->setCurrentIndex(1);
    Q_EMIT shown->activated(1);
    opened.settleAll();
    const auto* table = opened.child<CellTable>("comm_changes.table");
    REQUIRE(test::waitFor([&] { return table->cells().rowCount() > 1; }, 5'000));
    // The first click on an interval brings its greatest amounts to the top.
    CHECK(table->cells().headerData(2, Qt::Horizontal, Qt::InitialSortOrderRole) == Qt::DescendingOrder);
    table->cells().sort(2, Qt::DescendingOrder);
    CHECK(table->cells().index(0, 2).data(kSortRole).toDouble()
          >= table->cells().index(1, 2).data(kSortRole).toDouble());
    // Rows go by either rank of their pair, and what is copied has both and bytes.
    for (const int column : {0, 1}) {
        table->cells().sort(column, Qt::AscendingOrder);
        CHECK(table->cells().index(0, column).data().toString() == "Rank 0");
        table->cells().sort(column, Qt::DescendingOrder);
        CHECK(table->cells().index(0, column).data().toString() == "Rank 7");
    }
    CHECK(exactHeader(table->cells(), 0) == "Sender");
    CHECK(exactHeader(table->cells(), 1) == "Receiver");
    CHECK(exactHeader(table->cells(), 2).endsWith(" [bytes]"));
    CHECK(exactText(table->cells().index(0, 2)).toDouble()
          == table->cells().index(0, 2).data(kSortRole).toDouble());
}

TEST_CASE("a cell of communication selects its pairs, whose entities are those of Behaviour's lines")
{
    Opened opened;
    CommChangesView* view = changesInSight(opened);
    const CommChanges& changes = *view->canvas().changes();
    const CommChangesLayout layout = view->canvas().sceneLayout();
    const Rect& body = layout.boxes.front().body;
    const double scale = view->canvas().devicePixelRatioF(), cell = body.width / 8;
    const Point point{body.x + 3.5 * cell, body.y + 0.5 * cell};
    QTest::mouseClick(&view->canvas(), Qt::LeftButton, {},
                      QPointF(point.x / scale, point.y / scale).toPoint());
    CHECK(opened.state().selected.rankPairs == std::vector<RankPairRef>{{0, 0, 3}});
    const auto selected = selectedColumns(*changes.behavior, opened.state().selected);
    CHECK(selected == std::vector<bool>{true, false, false, true, false, false, false, false});
}

TEST_CASE("changes of communication tell their scope as the others do, and are pinned with Behaviour")
{
    Opened opened;
    CommChangesView* view = changesInSight(opened);
    ScopeHead& head = *ScopeHead::of(*view);
    ScopeHead& ofBehavior = *ScopeHead::of(*opened.window->docks().find("behavior")->view);
    // Behaviour says more behind the same words.
    REQUIRE_FALSE(head.text().isEmpty());
    CHECK(ofBehavior.text().startsWith(head.text()));
    const std::vector<TimeNs> whole = view->canvas().changes()->behavior->edges;
    const TimeSpan part{560'000'000, 640'000'000};
    opened.window->selection().setVisible(part, nullptr);
    opened.settleAll();
    CHECK(view->canvas().changes()->behavior->edges == whole);
    head.pinTo(ScopeHead::Pin::Follow);
    opened.settleAll();
    CHECK(ofBehavior.pin() == ScopeHead::Pin::Follow);
    CHECK(ofBehavior.text().startsWith(head.text()));
    CHECK_FALSE(head.text().startsWith("Whole run"));
    const auto inPart = [&] {
        const CommChangesPtr& changes = view->canvas().changes();
        return changes && changes->behavior->edges.front() >= part.begin
            && changes->behavior->edges.back() <= part.end + 1;  // the last bin has its end, too
    };
    CHECK(test::waitFor(inPart, 30'000));
    ofBehavior.pinTo(ScopeHead::Pin::WholeRun);
    opened.settleAll();
    CHECK(head.pin() == ScopeHead::Pin::WholeRun);
}

TEST_CASE("a click on the title of a change of communication selects the change")
{
    Opened opened;
    CommChangesView* view = changesInSight(opened);
    const CommChangesLayout layout = view->canvas().sceneLayout();
    const double scale = view->canvas().devicePixelRatioF();
    const auto box = std::find_if(layout.boxes.begin(), layout.boxes.end(),
                                  [](const CommBox& one) { return one.interval->change.has_value(); });
    REQUIRE(box != layout.boxes.end());
    const SessionBehavior& behavior = *view->canvas().changes()->behavior;
    const TimeNs at = periodsAround(behavior, *box->interval->change).after.begin;
    QTest::mouseClick(&view->canvas(), Qt::LeftButton, {},
                      QPointF((box->title.x + 3) / scale, (box->title.y + 3) / scale).toPoint());
    CHECK(opened.state().selected.changePoints == std::vector<ChangePointRef>{{0, at}});
    opened.settleAll();
    CHECK(opened.details().contains("Change "));
}

TEST_CASE("pictures of one kind that are asked for in the same turn all come")
{
    Opened opened;
    opened.window->panels().apply(*gui::findWorkspace("behavior"));
    opened.settleAll();
    std::vector<const SceneView*> pictures;
    for (const auto* picture : opened.window->findChildren<SceneView*>())
        if (picture->isVisible() && dynamic_cast<const BehaviorCanvas*>(picture)) pictures.push_back(picture);
    REQUIRE(pictures.size() == 2);
    for (int i = 0; i < 5; ++i) {
        const bool dark = i % 2 == 0;
        opened.window->preferences().setAppearance(dark ? gui::Appearance::Dark : gui::Appearance::Light);
        opened.settleAll();
        for (const SceneView* picture : pictures) CHECK(picture->upToDate());
    }
}

}  // namespace skein::behavior_view_test
