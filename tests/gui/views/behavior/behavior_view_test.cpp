// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/behavior/behavior_view.h"

#include "tests/gui/support/window_fixture.h"
#include "views/behavior/behavior_canvas.h"
#include "views/common/selection_model.h"

#include <QComboBox>
#include <QDockWidget>

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
};

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
    opened.settleAll();
    layout = opened.canvas->sceneLayout();
    opened.click({layout.frame.scale.toX(behavior.edges[behavior.changes.changes[0]]) + 1,
                  layout.frame.body.y + layout.frame.body.height / 2});
    REQUIRE(opened.canvas->chosenChange());
    const ChangePeriods periods = periodsAround(behavior, *opened.canvas->chosenChange());
    REQUIRE(opened.state().visible);
    CHECK(opened.state().visible->contains(periods.after.begin));
    opened.canvas->markAfter(0);
    CHECK(opened.state().brushed == periodsAround(behavior, 0).after);
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
    per->setCurrentIndex(2);
    Q_EMIT per->activated(2);
    opened.settleAll();
    REQUIRE(opened.canvas->picture());
    CHECK(opened.canvas->picture()->behavior->request.per == SeriesEntity::Node);
    metric->setCurrentText("no such metric");
    Q_EMIT metric->activated(0);
    opened.settleAll();
    CHECK_FALSE(opened.canvas->picture());
}

}  // namespace skein::behavior_view_test
