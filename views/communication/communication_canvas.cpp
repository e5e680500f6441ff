// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/communication/communication_canvas.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"

#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace skein {
namespace {

constexpr double kCommunicationLassoPx = 4;
constexpr int kPrepareMs = 300;  ///< what stays so long is prepared for being moved
constexpr std::size_t kFewFlows = 150;

/// Whether drawing it as it is at rest takes long.
bool isMuch(const CommunicationPicturePtr& picture)
{
    return picture && (!picture->dense->empty() || picture->order.size() > kFewFlows);
}

}  // namespace

CommunicationCanvas::CommunicationCanvas(const ViewContext& context, QWidget* parent)
    : PlaneCanvas(context, tr("Drawing the communication"), parent)
{
    setObjectName("communication.graph");
    setAccessibleName(tr("Communication"));
    setAccessibleDescription(
        tr("Nodes of the machine, or ranks, and what flows between them. The table holds the same."));
    prepare_.setSingleShot(true);
    prepare_.setInterval(kPrepareMs);
    connect(&prepare_, &QTimer::timeout, this, &CommunicationCanvas::prepareMaps);
}

void CommunicationCanvas::setPicture(CommunicationPicturePtr picture, GroupedCommunicationPtr grouped,
                                     const QString& message)
{
    picture_ = std::move(picture);
    grouped_ = std::move(grouped);
    message_ = message;
    redraw();
}

void CommunicationCanvas::setBeside(CommunicationPicturePtr picture, GroupedCommunicationPtr grouped)
{
    if ((picture != nullptr) != (beside_ != nullptr)) showAll();
    beside_ = std::move(picture);
    groupedBeside_ = std::move(grouped);
}

SceneView::Maker CommunicationCanvas::maker() const
{
    if (!picture_) return {};
    return [picture = picture_, beside = beside_, view = view()](const Canvas& canvas, const Task& task) {
        return besideEachOther(canvas, beside ? 2 : 1, [&](int pane, const Canvas& own) {
            return communicationScene(pane == 0 ? *picture : *beside, view, own, task);
        });
    };
}

SceneView::Maker CommunicationCanvas::movingMaker() const
{
    if (!isMuch(picture_) && !isMuch(beside_)) return {};
    return [picture = picture_, beside = beside_, view = view(), maps = maps_](const Canvas& canvas,
                                                                               const Task& task) {
        return besideEachOther(canvas, beside ? 2 : 1, [&](int pane, const Canvas& own) {
            return movingCommunicationScene(pane == 0 ? *picture : *beside, view, own,
                                            maps[static_cast<std::size_t>(pane)].get(), task);
        });
    };
}

bool CommunicationCanvas::movesQuickly() const
{
    const auto ready = [this](const CommunicationPicturePtr& of, std::size_t pane) {
        return !isMuch(of) || (maps_[pane] && maps_[pane]->isOf(*of));
    };
    return ready(picture_, 0) && ready(beside_, 1);
}

void CommunicationCanvas::pictureCame()
{
    PlaneCanvas::pictureCame();
    if (picture_ && !movesQuickly()) prepare_.start();
}

/// In the background once a picture stays: layouts that improve have many.
void CommunicationCanvas::prepareMaps()
{
    if (!picture_ || movesQuickly()) return;
    using Maps = std::array<FlowDensityMapPtr, 2>;
    tasks().run<Maps>(
        {objectName() + " density", tr("Preparing the communication for being moved")}, this,
        [picture = picture_, beside = beside_](const Task& task) -> Result<Maps> {
            Maps maps;
            if (isMuch(picture)) maps[0] = flowDensityMap(*picture, task);
            if (isMuch(beside)) maps[1] = flowDensityMap(*beside, task);
            if (task.stopRequested()) return cancelled();
            return maps;
        },
        [this](Result<Maps> maps) {
            if (maps) maps_ = std::move(*maps);
        });
}

PlaneFrame CommunicationCanvas::frameOf(const PlaneView& view, const Canvas& canvas) const
{
    return communicationLayout(*picture_, view, canvas);
}

/// The selected vertices, or those at the ends of selected flows.
std::optional<PlaneBox> CommunicationCanvas::selectedPart() const
{
    constexpr double kRoom = 2;  ///< distances of vertices
    if (!picture_ || !picture_->anySelected()) return std::nullopt;
    std::vector<std::size_t> inside;
    for (std::size_t vertex = 0; vertex < picture_->points->size(); ++vertex)
        if (picture_->selectedVertices[vertex]) inside.push_back(vertex);
    return boxAround(*picture_->points, inside, kRoom * picture_->spacing);
}

DrawList CommunicationCanvas::overlay(const Canvas& canvas) const
{
    DrawList list;
    const CauseLinks* causes = shownCauses(selection().state());
    if (causes && picture_ && grouped_ && session_) {
        const CommunicationLayout layout =
            onPane([&](const Canvas& own) { return communicationLayout(*picture_, view(), own); });
        const auto arrows = causeArrowsOn(*session_, *grouped_, *picture_, layout, *causes);
        drawCauseArrows(list, arrows, layout.body, canvas.theme(), canvas.px(1), canvas.measure);
        drawCausesText(list, *causes, layout.body, canvas.theme(), canvas.px(1), canvas.measure);
    }
    std::vector<Point> lasso = lasso_;
    for (Point& point : lasso) point.x += leftOf(lassoPane_);
    if (lasso.size() > 2)
        list.items.push_back(PolygonItem{
            std::move(lasso), canvas.theme().selectionFill, canvas.theme().accent, canvas.px(1), {}});
    return list;
}

