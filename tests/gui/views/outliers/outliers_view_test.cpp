// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/outliers/outliers_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "views/outliers/outlier_calls_canvas.h"
#include "views/outliers/outlier_ranks_canvas.h"

#include <QAction>

#include <algorithm>

namespace skein::outliers_view_test {

namespace {

/// Three ranks; one call of the second and two of the third are much longer than the others.
SessionPtr threeRanks()
{
    test::ExperimentBuilder builder("ranks");
    for (int rank = 0; rank < 3; ++rank) {
        std::vector<test::Call> calls;
        for (int call = 0; call < 200; ++call)
            calls.push_back({call * 100'000,
                             call * 100'000 + (call >= 20 && call < 20 + rank ? 50'000 : 1000), "work", 0});
        builder.process("node", calls);
    }
    return test::sessionOf(builder);
}

struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    OutliersView view{ViewContext{selection, tasks}, nullptr};

    explicit Opened(SessionPtr session = threeRanks())
    {
        view.resize(900, 500);
        view.QWidget::show();
        view.setSession(std::move(session));
        REQUIRE(test::waitFor([this] { return view.outliers() != nullptr; }, 30000));
        settle();
    }
    void settle()
    {
        QCoreApplication::processEvents();
        REQUIRE(test::waitFor(
            [this] { return !tasks.anyRunning() && view.calls().upToDate() && view.ranks().upToDate(); },
            30000));
        QCoreApplication::processEvents();
        REQUIRE(test::waitFor([this] { return !tasks.anyRunning(); }, 30000));
    }
    QPoint placeOf(const OutlierPoint& point) const
    {
        const Point at = view.calls().sceneLayout().at(point);
        const double ratio = view.calls().devicePixelRatioF();
        return {static_cast<int>(at.x / ratio), static_cast<int>(at.y / ratio)};
    }
};

}  // namespace

TEST_CASE("a click on a dot of the outliers selects the call, one beside it nothing, and a double click "
          "zooms to it")
{
    Opened opened;
    REQUIRE(opened.view.outliers()->points.size() == 3);
    const OutlierPoint point = opened.view.outliers()->points.back();
    QTest::mouseClick(&opened.view.calls(), Qt::LeftButton, {}, opened.placeOf(point));
    CHECK(opened.selection.state().selected.intervals == std::vector<IntervalRef>{point.call});
    CHECK(opened.selection.state().selected.locations == std::vector<LocationRef>{{0, point.call.location}});
    CHECK_FALSE(opened.view.calls().toolTipAt(opened.view.calls().sceneLayout().at(point)).empty());
    QTest::mouseClick(&opened.view.calls(), Qt::LeftButton, {}, opened.placeOf(point) + QPoint(60, 60));
    CHECK(opened.selection.state().selected.empty());
    QTest::mouseClick(&opened.view.calls(), Qt::LeftButton, {}, opened.placeOf(point));
    QTest::mouseDClick(&opened.view.calls(), Qt::LeftButton, {}, opened.placeOf(point));
    REQUIRE(opened.selection.state().visible);
    CHECK(*opened.selection.state().visible == TimeSpan{point.begin - 12'500, point.begin + 62'500});
    CHECK(opened.selection.state().selected.intervals == std::vector<IntervalRef>{point.call});
}

TEST_CASE("outliers follow the visible window and the filters, and F zooms to the selected call")
{
    Opened opened;
    opened.selection.setVisible(TimeSpan{2'050'000, 2'200'000}, nullptr);
    opened.settle();
    CHECK(opened.view.outliers()->total == 1);
    opened.selection.setVisible(std::nullopt, nullptr);
    opened.selection.addFilter(Filter{"", FilterEffect::Hide, {}, {{0, LocationId(2)}}}, nullptr);
    opened.settle();
    REQUIRE(opened.view.outliers()->total == 1);
    CHECK(opened.view.outliers()->ranks[0].location == LocationRef{0, LocationId(1)});
    QTest::mouseClick(&opened.view.calls(), Qt::LeftButton, {},
                      opened.placeOf(opened.view.outliers()->points[0]));
    QTest::keyClick(&opened.view.calls(), Qt::Key_F);
    CHECK(*opened.selection.state().visible == TimeSpan{1'987'500, 2'062'500});
}

TEST_CASE("aggregated outliers select the location, and keep the region they were asked of")
{
    Opened opened;
    opened.view.show(OutliersView::Mode::Ranks);
    opened.settle();
    OutlierRanksCanvas& canvas = opened.view.ranks();
    const auto click = [&](std::size_t rank) {
        const Point at = canvas.sceneLayout().at(opened.view.outliers()->ranks[rank]);
        QTest::mouseClick(
            &canvas, Qt::LeftButton, {},
            QPointF(at.x / canvas.devicePixelRatioF(), at.y / canvas.devicePixelRatioF()).toPoint());
    };
    REQUIRE(opened.view.outliers()->ranks.size() == 2);
    click(1);
    CHECK(opened.selection.state().selected.locations == std::vector<LocationRef>{{0, LocationId(2)}});
    CHECK(opened.selection.state().selected.regions.empty());
    opened.selection.setSelected({{}, {{0, RegionId(0)}}, {}, {}, {}}, nullptr);
    opened.view.findChild<QAction*>("outliers.selectedRegion")->trigger();
    opened.settle();
    REQUIRE(opened.view.outliers()->request.regions.size() == 1);
    click(0);
    CHECK(opened.selection.state().selected.locations == std::vector<LocationRef>{{0, LocationId(1)}});
    CHECK(opened.selection.state().selected.regions == std::vector<RegionRef>{{0, RegionId(0)}});
}

TEST_CASE("the panel of outliers says why it is empty: no trace, or no outlier")
{
    test::WindowFixture fixture;
    auto* view = fixture.window->findChild<OutliersView*>();
    REQUIRE(view);
    fixture.open({test::example("lulesh-8/profile-flat")});
    fixture.window->docks().focusView("outliers");
    fixture.settle();
    CHECK(view->outliers() == nullptr);
    CHECK_FALSE(view->drawnPicture(100, 100).has_value());
    fixture.open({test::example("lulesh-8/trace-otf2")});
    fixture.window->docks().focusView("outliers");
    fixture.settle();
    REQUIRE(test::waitFor([&] { return view->outliers() != nullptr; }, 30000));
    CHECK(view->outliers()->total > 0);
}

}  // namespace skein::outliers_view_test
