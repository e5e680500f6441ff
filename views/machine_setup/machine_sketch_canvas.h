// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

#include "views/common/scene_view.h"
#include "views/machine_setup/machine_sketch_scene.h"

namespace skein {

/// The sketch of the machine that is being described.
class MachineSketchCanvas : public SceneView {
    Q_OBJECT

public:
    MachineSketchCanvas(const ViewContext& context, QWidget* parent);

    void setSession(SessionPtr) override {}
    /// Null topology: nothing, which `message` explains.
    void setSketch(MachineSketch sketch, const QString& message);

protected:
    Maker maker() const override;
    QString emptyText() const override { return message_; }

private:
    MachineSketch sketch_;
    QString message_;
};

}  // namespace skein
