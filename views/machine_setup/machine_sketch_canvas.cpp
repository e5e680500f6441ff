// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine_setup/machine_sketch_canvas.h"

namespace skein {

MachineSketchCanvas::MachineSketchCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Sketching the machine"), parent)
{
    setObjectName("machine_setup.sketch");
    setAccessibleName(tr("Sketch of the machine"));
    setMinimumHeight(120);
}

void MachineSketchCanvas::setSketch(MachineSketch sketch, const QString& message)
{
    sketch_ = std::move(sketch);
    message_ = message;
    redraw();
}

SceneView::Maker MachineSketchCanvas::maker() const
{
    if (!sketch_.topology) return {};
    return [sketch = sketch_](const Canvas& canvas, const Task& task) {
        return machineSketchScene(sketch, canvas, task);
    };
}

}  // namespace skein
