// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>
#include <QWidget>

#include "views/comm_matrix/comm_changes_scene.h"
#include "views/common/behavior_model.h"
#include "views/common/scene_view.h"

#include <set>
#include <string>

class QComboBox;
class QStackedWidget;

namespace skein {

class CellTable;
class ScopeHead;

/// The matrices, and the strip on which the base is dragged.
class CommChangesCanvas : public SceneView {
    Q_OBJECT

public:
    CommChangesCanvas(const ViewContext& context, BehaviorModel& model, QWidget* parent);

    void setSession(SessionPtr session) override { session_ = std::move(session); }
    /// Null: `message` says why there is nothing.
    void setChanges(CommChangesPtr changes, const QString& message);
    const CommChangesPtr& changes() const { return changes_; }
    CommChangesLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// Groups that are to show their ranks.
    void opened(const QStringList& groups);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    bool dragBase(Point point);
    void choose(Point point, Qt::KeyboardModifiers modifiers);
    void goToChange(std::size_t change);

    SessionPtr session_;
    BehaviorModel& model_;
    CommChangesPtr changes_;
    QString message_;
    bool dragging_ = false;
};

/// Who sends how much to whom now, at a base, and how that changed where the behaviour did.
class CommChangesView : public View {
    Q_OBJECT

public:
    explicit CommChangesView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override { return canvas_->keyHints(); }
    std::optional<DrawList> drawnPicture(int width, int height) const override;
    CommChangesCanvas& canvas() { return *canvas_; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    QComboBox* addChoice(const char* name, const QString& label, const QStringList& items);
    void compute();
    void showNothing(const QString& message);
    void present(Result<CommChangesPtr> changes);
    void fillTable(const CommChanges& changes);

    SessionPtr session_;
    BehaviorModel& model_;
    ScopeHead* head_ = nullptr;
    std::set<std::string> opened_;
    QTimer delay_;
    QComboBox* value_ = nullptr;
    QComboBox* level_ = nullptr;
    QComboBox* spans_ = nullptr;
    QComboBox* reference_ = nullptr;
    QComboBox* shown_ = nullptr;
    QStackedWidget* pages_ = nullptr;
    CommChangesCanvas* canvas_ = nullptr;
    CellTable* table_ = nullptr;
    bool working_ = false;
    bool again_ = false;
};

}  // namespace skein
