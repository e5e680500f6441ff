// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/execution_stack/execution_stack_view.h"

#include "app/gui/window/dock_host.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/selection_model.h"
#include "views/execution_stack/execution_stack_canvas.h"

#include <QWheelEvent>

namespace skein::execution_stack_view_test {
namespace {

struct Opened : test::WindowFixture {
    explicit Opened(const char* archive = "heatflow-16x2/trace-otf2")
    {
        open({test::example(archive)});
        window->docks().focusView("execution_stack");
        settleAll();
    }
    void settleAll()
    {
        settle();
        QTest::qWait(150);
        settle();
    }
    ExecutionStackCanvas& canvas() const
    {
        return static_cast<ExecutionStackView*>(window->docks().find("execution_stack")->view)->canvas();
    }
    void key(Qt::Key key)
    {
        QTest::keyClick(&canvas(), key);
        settleAll();
    }
};

}  // namespace

TEST_CASE("the stack shows the most severe anomaly, and the wheel and Esc change its window in focus")
{
    Opened opened;
    CHECK(opened.canvas().upToDate());
    CHECK_FALSE(opened.canvas().focusWindow().has_value());
    const ExecutionStackLayout layout = opened.canvas().sceneLayout();
    const QPoint middle(opened.canvas().width() / 2, opened.canvas().height() / 2);
    QWheelEvent wheel(middle, opened.canvas().mapToGlobal(middle), {}, {0, 480}, Qt::NoButton,
                      Qt::ControlModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(&opened.canvas(), &wheel);
    opened.settleAll();
    REQUIRE(opened.canvas().focusWindow().has_value());
    CHECK(opened.canvas().focusWindow()->lengthNs() > 0);
    opened.canvas().setFocusWindow(std::nullopt);
    CHECK_FALSE(opened.canvas().focusWindow().has_value());
}

TEST_CASE("another execution is shown as a whole, and a click in it selects a call")
{
    Opened opened;
    opened.canvas().setFocusWindow(TimeSpan{10, 20});
    Selection selected;
    selected.intervals = {IntervalRef{0, LocationId(3), 0}};
    opened.window->selection().setSelected(selected, nullptr);
    opened.settleAll();
    CHECK_FALSE(opened.canvas().focusWindow().has_value());
    // Somewhere in the stack lies a call.
    bool chosen = false;
    for (int y = 30; y < opened.canvas().height() && !chosen; y += 12) {
        QTest::mouseClick(&opened.canvas(), Qt::LeftButton, {}, {opened.canvas().width() / 2, y});
        opened.settleAll();
        const auto& now = opened.window->selection().state().selected.intervals;
        chosen = now.size() == 1 && now[0].location == LocationId(3) && now[0].index > 0;
    }
    CHECK(chosen);
}

TEST_CASE("a profile has no calls to stack, and the panel is up to date with that")
{
    Opened opened("lulesh-8/profile-callpath");
    CHECK(opened.canvas().upToDate());
    CHECK_FALSE(opened.canvas().focusWindow().has_value());
}

}  // namespace skein::execution_stack_view_test
