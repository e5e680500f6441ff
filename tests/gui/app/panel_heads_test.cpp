// SPDX-License-Identifier: GPL-3.0-or-later
// Heads of panels keep their buttons wherever the panels go.
#include "app/gui/window/dock_host.h"
#include "app/gui/window/panel_arranger.h"
#include "app/gui/window/panel_head.h"
#include "app/gui/window/workspaces.h"
#include "tests/gui/support/view_fixture.h"
#include "tests/gui/support/window_fixture.h"
#include "views/common/scope_head.h"

#include <QDockWidget>
#include <QLabel>
#include <QTabBar>
#include <QToolButton>
#include <QVBoxLayout>

namespace skein::panel_heads_test {

using namespace skein::gui;

namespace {

constexpr const char* kButtons[] = {"head.more", "head.maximise", "head.float", "head.close"};

struct Opened : test::WindowFixture {
    Opened()
    {
        open({test::example("lulesh-8/trace-otf2")});
        trigger("panel.statistics");
        rest();
    }
    void rest()
    {
        settle();
        QTest::qWait(50);
        settle();
    }
    const DockHost::Panel& statistics() const { return *window->docks().find("statistics"); }
    QToolButton* button(const char* name) const { return statistics().head->findChild<QToolButton*>(name); }
    void press(const char* name)
    {
        QTest::mouseClick(button(name), Qt::LeftButton);
        rest();
    }
    void checkButtons() const
    {
        CHECK(statistics().dock->isVisible());
        CHECK(statistics().head->isVisible());
        CHECK(statistics().head->width() > 300);
        for (const char* name : kButtons) {
            INFO(name);
            CHECK(button(name)->isVisible());
            CHECK(statistics().head->rect().contains(button(name)->geometry()));
        }
    }
    QTabBar* tabs() const
    {
        for (QTabBar* bar : window->docks().findChildren<QTabBar*>(Qt::FindDirectChildrenOnly))
            if (tabIn(*bar) >= 0) return bar;
        return nullptr;
    }
    int tabIn(const QTabBar& bar) const
    {
        for (int tab = 0; tab < bar.count(); ++tab)
            if (bar.tabText(tab) == statistics().dock->windowTitle()) return tab;
        return -1;
    }
    /// Out of its row by the mouse, and let go there.
    void dragTabOut()
    {
        QTabBar* bar = tabs();
        REQUIRE(bar);
        const QPoint from = bar->tabRect(tabIn(*bar)).center();
        QTest::mousePress(bar, Qt::LeftButton, {}, from);
        const QPointF to = from - QPoint(0, 120);
        QMouseEvent move(QEvent::MouseMove, to, bar->mapToGlobal(to), Qt::NoButton, Qt::LeftButton, {});
        QCoreApplication::sendEvent(bar, &move);
        QDockWidget* dock = statistics().dock;
        dock->releaseMouse();
        QTest::mouseRelease(dock, Qt::LeftButton, {}, QPoint(60, 14));
        rest();
    }
};

/// A view with a line of scope and nothing else.
class ScopedView : public View {
public:
    explicit ScopedView(const ViewContext& context) : View(context)
    {
        auto* all = new QVBoxLayout(this);
        head = new ScopeHead(selection(), this);
        all->addWidget(head);
    }
    void setSession(SessionPtr) override {}

    ScopeHead* head = nullptr;
};

}  // namespace

TEST_CASE(
    "a head keeps its buttons when its panel leaves its tabs, comes back, is maximised and arranged anew")
{
    Opened opened;
    opened.checkButtons();
    opened.dragTabOut();
    REQUIRE(opened.statistics().dock->isFloating());
    opened.checkButtons();
    opened.press("head.float");
    REQUIRE_FALSE(opened.statistics().dock->isFloating());
    opened.checkButtons();

    QTabBar* bar = opened.tabs();
    REQUIRE(bar);
    QTest::mouseDClick(bar, Qt::LeftButton, {}, bar->tabRect(opened.tabIn(*bar)).center());
    opened.rest();
    REQUIRE(opened.statistics().dock->isFloating());
    opened.checkButtons();
    opened.press("head.maximise");
    opened.checkButtons();
    opened.press("head.maximise");
    opened.checkButtons();

    // Another layout, and the one before: it stands among its tabs again.
    opened.trigger("layout.balance");
    opened.rest();
    opened.trigger("layout.where");
    opened.rest();
    opened.trigger("panel.statistics");
    opened.rest();
    opened.checkButtons();
    opened.press("head.maximise");
    opened.checkButtons();
    opened.press("head.maximise");
    opened.checkButtons();
}

TEST_CASE(
    "a floated panel that another layout puts back has its buttons, and so has one that a session floats")
{
    Opened opened;
    const QByteArray docked = opened.window->docks().layout();
    opened.dragTabOut();
    const QByteArray floated = opened.window->docks().layout();
    for (int turn = 0; turn < 2; ++turn) {
        REQUIRE(opened.window->docks().setLayout(docked));
        opened.statistics().dock->raise();
        opened.rest();
        CHECK_FALSE(opened.statistics().dock->isFloating());
        opened.checkButtons();
        REQUIRE(opened.window->docks().setLayout(floated));
        opened.rest();
        CHECK(opened.statistics().dock->isFloating());
        opened.checkButtons();
    }
}

TEST_CASE("buttons that had no room come back when what stands beside them goes")
{
    test::guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    ScopedView view(ViewContext{selection, tasks});
    QWidget window;
    auto* wide = new QLabel("a control");
    wide->setMinimumWidth(420);
    view.head->addControl(wide);
    auto* head = new PanelHead(view, &window);
    head->setTitle("Title");
    head->setGeometry(0, 0, 500, 28);
    window.resize(500, 100);
    window.show();
    REQUIRE(QTest::qWaitForWindowExposed(&window));
    auto* close = head->findChild<QToolButton*>("head.close");
    REQUIRE(test::waitFor([&] { return !close->isVisible(); }));
    CHECK(head->findChild<QToolButton*>("head.more")->isVisible());
    wide->hide();
    CHECK(test::waitFor([&] { return close->isVisible(); }));
    wide->show();
    CHECK(test::waitFor([&] { return !close->isVisible(); }));
    // A view that hides its scope leaves the room to the buttons.
    view.head->hide();
    CHECK(test::waitFor([&] { return close->isVisible(); }));
}

TEST_CASE("a panel that is maximised when another layout comes is told so no longer")
{
    Opened opened;
    const QString before = opened.button("head.maximise")->toolTip();
    opened.window->docks().setMaximised("statistics");
    opened.rest();
    CHECK(opened.button("head.maximise")->toolTip() != before);
    opened.window->docks().applyDefaultLayout();
    opened.rest();
    CHECK_FALSE(opened.window->docks().isMaximised());
    CHECK(opened.button("head.maximise")->toolTip() == before);
}

}  // namespace skein::panel_heads_test
