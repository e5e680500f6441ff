// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include "tests/gui/support/wait_for.h"
#include "tests/support/catch.h"
#include "tests/support/gui_application.h"
#include "tests/support/small_session.h"
#include "views/common/view.h"

#include <QMouseEvent>
#include <QTest>
#include <QWheelEvent>

namespace skein::test {

/// A session of what one builder makes.
inline SessionPtr sessionOf(ExperimentBuilder& builder)
{
    return std::make_shared<const Session>(Session{{builder.finish()}});
}

/// Presses at one point, moves to another and, but where it is to be held, releases there.
enum class DragEnd { Release, Hold };
inline void dragOver(QWidget& widget, QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {},
                     Qt::MouseButton button = Qt::LeftButton, DragEnd end = DragEnd::Release)
{
    QTest::mousePress(&widget, button, modifiers, from);
    for (int step = 1; step <= 4; ++step) {
        const QPointF now = QPointF(from) + QPointF(to - from) * step / 4;
        QMouseEvent move(QEvent::MouseMove, now, widget.mapToGlobal(now), Qt::NoButton, button, modifiers);
        QCoreApplication::sendEvent(&widget, &move);
    }
    if (end == DragEnd::Release) QTest::mouseRelease(&widget, button, modifiers, to);
}

inline void turnWheel(QWidget& widget, QPoint position, int turns, Qt::KeyboardModifiers modifiers = {})
{
    QWheelEvent event(position, widget.mapToGlobal(position), {}, {0, turns * 120}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&widget, &event);
}

/// One shown view of a session, and what stands around it.
template <typename ViewType>
struct ViewFixture {
    QApplication& application = guiApplication();
    SelectionModel selection;
    TaskRunner tasks;
    ViewType view{ViewContext{selection, tasks}, nullptr};

    ViewFixture(QSize size, SessionPtr session)
    {
        view.resize(size);
        view.show();
        view.setSession(std::move(session));
    }
    template <typename Condition>
    void waitUntil(Condition condition)
    {
        REQUIRE(test::waitFor(condition, 30000));
    }
    /// Waits until the picture of the present state is shown and nothing runs.
    void settle()
    {
        QCoreApplication::processEvents();
        waitUntil([this] { return view.upToDate() && !tasks.anyRunning(); });
    }
    void drag(QPoint from, QPoint to, Qt::KeyboardModifiers modifiers = {},
              Qt::MouseButton button = Qt::LeftButton)
    {
        dragOver(view, from, to, modifiers, button);
    }
    void wheel(QPoint position, int turns, Qt::KeyboardModifiers modifiers = {})
    {
        turnWheel(view, position, turns, modifiers);
    }
    /// Triggers one of the view's own actions.
    void trigger(const char* name)
    {
        auto* action = view.template findChild<QAction*>(name);
        REQUIRE(action);
        action->trigger();
    }
};

}  // namespace skein::test
