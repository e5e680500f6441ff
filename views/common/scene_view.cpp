// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/common/scene_view.h"

#include "views/common/picture_difference.h"
#include "views/common/scene_accessible.h"
#include "views/common/selection_model.h"
#include "views/common/task_runner.h"
#include "views/common/theme.h"

#include <QApplication>
#include <QHelpEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>

#include <cmath>
#include <iterator>
#include <utility>

namespace skein {

namespace {

/// No two views have one, so that none takes the place of a picture that another one waits for.
QString ownSceneKey(const QString& title)
{
    static quint64 made = 0;
    return title + ' ' + QString::number(++made);
}

}  // namespace

SceneView::SceneView(const ViewContext& context, QString title, QWidget* parent)
    : View(context, parent), title_(std::move(title)), key_(ownSceneKey(title_))
{
    // Who zooms with the wheel goes back with a key.
    setFocusPolicy(Qt::WheelFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    makeScenesAccessible();
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

/// The picture follows; until it is there only what lies over it can be another one.
void SceneView::redraw()
{
    ++wanted_;
    dropToolTip();
    if (maker() && covers(picture_)) updateOverlay();
    else update();
    if (!drawing_) start();
}

void SceneView::stopDrawing()
{
    if (!std::exchange(drawing_, false)) return;
    tasks().drop(key_);
}

bool SceneView::covers(const QImage& picture) const
{
    return picture.width() == deviceWidth() && picture.height() == deviceHeight();
}

void SceneView::updateOverlay()
{
    const DrawList now =
        maker() ? onCanvas([this](const Canvas& canvas) { return overlay(canvas); }) : DrawList();
    const QRegion dirty = differingRegion(painted_, now, devicePixelRatioF());
    if (!dirty.isEmpty()) update(dirty & rect());
}

void SceneView::updatePicture(const QImage& before, const QImage& after, int shiftX, const Rect& moved)
{
    const double ratio = devicePixelRatioF();
    if (before.size() != after.size() || !covers(after)) return update();
    QImage shown = before;
    const bool whole = ratio == std::floor(ratio) && shiftX % static_cast<int>(ratio) == 0;
    if (shiftX != 0 && whole && std::abs(shiftX) < moved.width) {
        const QRect area(static_cast<int>(std::ceil(moved.x / ratio)),
                         static_cast<int>(std::ceil(moved.y / ratio)),
                         static_cast<int>(std::floor(moved.width / ratio)),
                         static_cast<int>(std::floor(moved.height / ratio)));
        // What lies over the picture moves along: it is painted again where it was and where it is.
        QRegion over = differingRegion(painted_, DrawList(), ratio) & area;
        for (const QWidget* child : findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly))
            if (child->isVisible()) over |= child->geometry() & area;
        const int by = shiftX / static_cast<int>(ratio);
        scroll(by, 0, area);
        shown = movedWithin(before, area, by, static_cast<int>(ratio));
        update((over | over.translated(by, 0)) & area);
    }
    update(differingTiles(shown, after, ratio) & rect());
    updateOverlay();
}

void SceneView::focusInEvent(QFocusEvent* event)
{
    View::focusInEvent(event);
    update(0, 0, width(), 2);
}

void SceneView::focusOutEvent(QFocusEvent* event)
{
    View::focusOutEvent(event);
    update(0, 0, width(), 2);
}

const std::vector<std::vector<std::string>>& SceneView::readableRows() const
{
    if (readableOf_ == wanted_ && wanted_ != 0) return readable_;
    readable_.clear();
    readableOf_ = wanted_;
    tableRows_ = 0;
    const Maker make = maker();
    if (!make || width() < 1 || height() < 1) {
        readable_.push_back({emptyText().toStdString()});
        return readable_;
    }
    readable_ = onCanvas([&](const Canvas& canvas) {
        DrawList list = make(canvas, Task());
        DrawList over = overlay(canvas);
        std::move(over.items.begin(), over.items.end(), std::back_inserter(list.items));
        return textRows(list);
    });
    auto table = readableTable();
    tableRows_ = table.size();
    readable_.insert(readable_.begin(), std::move_iterator(table.begin()), std::move_iterator(table.end()));
    return readable_;
}

void SceneView::dropToolTip()
{
    if (std::exchange(toolTipShown_, false)) QToolTip::hideText();
}

void SceneView::start()
{
    const Maker make = screenMaker();
    if (!make || width() < 1 || height() < 1) {
        picture_ = {};
        drawn_ = wanted_;
        return;
    }
    drawing_ = true;
    pictureStarts();
    const quint64 number = wanted_;
    tasks().run<QImage>(
        {key_, title_, JobVisibility::WhenSlow}, this,
        [make, style = style_, drawFont = font(), texts = texts_, width = deviceWidth(),
         height = deviceHeight()](const Task& task) -> Result<QImage> {
            const SceneFonts fonts(drawFont, style.scale, texts);
            const QtTextMeasure measure(fonts);
            return toImage(make(Canvas{width, height, style, measure}, task), fonts, task);
        },
        [this, number](Result<QImage> image) {
            drawing_ = false;
            endFirstPicture();
            drawn_ = number;
            if (image) {
                const auto [shift, moved] = pictureShift();
                const QImage before = std::exchange(picture_, *image);
                pictureCame();
                updatePicture(before, picture_, shift, moved);
            }
            if (image && drawn_ != wanted_) start();
        });
}

void SceneView::drawNow()
{
    const Maker make = maker();
    if (!make || covers(picture_) || width() < 1 || height() < 1) return;
    const SceneFonts fonts(font(), style_.scale, texts_);
    picture_ = onCanvas([&](const Canvas& canvas) { return toImage(make(canvas, Task()), fonts); });
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

void SceneView::paintEvent(QPaintEvent* event)
{
    QPainter painter(this);
    if (!maker()) {
        painted_ = {};
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
    const DrawList before =
        std::exchange(painted_, onCanvas([this](const Canvas& canvas) { return overlay(canvas); }));
    paintDrawList(painter, painted_, fonts);
    // What has changed since the part was asked for may lie outside of it.
    if (!event->rect().contains(rect()))
        if (const QRegion rest = (differingRegion(before, painted_, ratio) & rect()) - event->region();
            !rest.isEmpty())
            update(rest);
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
