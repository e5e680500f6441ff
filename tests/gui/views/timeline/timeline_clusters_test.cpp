// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters that the behaviour panels have found, beside the rows of the timeline, and zooming to findings.
#include "core/select/translate.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "views/behavior/behavior_canvas.h"
#include "views/common/behavior_model.h"
#include "views/common/scene/data/selected_findings.h"
#include "views/location_detail/location_detail_view.h"
#include "views/timeline/timeline_clusters_scene.h"
#include "views/timeline/timeline_view.h"

#include <QAction>
#include <QDockWidget>

#include <algorithm>

namespace skein::timeline_clusters_view_test {

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
    SessionBehaviorPtr behavior() const { return canvas->picture()->behavior; }
    std::uint32_t clusterOf(std::uint32_t location) const
    {
        for (std::size_t column = 0; column < behavior()->locations.size(); ++column)
            for (const LocationId id : behavior()->locations[column])
                if (id == LocationId(location)) return behavior()->clusters.labels[column];
        FAIL("no cluster");
        return 0;
    }
    /// Of the mark beside the row of a location.
    QPoint markOf(std::uint32_t location) const
    {
        const PlacedRow* place = timeline->sceneLayout().placeOf({0, LocationId(location)});
        REQUIRE(place);
        const double scale = timeline->devicePixelRatioF();
        return QPointF(2, (place->y + place->height / 2) / scale).toPoint();
    }
    void click(QPoint point, Qt::KeyboardModifiers modifiers = {})
    {
        QTest::mouseClick(timeline, Qt::LeftButton, modifiers, point);
    }
    TimeSpan aroundChange(std::size_t change) const
    {
        const ChangePeriods periods = periodsAround(*behavior(), change);
        return {periods.before.begin, periods.after.end};
    }
};

}  // namespace

TEST_CASE("a click on a row's colour selects its cluster, as one in Behaviour does")
{
    Opened opened;
    REQUIRE(opened.behavior()->clusterSizes.size() > 1);
    const std::uint32_t cluster = opened.clusterOf(3);
    opened.click(opened.markOf(3));
    const Selection expected = selectCluster(*opened.window->loader().session(), *opened.behavior(), cluster);
    CHECK(opened.state().selected == expected);
    CHECK(opened.state().selected.clusters == std::vector<ClusterRef>{{0, cluster}});

    // Another one is added.
    std::uint32_t other = 0;
    while (opened.clusterOf(other) == cluster) ++other;
    opened.click(opened.markOf(other), Qt::ControlModifier);
    CHECK(opened.state().selected.clusters.size() == 2);
    CHECK(opened.state().selected.locations.size() > expected.locations.size());
}

TEST_CASE("colours beside the rows can be hidden, and there are none where nobody looked at the behaviour")
{
    Opened opened;
    auto* shown = opened.timeline->findChild<QAction*>("timeline.clusters");
    REQUIRE(shown);
    CHECK(shown->isChecked());
    shown->trigger();
    opened.click(opened.markOf(3));
    CHECK(opened.state().selected.clusters.empty());
    CHECK(opened.state().selected.locations == std::vector<LocationRef>{{0, LocationId(3)}});
    shown->trigger();
    opened.click(opened.markOf(3));
    CHECK(opened.state().selected.clusters.size() == 1);

    test::WindowFixture alone;
    alone.open({test::example("lulesh-8/trace-otf2")});
    QTest::mouseClick(alone.window->docks().find("timeline")->view, Qt::LeftButton, {}, opened.markOf(3));
    CHECK(alone.window->selection().state().selected.clusters.empty());
}

TEST_CASE("colours beside the rows are laid out once for what is shown, not at every move of the mouse")
{
    Opened opened;
    const auto laidOut = opened.timeline->clusters();
    REQUIRE(laidOut);
    REQUIRE_FALSE(laidOut->marks.empty());
    for (const QPoint at : {QPoint(2, 60), QPoint(300, 60), QPoint(400, 120), QPoint(2, 90)}) {
        QTest::mouseMove(opened.timeline, at);
        opened.timeline->repaint();
    }
    CHECK(opened.timeline->clusters() == laidOut);
    test::turnWheel(*opened.timeline, {300, 60}, 4, Qt::ShiftModifier);
    CHECK(opened.timeline->clusters() != laidOut);
}

TEST_CASE("F zooms to the periods around a selected change, in the timeline and in the location detail")
{
    Opened opened;
    REQUIRE_FALSE(opened.behavior()->changes.changes.empty());
    const std::size_t change = opened.behavior()->lasting.empty() ? 0 : opened.behavior()->lasting.front();
    const TimeSpan around = opened.aroundChange(change);
    Selection selected;
    selected.changePoints = {changeRef(*opened.behavior(), change)};
    opened.window->docks().find("location_detail")->dock->show();
    opened.settle();
    for (const char* id : {"timeline", "location_detail"}) {
        INFO(id);
        opened.window->selection().setSelected(selected, nullptr);
        opened.window->selection().setVisible(TimeSpan{0, 1'000'000}, nullptr);
        opened.settle();
        QTest::keyClick(opened.window->docks().find(id)->view, Qt::Key_F);
        REQUIRE(opened.state().visible.has_value());
        CHECK(opened.state().visible->begin <= around.begin);
        CHECK(opened.state().visible->end >= around.end);
        CHECK(opened.state().visible->lengthNs() <= around.lengthNs() * 12 / 10);
        CHECK(opened.state().selected == selected);
    }
}

TEST_CASE("F brings the rows of a selected cluster into sight")
{
    Opened opened;
    test::turnWheel(*opened.timeline, {300, 60}, 4, Qt::ShiftModifier);  // some rows are out of sight
    opened.settle();
    // The last row and what else is in its cluster.
    const std::uint32_t last = 7, cluster = opened.clusterOf(last);
    const auto isInSight = [&](LocationRef location) {
        const TimelineLayout& layout = opened.timeline->sceneLayout();
        const PlacedRow* place = layout.placeOf(location);
        return place && place->y >= layout.body.y && place->y + place->height <= layout.body.bottom() + 1;
    };
    opened.timeline->scrollBy(-10'000);
    opened.settle();
    REQUIRE(opened.timeline->sceneLayout().maximumScroll > 0);
    REQUIRE_FALSE(isInSight({0, LocationId(last)}));
    Selection selected;
    selected.clusters = {{0, cluster}};
    opened.window->selection().setSelected(selected, opened.timeline);
    opened.settle();
    const auto members = opened.behavior()->locationsOfCluster(cluster);
    REQUIRE(std::none_of(members.begin(), members.end(), isInSight));
    QTest::keyClick(opened.timeline, Qt::Key_F);
    CHECK(std::any_of(members.begin(), members.end(), isInSight));
    CHECK(locationsOfFindings(opened.behavior(), selected) == opened.behavior()->locationsOfCluster(cluster));
}

}  // namespace skein::timeline_clusters_view_test
