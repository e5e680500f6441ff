// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/held_keys.h"
#include "views/common/scene_view.h"
#include "views/common/selection_model.h"
#include "views/overview/overview_scene.h"

#include <optional>

namespace skein {

/// The whole execution in a strip, with the window that the other views show as a frame to be dragged.
class OverviewView : public SceneView {
    Q_OBJECT

public:
    explicit OverviewView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    QSize sizeHint() const override { return {1200, 150}; }
    QSize minimumSizeHint() const override { return {200, 84}; }

    /// Where everything is now, in device pixels.
    const OverviewLayout& sceneLayout() const { return layout_; }

protected:
    Maker maker() const override;
    QString emptyText() const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void layoutAgain() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void keyReleaseEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Drag {
        WindowGrip grip = WindowGrip::New;
        TimeNs from = 0;
        TimeSpan before;
        double x = 0;
        bool moved = false;
    };

    void hear(ViewParts parts);
    void makeDepthAction();
    OverviewOptions options() const;
    const std::vector<Filter>& filters() const { return selection().state().filters; }
    void showWindow(TimeSpan window);
    /// A step of a movement.
    void moveWindow(TimeSpan window);
    void move(int key, double steps);
    bool holdKey(int key, Qt::KeyboardModifiers modifiers);
    TimeSpan window() const { return visibleSpan(*data_, selection().state()); }
    void showCursor(Point point);
    void click(Point point);
    bool pressKey(int key, Qt::KeyboardModifiers modifiers);

    TimelineDataPtr data_;
    SessionPtr session_;
    OverviewContent content_ = OverviewContent::Groups;
    OverviewLayout layout_;
    std::optional<Drag> drag_;
    std::optional<TimeSpan> drawn_;  ///< a new window while it is dragged
    HeldKeys held_;
    WindowGrip heldGrip_ = WindowGrip::Whole;  ///< what keys that are held take along
    double moveRest_ = 0;                      ///< nanoseconds
};

}  // namespace skein