CommunicationHit CommunicationCanvas::hitAt(Point point) const
{
    if (!picture_) return {};
    return onPane([&](const Canvas& canvas) {
        return communicationAt(pictureOf(paneAt(point)), view(), inPane(point), canvas);
    });
}

std::vector<std::string> CommunicationCanvas::toolTipAt(Point point) const
{
    const CommunicationHit hit = hitAt(point);
    if (!picture_) return {};
    const GroupedCommunication& grouped = groupedOf(paneAt(point));
    if (hit.vertex) return vertexTooltip(grouped, *hit.vertex);
    if (hit.flow) return flowTooltip(grouped, *hit.flow);
    return {};
}

void CommunicationCanvas::mousePressEvent(QMouseEvent* event)
{
    PlaneCanvas::mousePressEvent(event);
    if (event->button() != Qt::LeftButton || !picture_ || panning()) return;
    lassoPane_ = paneAt(toDevice(event->position()));
    lasso_ = {inPane(toDevice(event->position()), lassoPane_)};
}

void CommunicationCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (lasso_.empty() || !(event->buttons() & Qt::LeftButton)) return PlaneCanvas::mouseMoveEvent(event);
    lasso_.push_back(inPane(toDevice(event->position()), lassoPane_));
    update();
}

void CommunicationCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    PlaneCanvas::mouseReleaseEvent(event);
    if (event->button() != Qt::LeftButton || lasso_.empty()) return;
    const std::vector<Point> lasso = std::exchange(lasso_, {});
    update();
    if (!picture_) return;
    const bool add = event->modifiers() & (Qt::ShiftModifier | Qt::ControlModifier);
    const bool drawn = std::any_of(lasso.begin(), lasso.end(), [&](Point point) {
        return std::hypot(point.x - lasso[0].x, point.y - lasso[0].y)
            > kCommunicationLassoPx * devicePixelRatioF();
    });
    if (!drawn) {
        const CommunicationHit hit = hitAt({lasso[0].x + leftOf(lassoPane_), lasso[0].y});
        return choose(lassoPane_, hit.vertex ? std::vector{*hit.vertex} : std::vector<std::uint32_t>(),
                      hit.flow ? std::vector{*hit.flow} : std::vector<std::uint32_t>(), add);
    }
    const PlaneFrame frame = presentFrame();
    std::vector<PlanePoint> line;
    for (const Point& point : lasso) line.push_back(frame.toPlane(point));
    const LassoSelection chosen = lassoed(pictureOf(lassoPane_), line, lassoMode_);
    choose(lassoPane_, chosen.vertices, chosen.flows, add);
}

void CommunicationCanvas::choose(int pane, const std::vector<std::uint32_t>& vertices,
                                 const std::vector<std::uint32_t>& flows, bool add)
{
    Selection chosen;
    if (!vertices.empty() || !flows.empty())
        chosen = selectionOf(*session_, groupedOf(pane), vertices, flows);
    if (add) chosen = united(selection().state().selected, chosen);
    // The panel marks what is selected, so it has to hear of it like the others.
    selection().setSelected(chosen, this);
}

void CommunicationCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton) expandAt(toDevice(event->position()));
}

std::optional<std::uint32_t> CommunicationCanvas::groupAt(Point point) const
{
    const CommunicationHit hit = hitAt(point);
    if (!hit.vertex) return std::nullopt;
    const GroupedCommunication& grouped = groupedOf(paneAt(point));
    const std::uint32_t open = expandedGroupOf(grouped, *hit.vertex);
    const std::uint32_t group = open != CommGraph::kNone ? open : expandableGroup(grouped, *hit.vertex);
    return group != CommGraph::kNone ? std::optional(group) : std::nullopt;
}

void CommunicationCanvas::expandAt(Point point)
{
    if (const auto group = groupAt(point)) Q_EMIT expandWanted(*group);
}

void CommunicationCanvas::contextMenuEvent(QContextMenuEvent* event)
{
    const bool pointed = event->reason() == QContextMenuEvent::Mouse;
    Q_EMIT menuWanted(event->globalPos(),
                      pointed ? groupAt(toDevice(event->pos())) : std::optional<std::uint32_t>());
}

void CommunicationCanvas::expandSelected()
{
    if (!picture_ || !picture_->anySelected()) return;
    std::vector<std::uint32_t> groups;
    for (std::uint32_t vertex = 0; vertex < picture_->graph->vertices.size(); ++vertex) {
        if (!picture_->selectedVertices[vertex]) continue;
        const std::uint32_t open = expandedGroupOf(*grouped_, vertex);
        const std::uint32_t group = open != CommGraph::kNone ? open : expandableGroup(*grouped_, vertex);
        if (group != CommGraph::kNone) groups.push_back(group);
    }
    std::sort(groups.begin(), groups.end());
    groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
    for (const std::uint32_t group : groups) Q_EMIT expandWanted(group);
}

void CommunicationCanvas::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return expandSelected();
    if (event->key() != Qt::Key_Escape) return PlaneCanvas::keyPressEvent(event);
    lasso_.clear();
    selection().setSelected({}, this);
    update();
}

std::vector<KeyHint> CommunicationCanvas::keyHints() const
{
    std::vector<KeyHint> hints{{tr("Click, Shift+click"), tr("Select a node or a line; add it")},
                               {tr("Drag around"), tr("Select what the line encloses, or touches too")},
                               {tr("Double-click, Enter"), tr("Show a group by its members, and back")},
                               {tr("Right-click"), tr("Lines, groups, sizes and colours")},
                               {tr("Esc"), tr("Clear the selection")}};
    for (KeyHint& hint : PlaneCanvas::keyHints()) hints.push_back(std::move(hint));
    return hints;
}

}  // namespace skein
