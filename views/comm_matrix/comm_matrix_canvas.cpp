// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/comm_matrix/comm_matrix_canvas.h"

#include "core/select/translate.h"
#include "views/common/selection_model.h"
#include "views/common/utf8_text.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace skein {
namespace {

/// More pairs than this would be slow to keep in every state that can be undone.
constexpr std::size_t kMostChosenPairs = std::size_t{1} << 20;
constexpr double kFewestRowsInSight = 2;

}  // namespace

CommMatrixCanvas::CommMatrixCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the communication matrix"), parent), band_(QRubberBand::Rectangle, this)
{
    setObjectName("comm_matrix.canvas");
    setAccessibleName(tr("Communication matrix"));
    setAccessibleDescription(tr("A row for each sender and a column for each receiver."));
    selection().listen(this, [this](const ViewChange& change) {
        if (!change.parts.has(ViewParts::kSelected)) return;
        takeMarked();
        redraw();
    });
}

void CommMatrixCanvas::setSession(SessionPtr session)
{
    session_ = std::move(session);
    picture_ = nullptr;
}

void CommMatrixCanvas::setPicture(std::shared_ptr<CommMatrixPicture> picture, const QString& message)
{
    message_ = message;
    const bool same =
        ready() && picture && picture->table && picture->table->size() == picture_->table->size();
    if (same) {
        picture->firstRow = picture_->firstRow;
        picture->endRow = picture_->endRow;
        picture->firstColumn = picture_->firstColumn;
        picture->endColumn = picture_->endColumn;
    }
    picture_ = std::move(picture);
    if (ready() && !same) {
        picture_->firstRow = picture_->firstColumn = 0;
        picture_->endRow = picture_->endColumn = static_cast<double>(picture_->table->size());
    }
    takeMarked();
    redraw();
}

void CommMatrixCanvas::setStops(const ColorStops& stops)
{
    if (!ready() || picture_->stops == stops) return;
    auto next = std::make_shared<CommMatrixPicture>(*picture_);
    next->stops = stops;
    picture_ = std::move(next);
    redraw();
}

void CommMatrixCanvas::takeMarked()
{
    if (!ready()) return;
    auto next = std::make_shared<CommMatrixPicture>(*picture_);
    next->marked.clear();
    const std::uint32_t experiment = picture_->table->communication->request.experiment;
    for (const RankPairRef& pair : selection().state().selected.rankPairs) {
        if (pair.experiment == experiment)
            next->marked.push_back(std::uint64_t{pair.sender} << 32 | pair.receiver);
    }
    picture_ = std::move(next);
}

CommMatrixLayout CommMatrixCanvas::sceneLayout() const
{
    if (!ready()) return {};
    return onCanvas(
        [this](const Canvas& canvas) { return commMatrixLayout(*picture_, paneCanvas(canvas, panes())); });
}

SceneView::Maker CommMatrixCanvas::maker() const
{
    if (!ready()) return {};
    return [picture = std::shared_ptr<const CommMatrixPicture>(picture_)](const Canvas& canvas,
                                                                          const Task& task) {
        return besideEachOther(canvas, picture->beside && picture->shown == CommPicture::Matrix ? 2 : 1,
                               [&](int pane, const Canvas& own) {
                                   return commMatrixScene(commMatrixPane(*picture, pane), own, task);
                               });
    };
}

int CommMatrixCanvas::paneAt(Point point) const
{
    return onCanvas([&](const Canvas& canvas) { return paneRow(canvas, panes()).at(point.x); });
}

Point CommMatrixCanvas::inPane(Point point) const
{
    return onCanvas([&](const Canvas& canvas) {
        const PaneRow row = paneRow(canvas, panes());
        return Point{point.x - row.left(row.at(point.x)), point.y};
    });
}

std::vector<std::vector<std::string>> CommMatrixCanvas::readableTable() const
{
    if (!ready() || picture_->shown != CommPicture::Matrix) return {};
    std::vector<std::vector<std::string>> lines;
    for (int pane = 0; pane < panes(); ++pane)
        for (auto& line : commMatrixInSight(commMatrixPane(*picture_, pane)))
            lines.push_back(std::move(line));
    return lines;
}

