// SPDX-License-Identifier: GPL-3.0-or-later
// What clicks select in the panel of changes of communication, beside cells and titles.
#include "tests/gui/support/window_fixture.h"
#include "views/comm_matrix/comm_changes_view.h"

#include <QDockWidget>

namespace skein::comm_changes_clicks_test {

namespace {

struct Opened : test::WindowFixture {
    CommChangesCanvas* canvas = nullptr;

    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        auto* panel = window->docks().find("comm_changes");
        panel->dock->show();
        panel->dock->raise();
        canvas = panel->view->findChild<CommChangesCanvas*>();
        REQUIRE(canvas);
        REQUIRE(test::waitFor([&] { return canvas->changes() != nullptr; }, 30'000));
        settle();
    }
    const Selection& selected() const { return window->selection().state().selected; }
    void click(double x, double y, Qt::KeyboardModifiers modifiers = {})
    {
        const double scale = canvas->devicePixelRatioF();
        QTest::mouseClick(canvas, Qt::LeftButton, modifiers, QPointF(x / scale, y / scale).toPoint());
    }
};

}  // namespace

TEST_CASE("the number of a change on the strip selects the change, and moves no base")
{
    Opened opened;
    const CommChangesLayout layout = opened.canvas->sceneLayout();
    REQUIRE_FALSE(layout.numbers.empty());
    const std::size_t base = opened.canvas->changes()->base.row;
    const auto& [box, change] = layout.numbers.front();
    opened.click(box.x + 3, box.y + box.height / 2);
    CHECK(opened.selected().changePoints
          == std::vector<ChangePointRef>{changeRef(*opened.canvas->changes()->behavior, change)});
    opened.settle();
    CHECK(opened.canvas->changes()->base.row == base);
}

}  // namespace skein::comm_changes_clicks_test
