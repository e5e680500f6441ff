// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/behavior/behavior_scene.h"
#include "views/common/time_view.h"

#include <optional>

namespace skein {

class BehaviorModel;

/// Lines of entities over time with their change points, aligned with the timeline.
class BehaviorCanvas : public TimeView {
    Q_OBJECT

public:
    BehaviorCanvas(const ViewContext& context, BehaviorModel& model, const QString& name, QWidget* parent);

    void setSession(SessionPtr session) override;
    /// Null: `message` says why there is nothing.
    void setPicture(BehaviorPicturePtr picture, const QString& message);
    const BehaviorPicturePtr& picture() const { return picture_; }
    BehaviorLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;

    /// Shows the periods on both sides of a change, and why it was called.
    void goToChange(std::size_t change);
    /// The selected change, wherever it was selected.
    std::optional<std::size_t> chosenChange() const;
    /// Marks what lies between a change and the one before it, or the next one.
    void markBefore(std::size_t change);
    void markAfter(std::size_t change);
    /// Selects the locations of the entities that moved farthest at a change.
    void selectMoved(std::size_t change);
    /// Shows how what was called differs between the periods before and after a change.
    void compareAround(std::size_t change);
    /// Shows what the entity at a point is made of.
    void openAt(Point point);
    /// The bin at a time is the one that others are compared with.
    void setBaseAt(Point point);

protected:
    TimeFrame frame() const override { return sceneLayout().frame; }
    Hover hitAt(Point point) const override;
    ViewParts drawnParts() const override { return ViewParts::kSelected; }
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void clicked(Point point, Qt::KeyboardModifiers modifiers) override;
    bool pressPlainKey(int key) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    QString compareJob() const { return objectName() + " compare"; }
    bool ready() const { return data() && picture_; }
    void step(int by);

    BehaviorModel& model_;
    BehaviorPicturePtr picture_;
    QString message_;
};

}  // namespace skein
