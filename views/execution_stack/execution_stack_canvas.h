// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene/axes/time_window.h"
#include "views/common/scene_view.h"
#include "views/execution_stack/execution_stack_scene.h"

namespace skein {

/// The picture of the execution stack: the window in focus is chosen in the strip on top.
class ExecutionStackCanvas : public SceneView {
    Q_OBJECT

public:
    ExecutionStackCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr session) override { session_ = std::move(session); }
    /// Null: `message` says why there is nothing. Other executions are shown as a whole.
    void setData(ExecutionStackDataPtr stack, const QString& message);
    void refresh() { redraw(); }
    ExecutionStackLayout sceneLayout() const;
    const std::optional<TimeSpan>& focusWindow() const { return window_; }
    void setFocusWindow(const std::optional<TimeSpan>& window);
    std::vector<KeyHint> keyHints() const override;

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Drag {
        Point from;
        TimeSpan before;
        WindowGrip grip = WindowGrip::Whole;
        bool inContext = false;
        bool moved = false;
    };
    void dragTo(Point point);
    void click(Point point, Qt::KeyboardModifiers modifiers);
    TimeSpan presentWindow() const;

    SessionPtr session_;
    ExecutionStackDataPtr data_;
    QString message_;
    std::optional<TimeSpan> window_;
    std::optional<Drag> drag_;
};

}  // namespace skein
