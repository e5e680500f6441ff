// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/balance/balance_canvas.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace skein {

BalanceCanvas::BalanceCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the balance"), parent)
{
    setObjectName("balance.matrix");
    setAccessibleName(tr("Balance"));
    setAccessibleDescription(tr("A row a region and a column a location: how evenly time is divided."));
    selection().listen(this, [this](const ViewChange& change) {
        if (change.parts.has(ViewParts::kSelected)) update();
    });
}

void BalanceCanvas::setPicture(BalancePicturePtr picture, const QString& message)
{
    picture_ = std::move(picture);
    message_ = message;
    redraw();
}

BalanceLayout BalanceCanvas::sceneLayout() const
{
    if (!ready()) return {};
    return onCanvas([this](const Canvas& canvas) { return balanceLayout(*picture_, canvas); });
}

SceneView::Maker BalanceCanvas::maker() const
{
    if (!ready()) return {};
    return [picture = picture_](const Canvas& canvas, const Task& task) {
        return balanceScene(*picture, canvas, task);
    };
}

std::vector<std::vector<std::string>> BalanceCanvas::readableTable() const
{
    return ready() ? balanceInSight(*picture_, sceneLayout().rowsInSight)
                   : std::vector<std::vector<std::string>>();
}

DrawList BalanceCanvas::overlay(const Canvas& canvas) const
{
    if (!ready()) return {};
    return balanceOverlay(*picture_, selection().state(), balanceLayout(*picture_, canvas), canvas);
}

std::vector<std::string> BalanceCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    const auto cell = balanceCellAt(*picture_, sceneLayout(), point);
    return cell ? balanceTooltip(*picture_, *cell) : std::vector<std::string>();
}

void BalanceCanvas::mousePressEvent(QMouseEvent* event)
{
    if (!ready() || !session_ || event->button() != Qt::LeftButton) return;
    const auto cell = balanceCellAt(*picture_, sceneLayout(), toDevice(event->position()));
    Selection chosen;
    if (cell) chosen = select(*session_, picture_->matrix.rows[picture_->rowOrder[cell->row]].regions);
    if (cell && cell->column) {
        const BalanceColumn& column = picture_->matrix.columns[picture_->columnOrder[*cell->column]];
        std::vector<Selection> parts{std::move(chosen)};
        for (const LocationId id : column.locations)
            parts.push_back(select(*session_, LocationRef{column.experiment, id}));
        chosen = unitedParts(std::move(parts));
    }
    if (event->modifiers() & Qt::ControlModifier) chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
    update();
}

void BalanceCanvas::wheelEvent(QWheelEvent* event)
{
    constexpr int kRowsATurn = 3, kEighthsATurn = 120;
    Q_EMIT scrolledBy(-event->angleDelta().y() * kRowsATurn / kEighthsATurn);
    event->accept();
}

void BalanceCanvas::keyPressEvent(QKeyEvent* event)
{
    const int page = static_cast<int>(sceneLayout().rowsInSight);
    switch (event->key()) {
    case Qt::Key_Escape: selection().setSelected({}, this); return update();
    case Qt::Key_Down: return Q_EMIT scrolledBy(1);
    case Qt::Key_Up: return Q_EMIT scrolledBy(-1);
    case Qt::Key_PageDown: return Q_EMIT scrolledBy(page);
    case Qt::Key_PageUp: return Q_EMIT scrolledBy(-page);
    default: return SceneView::keyPressEvent(event);
    }
}

void BalanceCanvas::resizeEvent(QResizeEvent* event)
{
    SceneView::resizeEvent(event);
    Q_EMIT resized();
}

std::vector<KeyHint> BalanceCanvas::keyHints() const
{
    return {{tr("Click, Ctrl+click"), tr("Select the region and the location; add them")},
            {tr("Wheel, Page Up, Page Down"), tr("Scroll through the regions")},
            {tr("Esc"), tr("Clear the selection")}};
}

}  // namespace skein
