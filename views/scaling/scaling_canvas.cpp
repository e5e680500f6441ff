// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/scaling/scaling_canvas.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>

namespace skein {
namespace {

constexpr int kWheelPerRow = 40;  // three rows a notch

}  // namespace

ScalingCanvas::ScalingCanvas(const ViewContext& context, QWidget* parent)
    : SceneView(context, tr("Drawing the models"), parent)
{
    setObjectName("scaling.canvas");
    setAccessibleName(tr("Scaling"));
    setAccessibleDescription(tr("Call paths by what they are predicted to take, and the model of one of them "
                                "as a chart. skein-cli model prints the same."));
    setFocusPolicy(Qt::StrongFocus);
}

void ScalingCanvas::setData(ScalingDataPtr models, const QString& message)
{
    const ScalingPicture before = picture_;
    picture_.data = std::move(models);
    picture_.chosen = picture_.first = 0;
    message_ = message;
    if (picture_.data && picture_.parameter >= picture_.data->parameters().size()) picture_.parameter = 0;
    if (ready() && before.data && before.chosen < before.data->rows.size())
        if (const auto row = picture_.data->rowOf(before.data->rows[before.chosen].series->path))
            return setChosen(*row);
    redraw();
}

void ScalingCanvas::setChart(std::size_t parameter, ScalingAxes axes)
{
    picture_.parameter = parameter;
    picture_.axes = axes;
    redraw();
}

std::size_t ScalingCanvas::rowsShown() const { return std::max<std::size_t>(1, sceneLayout().rowsShown()); }

void ScalingCanvas::setChosen(std::size_t row)
{
    if (!ready()) return;
    picture_.chosen = std::min(row, picture_.data->rows.size() - 1);
    const std::size_t shown = rowsShown();
    if (picture_.chosen < picture_.first) picture_.first = picture_.chosen;
    if (picture_.chosen >= picture_.first + shown) picture_.first = picture_.chosen + 1 - shown;
    redraw();
}

void ScalingCanvas::scrollTo(std::ptrdiff_t first)
{
    const auto rows = static_cast<std::ptrdiff_t>(picture_.data->rows.size());
    const auto last = std::max<std::ptrdiff_t>(0, rows - static_cast<std::ptrdiff_t>(rowsShown()));
    picture_.first = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(first, 0, last));
    redraw();
}

ScalingLayout ScalingCanvas::sceneLayout() const
{
    return onCanvas([](const Canvas& canvas) { return scalingLayout(canvas); });
}

SceneView::Maker ScalingCanvas::maker() const
{
    if (!ready()) return {};
    return [picture = picture_](const Canvas& canvas, const Task&) { return scalingScene(picture, canvas); };
}

std::vector<std::string> ScalingCanvas::toolTipAt(Point point) const
{
    if (!ready()) return {};
    const auto row = scalingRowAt(picture_, sceneLayout(), point);
    return row ? scalingTooltip(*picture_.data, *row) : std::vector<std::string>();
}

void ScalingCanvas::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !ready()) return SceneView::mousePressEvent(event);
    if (const auto row = scalingRowAt(picture_, sceneLayout(), toDevice(event->position())))
        Q_EMIT chosen(*row);
}

void ScalingCanvas::wheelEvent(QWheelEvent* event)
{
    if (!ready()) return;
    turned_ += event->angleDelta().y();
    const int rows = turned_ / kWheelPerRow;
    turned_ -= rows * kWheelPerRow;
    if (rows != 0) scrollTo(static_cast<std::ptrdiff_t>(picture_.first) - rows);
}

void ScalingCanvas::step(std::ptrdiff_t by)
{
    const auto last = static_cast<std::ptrdiff_t>(picture_.data->rows.size()) - 1;
    const auto row = std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(picture_.chosen) + by, 0, last);
    Q_EMIT chosen(static_cast<std::size_t>(row));
}

void ScalingCanvas::keyPressEvent(QKeyEvent* event)
{
    if (!ready()) return SceneView::keyPressEvent(event);
    const auto page = static_cast<std::ptrdiff_t>(rowsShown());
    const auto rows = static_cast<std::ptrdiff_t>(picture_.data->rows.size());
    switch (event->key()) {
    case Qt::Key_Down: return step(1);
    case Qt::Key_Up: return step(-1);
    case Qt::Key_PageDown: return step(page);
    case Qt::Key_PageUp: return step(-page);
    case Qt::Key_Home: return step(-rows);
    case Qt::Key_End: return step(rows);
    default: SceneView::keyPressEvent(event);
    }
}

std::vector<KeyHint> ScalingCanvas::keyHints() const
{
    return {{tr("Click, Up / Down"), tr("Choose a call path: its curve is shown, other views select it")},
            {tr("Wheel"), tr("Scroll the list")}};
}

}  // namespace skein