/// Outlines of selected pairs where single cells can be seen.
DrawList CommMatrixCanvas::overlay(const Canvas& canvas) const
{
    DrawList list;
    if (!ready() || picture_->shown != CommPicture::Matrix) return list;
    const CommMatrixLayout layout = commMatrixLayout(*picture_, paneCanvas(canvas, panes()));
    const double step = layout.body.height / std::max(1e-9, picture_->endRow - picture_->firstRow);
    if (step < canvas.px(4) || picture_->marked.size() > 4096) return list;
    for (int pane = 0; pane < panes(); ++pane) {
        DrawList marks;
        marks.pushClip(layout.body);
        for (const std::uint64_t pair : picture_->marked) {
            const auto sender = static_cast<std::uint32_t>(pair >> 32),
                       receiver = static_cast<std::uint32_t>(pair);
            const auto& itemOf = picture_->table->itemOfRank;
            if (std::max(sender, receiver) >= itemOf.size()) continue;
            marks.strokeRect({layout.body.x + (itemOf[receiver] - picture_->firstColumn) * step,
                              layout.body.y + (itemOf[sender] - picture_->firstRow) * step, step, step},
                             canvas.theme().accent, canvas.px(2));
        }
        marks.popClip();
        moveRight(marks, paneRow(canvas, panes()).left(pane));
        list.items.insert(list.items.end(), marks.items.begin(), marks.items.end());
    }
    return list;
}

std::vector<std::string> CommMatrixCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    if (const auto cell = commCellAt(*picture_, sceneLayout(), inPane(point))) {
        const bool right = picture_->beside && paneAt(point) > 0;
        return commCellText(right ? *picture_->beside : *picture_->table, cell->first, cell->second);
    }
    const auto bar = onCanvas([&](const Canvas& canvas) { return commBarAt(*picture_, canvas, point); });
    return bar ? commBarText(*picture_, *bar) : std::vector<std::string>();
}

void CommMatrixCanvas::mousePressEvent(QMouseEvent* event)
{
    pressed_ = last_ = event->pos();
    if (event->button() != Qt::LeftButton || !ready()) return;
    if (picture_->shown != CommPicture::Phases) return;
    const Point at = toDevice(event->position());
    const auto phase = onCanvas([&](const Canvas& canvas) { return commPhaseAt(*picture_, canvas, at); });
    if (phase) selection().setBrushed(picture_->phases[*phase].span, this);
}

void CommMatrixCanvas::mouseMoveEvent(QMouseEvent* event)
{
    if (!ready() || picture_->shown != CommPicture::Matrix) return SceneView::mouseMoveEvent(event);
    if (event->buttons() & (Qt::RightButton | Qt::MiddleButton)) {
        const CommMatrixLayout layout = sceneLayout();
        const double rows = picture_->endRow - picture_->firstRow;
        const Point from = toDevice(last_), to = toDevice(event->position());
        look(picture_->firstRow - (to.y - from.y) / layout.body.height * rows,
             picture_->firstColumn - (to.x - from.x) / layout.body.width * rows, rows);
    } else if (event->buttons() & Qt::LeftButton) {
        const QRect area = QRect(pressed_, event->pos()).normalized();
        band_.setGeometry(area);
        band_.setVisible(area.width() + area.height() > QApplication::startDragDistance());
    }
    last_ = event->pos();
}

void CommMatrixCanvas::mouseReleaseEvent(QMouseEvent* event)
{
    band_.hide();
    if (event->button() == Qt::LeftButton && ready() && picture_->shown == CommPicture::Matrix)
        choose(QRect(pressed_, event->pos()).normalized(), event->modifiers());
}

void CommMatrixCanvas::choose(const QRect& area, Qt::KeyboardModifiers modifiers)
{
    const CommMatrixLayout layout = sceneLayout();
    const auto from = commCellAt(*picture_, layout, inPane(toDevice(area.topLeft())));
    const auto to = commCellAt(*picture_, layout, inPane(toDevice(area.bottomRight())));
    Selection chosen;
    const CommMatrixTable& table = *picture_->table;
    if (from) {
        const auto [lastRow, lastColumn] = to ? *to : std::pair(table.size() - 1, table.size() - 1);
        for (std::size_t row = from->first; row <= lastRow; ++row) {
            for (std::size_t i = table.firstCell[row]; i < table.firstCell[row + 1]; ++i) {
                const CommMatrixCell& cell = table.cells[i];
                if (cell.column < from->second || cell.column > lastColumn) continue;
                const auto pairs = pairsOfCell(table, row, cell.column);
                chosen.rankPairs.insert(chosen.rankPairs.end(), pairs.begin(), pairs.end());
                if (chosen.rankPairs.size() > kMostChosenPairs)
                    return selection().say(tr("These are more than a million pairs: choose fewer."));
            }
        }
    }
    std::ranges::sort(chosen.rankPairs);
    if (modifiers & (Qt::ControlModifier | Qt::ShiftModifier))
        chosen = united(selection().state().selected, chosen);
    selection().setSelected(chosen, this);
    takeMarked();
    redraw();
}

