// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/balance/phase_curves_scene.h"
#include "views/common/scene_view.h"

namespace skein {

/// The curves of the efficiencies over phases.
class PhaseCanvas : public SceneView {
    Q_OBJECT

public:
    PhaseCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null: `message` says why there is nothing.
    void setPhases(BalancePhasesPtr phases, const QString& message);
    const BalancePhasesPtr& phases() const { return phases_; }
    PhaseLayout sceneLayout() const;
    std::vector<KeyHint> keyHints() const override;

Q_SIGNALS:
    /// The user has clicked a phase.
    void phaseChosen(skein::PhasePlace place);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }
    DrawList overlay(const Canvas& canvas) const override;
    std::vector<std::string> toolTipAt(Point point) const override;
    void mousePressEvent(QMouseEvent* event) override;

private:
    BalancePhasesPtr phases_;
    QString message_;
};

}  // namespace skein
