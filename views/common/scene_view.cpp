// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene_view.h"

#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>
#include <iterator>
#include <utility>

namespace skein {

SceneView::SceneView(const ViewContext& context, QString title, QWidget* parent)
    : View(context, parent), title_(std::move(title))
{
    // Who zooms with the wheel goes back with a key.
    setFocusPolicy(Qt::WheelFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    takeStyle();
}

int SceneView::deviceWidth() const { return static_cast<int>(std::lround(width() * devicePixelRatioF())); }

int SceneView::deviceHeight() const { return static_cast<int>(std::lround(height() * devicePixelRatioF())); }

Point SceneView::toDevice(const QPointF& position) const
{
    const double ratio = devicePixelRatioF();
    return {position.x() * ratio, position.y() * ratio};
}

void SceneView::takeStyle()
{
    style_.theme = themeFor(palette());
    if (!texts_ || style_.scale != devicePixelRatioF() || textsFont_ != font())
        texts_ = std::make_shared<TextCache>();
    style_.scale = devicePixelRatioF();
    textsFont_ = font();
}

void SceneView::redraw()
{
    ++wanted_;
    dropToolTip();
    update();
    if (!drawing_) start();
}

void SceneView::dropToolTip()
{
    if (std::exchange(toolTipShown_, false)) QToolTip::hideText();
}

void SceneView::start()
{
    const Maker make = maker();
    if (!make || width() < 1 || height() < 1) {
        picture_ = {};
        drawn_ = wanted_;
        return;
    }
    drawing_ = true;
    const quint64 number = wanted_;
    tasks().run<QImage>(
        {title_, title_, JobVisibility::WhenSlow}, this,
        [make, style = style_, drawFont = font(), texts = texts_, width = deviceWidth(),
         height = deviceHeight()](const Task& task) -> Result<QImage> {
            const SceneFonts fonts(drawFont, style.scale, texts);
            const QtTextMeasure measure(fonts);
            return toImage(make(Canvas{width, height, style, measure}, task), fonts);
        },
        [this, number](Result<QImage> image) {
            drawing_ = false;
            endFirstPicture();
            if (image) picture_ = *image;
            drawn_ = number;
            update();
            if (image && drawn_ != wanted_) start();
        });
}

std::optional<DrawList> SceneView::drawnPicture(int width, int height) const
{
    const Maker make = maker();
    if (!make) return std::nullopt;
    const SceneFonts fonts(font(), style_.scale, texts_);
    const QtTextMeasure measure(fonts);
    const Canvas canvas{width, height, style_, measure};
    DrawList list = make(canvas, Task());
    DrawList over = overlay(canvas);
    std::move(over.items.begin(), over.items.end(), std::back_inserter(list.items));
    return list;
}

void SceneView::paintPicture(QPainter& painter) const
{
    const bool covers = picture_.width() >= deviceWidth() && picture_.height() >= deviceHeight();
    if (!covers) painter.fillRect(0, 0, deviceWidth(), deviceHeight(), toQColor(style_.theme.background));
    painter.drawImage(0, 0, picture_);
}

void SceneView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!maker()) {
        painter.fillRect(rect(), toQColor(style_.theme.background));
        painter.setPen(toQColor(style_.theme.secondaryText));
        painter.drawText(rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap, emptyText());
        return;
    }
    const double ratio = devicePixelRatioF();
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    paintPicture(painter);
    painter.restore();
    const SceneFonts fonts(font(), style_.scale, texts_);
    paintDrawList(painter, onCanvas([this](const Canvas& canvas) { return overlay(canvas); }), fonts);
    if (!hasFocus() || !QApplication::activeWindow()) return;
    painter.setPen(toQColor(style_.theme.accent));
    painter.drawLine(0, 0, width(), 0);
}

void SceneView::resizeEvent(QResizeEvent*)
{
    takeStyle();
    layoutAgain();
    redraw();
}

void SceneView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange
        || event->type() == QEvent::StyleChange) {
        takeStyle();
        layoutAgain();
        redraw();
    }
    View::changeEvent(event);
}

bool SceneView::event(QEvent* event)
{
    if (event->type() != QEvent::ToolTip) return View::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    QString text;
    for (const std::string& line : toolTipAt(toDevice(help->pos())))
        text += (text.isEmpty() ? "" : "\n") + QString::fromStdString(line);
    if (text.isEmpty()) QToolTip::hideText();
    else QToolTip::showText(help->globalPos(), text, this);
    toolTipShown_ = !text.isEmpty();
    return true;
}

}  // namespace skein