void CommMatrixCanvas::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!ready()) return;
    const auto cell = commCellAt(*picture_, sceneLayout(), inPane(toDevice(event->position())));
    if (!cell) return;
    QStringList groups;
    for (const std::size_t item : {cell->first, cell->second}) {
        if (picture_->table->items[item].group) groups << toQString(picture_->table->items[item].name);
    }
    if (!groups.isEmpty()) Q_EMIT opened(groups);
}

void CommMatrixCanvas::look(double row, double column, double rows)
{
    const auto size = static_cast<double>(picture_->table->size());
    auto next = std::make_shared<CommMatrixPicture>(*picture_);
    rows = std::clamp(rows, std::min(kFewestRowsInSight, size), size);
    next->firstRow = std::clamp(row, 0.0, size - rows);
    next->firstColumn = std::clamp(column, 0.0, size - rows);
    next->endRow = next->firstRow + rows;
    next->endColumn = next->firstColumn + rows;
    picture_ = std::move(next);
    redraw();
}

void CommMatrixCanvas::zoom(double factor, const QPointF& about)
{
    if (!ready() || picture_->shown != CommPicture::Matrix) return;
    const CommMatrixLayout layout = sceneLayout();
    const Point at = inPane(toDevice(about));
    const double rows = picture_->endRow - picture_->firstRow;
    const double y = std::clamp((at.y - layout.body.y) / layout.body.height, 0.0, 1.0);
    const double x = std::clamp((at.x - layout.body.x) / layout.body.width, 0.0, 1.0);
    const double now =
        std::clamp(rows * factor, kFewestRowsInSight, static_cast<double>(picture_->table->size()));
    look(picture_->firstRow + y * (rows - now), picture_->firstColumn + x * (rows - now), now);
}

void CommMatrixCanvas::fitAll()
{
    if (ready()) look(0, 0, static_cast<double>(picture_->table->size()));
}

void CommMatrixCanvas::wheelEvent(QWheelEvent* event)
{
    constexpr double kEighthsATurn = 120;
    zoom(std::pow(kZoomStep, -event->angleDelta().y() / kEighthsATurn), event->position());
    event->accept();
}

void CommMatrixCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!ready()) return SceneView::keyPressEvent(event);
    const double rows = picture_->endRow - picture_->firstRow, step = rows / 8;
    const QPointF middle(width() / 2.0, height() / 2.0);
    switch (event->key()) {
    case Qt::Key_Escape:
        selection().setSelected({}, this);
        takeMarked();
        return redraw();
    case Qt::Key_W:
    case Qt::Key_Plus: return zoom(1 / kZoomStep, middle);
    case Qt::Key_S:
    case Qt::Key_Minus: return zoom(kZoomStep, middle);
    case Qt::Key_Home: return fitAll();
    case Qt::Key_Up: return look(picture_->firstRow - step, picture_->firstColumn, rows);
    case Qt::Key_Down: return look(picture_->firstRow + step, picture_->firstColumn, rows);
    case Qt::Key_Left: return look(picture_->firstRow, picture_->firstColumn - step, rows);
    case Qt::Key_Right: return look(picture_->firstRow, picture_->firstColumn + step, rows);
    default: SceneView::keyPressEvent(event);
    }
}

std::vector<KeyHint> CommMatrixCanvas::keyHints() const
{
    return {{tr("Wheel, W / S"), tr("Zoom in and out at the pointer")},
            {tr("Arrows, right button"), tr("Move the part in sight")},
            {tr("Home"), tr("Show all ranks")},
            {tr("Drag"), tr("Select the pairs of a rectangle; with Ctrl more of them")},
            {tr("Double click"), tr("Open a group")},
            {tr("Esc"), tr("Select nothing")}};
}

}  // namespace skein
