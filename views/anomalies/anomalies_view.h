// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QTimer>

#include "views/anomalies/anomalies_scene.h"
#include "views/common/scene_view.h"

#include <vector>

class QMenu;

namespace skein {

/// Which calls are different? A dot a call, anomalies with a thick border; ranks over time below, and what
/// was found of each function beside it.
class AnomaliesView : public SceneView {
    Q_OBJECT

public:
    explicit AnomaliesView(const ViewContext& context, QWidget* parent = nullptr);

    void setSession(SessionPtr session) override;
    std::vector<KeyHint> keyHints() const override;
    const SessionAnomaliesPtr& anomalies() const { return anomalies_; }
    const AnomalyChoices& choices() const { return choices_; }
    void setChoices(const AnomalyChoices& choices);
    /// Where the parts are now; empty ones before anything was found.
    AnomaliesLayout sceneLayout() const;
    bool upToDate() const override { return !finding_ && SceneView::upToDate(); }

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::string caption() const override { return "Anomalies"; }
    std::vector<std::string> toolTipAt(Point point) const override;
    void showEvent(QShowEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void find();
    std::optional<std::uint32_t> pointAt(Point point) const;
    void choose(const std::vector<std::uint32_t>& points, Qt::KeyboardModifiers modifiers);
    void selectCause(const AnomalyPoint& point);
    void say(const IntervalRef& call, std::optional<CallVerdict::Kind> verdict);
    void addAxisMenu(QMenu& menu, const QString& title, AnomalyAxis AnomalyChoices::*axis);
    void addShareMenu(QMenu& menu);
    void addHeatMenu(QMenu& menu);

    SessionPtr session_;
    SessionAnomaliesPtr anomalies_;
    AnomalyChoices choices_;
    QString message_;
    bool finding_ = false;
    std::vector<Point> lasso_;  ///< while the button is down
    QTimer begin_;
};

}  // namespace skein
