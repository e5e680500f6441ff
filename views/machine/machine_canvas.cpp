// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine/machine_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>

namespace skein {

MachineCanvas::MachineCanvas(const ViewContext& context, QWidget* parent)
    : PlaneCanvas(context, tr("Drawing the machine"), parent)
{
    setObjectName("machine.plan");
    setAccessibleName(tr("Machine"));
    setAccessibleDescription(
        tr("Nodes and links of the machine and what they carry. The table holds the loads of all links."));
}

void MachineCanvas::setPicture(MachinePicturePtr picture, const QString& message)
{
    if (picture && picture_ && picture->plan != picture_->plan) showAll();
    picture_ = std::move(picture);
    message_ = message;
    redraw();
}

SceneView::Maker MachineCanvas::maker() const
{
    if (!picture_) return {};
    return [picture = picture_, view = view()](const Canvas& canvas, const Task& task) {
        return machineScene(*picture, view, canvas, task);
    };
}

PlaneFrame MachineCanvas::frameOf(const PlaneView& view, const Canvas& canvas) const
{
    return machineLayout(*picture_, view, canvas);
}

MachineHit MachineCanvas::hitAt(Point point) const
{
    if (!picture_) return {};
    return onCanvas([&](const Canvas& canvas) { return machineAt(*picture_, view(), point, canvas); });
}

std::vector<std::string> MachineCanvas::toolTipAt(Point point) const
{
    return picture_ ? machineTooltip(*picture_, hitAt(point)) : std::vector<std::string>();
}

void MachineCanvas::mousePressEvent(QMouseEvent* event)
{
    PlaneCanvas::mousePressEvent(event);
    if (event->button() != Qt::LeftButton || !picture_ || panning()) return;
    Q_EMIT chosen(hitAt(toDevice(event->position())),
                  event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier));
}

void MachineCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_Escape) return PlaneCanvas::keyPressEvent(event);
    Q_EMIT chosen({}, false);
}

std::vector<KeyHint> MachineCanvas::keyHints() const
{
    std::vector<KeyHint> hints{{tr("Click, Shift+click"), tr("Select a link or a node; add it")},
                               {tr("Esc"), tr("Clear the selection")}};
    for (KeyHint& hint : PlaneCanvas::keyHints()) hints.push_back(std::move(hint));
    return hints;
}

}  // namespace skein
