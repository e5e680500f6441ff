// SPDX-License-Identifier: GPL-3.0-or-later
// Changes that the behaviour panels have found, over the timeline.
#include "tests/gui/support/window_fixture.h"
#include "views/behavior/behavior_canvas.h"
#include "views/common/behavior_model.h"
#include "views/timeline/timeline_changes_scene.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>

namespace skein::timeline_changes_view_test {

namespace {

struct Opened : test::WindowFixture {
    TimelineView* timeline = nullptr;
    BehaviorCanvas* canvas = nullptr;

    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        timeline = dynamic_cast<TimelineView*>(window->docks().find("timeline")->view);
        REQUIRE(timeline);
        auto* panel = window->docks().find("behavior");
        canvas = panel->view->findChild<BehaviorCanvas*>();
        panel->dock->show();
        panel->dock->raise();
        REQUIRE(test::waitFor([&] { return canvas->picture() != nullptr; }, 30'000));
        settle();
    }
    const ViewState& state() const { return window->selection().state(); }
    const SessionBehavior& behavior() const { return *canvas->picture()->behavior; }
    /// What of the changes is over the timeline, as far as clicks tell: the middle of a flag at a time.
    QPoint flagOf(std::size_t change) const
    {
        const TimelineLayout& layout = timeline->sceneLayout();
        const double x = layout.scale.toX(behavior().edges[behavior().changes.changes[change]]);
        const double scale = timeline->devicePixelRatioF();
        return QPointF((x + 4) / scale, (layout.body.y + 5) / scale).toPoint();
    }
    std::size_t firstMarked() const { return behavior().lasting.empty() ? 0 : behavior().lasting.front(); }
    void click(QPoint point) { QTest::mouseClick(timeline, Qt::LeftButton, {}, point); }
};

}  // namespace

TEST_CASE("a click on the mark of a change in the timeline selects the change, in Behaviour and Details too")
{
    Opened opened;
    REQUIRE_FALSE(opened.behavior().changes.changes.empty());
    const std::size_t change = opened.firstMarked();
    const auto visible = opened.state().visible;
    opened.click(opened.flagOf(change));
    CHECK(opened.state().selected.changePoints
          == std::vector<ChangePointRef>{changeRef(opened.behavior(), change)});
    CHECK(opened.state().selected.intervals.empty());
    CHECK(opened.state().visible == visible);
    CHECK(opened.canvas->chosenChange() == change);
    opened.settle();
    CHECK(opened.canvas->chosenChange() == change);

    // On the ruler its line does the same, and beside it nothing is selected.
    const QPoint flag = opened.flagOf(change);
    const TimelineLayout& layout = opened.timeline->sceneLayout();
    const QPoint onRuler(flag.x() - 4, static_cast<int>(layout.ruler.y + layout.ruler.height / 2));
    opened.click(onRuler - QPoint(40, 0));
    CHECK(opened.state().selected.changePoints.empty());
    opened.click(onRuler);
    CHECK(opened.state().selected.changePoints.size() == 1);
}

TEST_CASE("marks of changes in the timeline can be hidden, and go where they hold no longer")
{
    Opened opened;
    const std::size_t change = opened.firstMarked();
    auto* shown = opened.timeline->findChild<QAction*>("timeline.changes");
    REQUIRE(shown);
    CHECK(shown->isChecked());
    shown->trigger();
    opened.click(opened.flagOf(change));
    CHECK(opened.state().selected.changePoints.empty());
    CHECK_FALSE(opened.state().selected.intervals.empty());
    shown->trigger();
    opened.click(opened.flagOf(change));
    CHECK(opened.state().selected.changePoints.size() == 1);

    // Nobody looks at the behaviour when ranks are hidden: what was found is of other ranks.
    opened.window->docks().find("behavior")->dock->hide();
    opened.window->selection().addFilter(
        {"few", FilterEffect::Keep, {}, {{0, LocationId(0)}, {0, LocationId(1)}}}, nullptr);
    opened.settle();
    opened.click(opened.flagOf(change));
    CHECK(opened.state().selected.changePoints.empty());
}

TEST_CASE("while other changes are being looked for those of before are no longer to be clicked")
{
    Opened opened;
    const std::size_t change = opened.firstMarked();
    const BehaviorModel& model = BehaviorModel::of({opened.window->selection(), opened.window->tasks()});
    REQUIRE(model.present());
    CHECK_FALSE(model.outdated());
    auto* bins = opened.child<QComboBox>("behavior.bins");
    bins->setCurrentIndex(0);
    Q_EMIT bins->activated(0);
    // Not yet: what is shown was found for more bins.
    CHECK_FALSE(model.present());
    REQUIRE(model.outdated());
    opened.click(opened.flagOf(change));
    CHECK(opened.state().selected.changePoints.empty());
    REQUIRE(test::waitFor([&] { return model.present() != nullptr; }, 30'000));
    CHECK_FALSE(model.outdated());
    CHECK(model.present()->request.bins == 50);
}

}  // namespace skein::timeline_changes_view_test
