// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/behavior_model.h"
#include "views/common/scene/behavior/similarity_scene.h"
#include "views/common/scene/drawing/lasso.h"
#include "views/common/scene_view.h"

#include <vector>

namespace skein {

/// Who behaves alike? The entities of the behaviour view as dots of a plane, the nearer, the more alike.
class SimilarityView : public SceneView {
    Q_OBJECT

public:
    explicit SimilarityView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    SimilarityLayout sceneLayout() const;

protected:
    SimilarityView(const ViewContext& context, BehaviorPlace place, QWidget* parent);
    Maker maker() const override;
    QString emptyText() const override;
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void choose(const std::vector<std::size_t>& entities, Qt::KeyboardModifiers modifiers);

    SessionPtr session_;
    BehaviorModel& model_;
    Lasso lasso_;
};

/// The same of the second behaviour view.
class SecondSimilarityView : public SimilarityView {
    Q_OBJECT

public:
    explicit SecondSimilarityView(const ViewContext& context, QWidget* parent = nullptr)
        : SimilarityView(context, BehaviorPlace::Second, parent)
    {
    }
};

}  // namespace skein
