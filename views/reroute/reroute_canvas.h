// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene_view.h"
#include "views/reroute/reroute_plan_scene.h"

#include <string>

namespace skein {

/// Loads of links before and after a rerouting.
class RerouteCanvas : public SceneView {
    Q_OBJECT

public:
    RerouteCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null base: `message` says why.
    void setPlan(RerouteBasePtr base, ReroutePlanPtr plan, const QString& message);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }

private:
    RerouteBasePtr base_;
    ReroutePlanPtr plan_;
    QString message_;
};

}  // namespace skein
