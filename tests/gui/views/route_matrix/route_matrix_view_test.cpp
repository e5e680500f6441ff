// SPDX-License-Identifier: GPL-3.0-or-later
// First: the meta object compiler and Qt's own headers.
#include "views/route_matrix/route_matrix_view.h"

#include "tests/gui/support/choose_text.h"
#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/machine_session.h"
#include "views/common/draw_list_painter.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/route_matrix/route_matrix_canvas.h"

#include <QMouseEvent>
#include <QTest>

#include <algorithm>
#include <cmath>

namespace skein::route_matrix_view_test {
namespace {

/// 64 ranks on a torus of 4 × 4 × 4, each of which sends to the sixth after it.
struct Opened {
    QApplication& application = test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    RouteMatrixView view{ViewContext{selection, tasks}, nullptr};
    RouteMatrixCanvas* canvas = view.findChild<RouteMatrixCanvas*>();

    Opened()
    {
        std::vector<CommMatrix::Entry> entries;
        for (std::uint32_t rank = 0; rank < 64; ++rank)
            entries.push_back({rank, (rank + 6) % 64, 1, 100 + rank});
        MachineChoice machine;
        machine.topology = "torus:4x4x4";
        selection.setMachine(machine, nullptr);
        view.resize(900, 700);
        view.show();
        view.setSession(test::sessionOfSums(64, {entries}));
        settle();
        REQUIRE(canvas->shown());
    }
    void settle()
    {
        for (int turn = 0; turn < 3; ++turn) {
            QTest::qWait(30);
            REQUIRE(test::waitFor([this] { return !tasks.anyRunning() && canvas->upToDate(); }, 30000));
        }
    }
    void choose(const char* text)
    {
        test::chooseText(view, text);
        settle();
    }
    PlaneFrame frame() const
    {
        const SceneFonts fonts(canvas->font(), 1.0);
        const QtTextMeasure measure(fonts);
        const SceneStyle style{lightTheme(), 1, {}};
        return routeMatrixLayout(*canvas->shown(), canvas->view(),
                                 Canvas{canvas->width(), canvas->height(), style, measure});
    }
    QPoint placeOf(PlanePoint at) const
    {
        const Point point = frame().toCanvas(at);
        return {static_cast<int>(std::lround(point.x)), static_cast<int>(std::lround(point.y))};
    }
    void drag(QPoint from, QPoint to)
    {
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        for (int step = 1; step <= 4; ++step) {
            const QPoint at = from + (to - from) * step / 4;
            QMouseEvent move(QEvent::MouseMove, at, canvas->mapToGlobal(at), Qt::NoButton, Qt::LeftButton,
                             {});
            QApplication::sendEvent(canvas, &move);
        }
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
        settle();
    }
};

}  // namespace

TEST_CASE("route matrix view: a rectangle that is dragged fills the panel, Home shows all again")
{
    Opened opened;
    const PlaneView all = opened.frame().view;
    opened.drag(opened.placeOf({10, 20}), opened.placeOf({22, 30}));
    const PlaneFrame zoomed = opened.frame();
    CHECK(zoomed.view.center.x == Approx(16).margin(0.3));
    CHECK(zoomed.view.center.y == Approx(25).margin(0.3));
    // The whole rectangle is in sight, and one of its sides fills the panel.
    CHECK(std::min(zoomed.body.width / 12, zoomed.body.height / 10)
          == Approx(zoomed.view.pixels).epsilon(0.05));
    CHECK(zoomed.view.pixels > 2 * all.pixels);
    QTest::keyClick(opened.canvas, Qt::Key_Home);
    opened.settle();
    CHECK(opened.frame().view.pixels == Approx(all.pixels));
}

TEST_CASE("route matrix view: the hand moves what is under it, and selects nothing")
{
    Opened opened;
    opened.choose("Hand");
    const QPoint from = opened.placeOf({30, 30});
    const PlaneView before = opened.frame().view;
    opened.drag(from, from + QPoint(60, -40));
    const PlaneView after = opened.frame().view;
    CHECK(after.pixels == Approx(before.pixels));
    CHECK((before.center.x - after.center.x) * before.pixels == Approx(60).margin(0.5));
    CHECK((before.center.y - after.center.y) * before.pixels == Approx(-40).margin(0.5));
    CHECK(opened.selection.state().selected.empty());
}

TEST_CASE("route matrix view: the lens lies around the pointer and leaves with it")
{
    Opened opened;
    opened.choose("Lens");
    const auto drawn = [&] { return opened.canvas->grab().toImage(); };
    const QImage without = drawn();
    const QPoint at = opened.placeOf({32, 32});
    QTest::mouseMove(opened.canvas, at);
    QMouseEvent move(QEvent::MouseMove, at, opened.canvas->mapToGlobal(at), Qt::NoButton, Qt::NoButton, {});
    QApplication::sendEvent(opened.canvas, &move);
    opened.settle();
    const QImage with = drawn();
    QRect changed;
    for (int y = 0; y < with.height(); ++y)
        for (int x = 0; x < with.width(); ++x)
            if (with.pixel(x, y) != without.pixel(x, y)) changed |= QRect(x, y, 1, 1);
    REQUIRE(changed.width() > 50);
    CHECK(std::abs(changed.center().x() - at.x()) <= 4);
    CHECK(std::abs(changed.center().y() - at.y()) <= 4);
    const PlaneFrame frame = opened.frame();
    CHECK(std::abs(changed.width() - changed.height()) <= 6);
    CHECK(changed.width() < 0.4 * std::min(frame.body.width, frame.body.height));
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(opened.canvas, &leave);
    opened.settle();
    CHECK(drawn() == without);
}

TEST_CASE("route matrix view: a click on an adjacent cell selects its link, and the routes over it are shown")
{
    Opened opened;
    const RouteMatrixPicture& picture = *opened.canvas->shown();
    const LinkIndex link = picture.communication->traffic.summary.maximumLink;
    const VertexIndex from = picture.topology().source(link), to = picture.topology().target(link);
    const auto paths = picture.communication->traffic.paths;
    std::size_t over = 0;
    for (std::size_t i = 0; i < paths.size(); ++i) over += std::ranges::count(paths[i], link) > 0;
    QTest::mouseClick(opened.canvas, Qt::LeftButton, {},
                      opened.placeOf({picture.middleOf(to), picture.middleOf(from)}));
    opened.settle();
    CHECK(opened.selection.state().selected.links == std::vector<LinkRef>{{link}});
    CHECK(opened.canvas->shown()->routes.size() == over);
    CHECK(over > 0);
}

}  // namespace skein::route_matrix_view_test
