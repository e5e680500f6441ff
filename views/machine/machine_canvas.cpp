// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/machine/machine_canvas.h"

#include "views/common/selection_model.h"

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

void MachineCanvas::setPicture(MachinePicturePtr picture, const QString& message, MachinePicturePtr beside)
{
    const bool otherRoom = (beside != nullptr) != (beside_ != nullptr);
    if (otherRoom || (picture && picture_ && picture->plan != picture_->plan)) showAll();
    picture_ = std::move(picture);
    beside_ = std::move(beside);
    message_ = message;
    redraw();
}

SceneView::Maker MachineCanvas::maker() const
{
    if (!picture_) return {};
    return [picture = picture_, beside = beside_, view = view()](const Canvas& canvas, const Task& task) {
        return besideEachOther(canvas, beside ? 2 : 1, [&](int pane, const Canvas& own) {
            return machineScene(pane == 0 ? *picture : *beside, view, own, task);
        });
    };
}

PlaneFrame MachineCanvas::frameOf(const PlaneView& view, const Canvas& canvas) const
{
    return machineLayout(*picture_, view, canvas);
}

/// Selected nodes and the ends of selected links, or else the nodes of what is selected.
std::optional<PlaneBox> MachineCanvas::selectedPart() const
{
    constexpr double kRoom = 1.5;  ///< vertices are a unit apart
    if (!picture_) return std::nullopt;
    const std::vector<PlanePoint>& points = picture_->plan->points;
    std::vector<VertexIndex> inside;
    for (const NodeRef& node : selection().state().selected.nodes)
        if (node.index < points.size()) inside.push_back(node.index);
    for (const LinkRef& link : picture_->selected) {
        inside.push_back(picture_->topology().source(link.index));
        inside.push_back(picture_->topology().target(link.index));
    }
    const bool none = inside.empty();
    for (VertexIndex vertex = 0; none && vertex < picture_->selectedNodes.size(); ++vertex)
        if (picture_->selectedNodes[vertex]) inside.push_back(vertex);
    return boxAround(points, inside, kRoom);
}

MachineHit MachineCanvas::hitAt(Point point) const
{
    if (!picture_) return {};
    return onPane(
        [&](const Canvas& canvas) { return machineAt(*pictureAt(point), view(), inPane(point), canvas); });
}

std::vector<std::string> MachineCanvas::toolTipAt(Point point) const
{
    return picture_ ? machineTooltip(*pictureAt(point), hitAt(point)) : std::vector<std::string>();
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
