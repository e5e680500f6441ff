// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/picture.h"

#include "app/gui/export/table_csv.h"
#include "core/base/output_file.h"
#include "core/select/scope.h"
#include "core/session/experiment_titles.h"
#include "views/common/draw_list_painter.h"
#include "views/common/scene_view.h"
#include "views/common/scope_head.h"
#include "views/common/selection_model.h"
#include "views/common/table/table_picture.h"
#include "views/common/theme.h"
#include "views/common/view.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QTreeView>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace skein::gui {
namespace {

constexpr int kHighest = 16384;  ///< pixels

/// Paints a picture in device pixels.
using Paint = std::function<void(QPainter& painter)>;

bool drawSvg(const Paint& paint, QSize size, QIODevice& out, const QString& title)
{
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setSize(size);
    svg.setViewBox(QRect(QPoint(), size));
    svg.setTitle(title);
    QPainter painter;
    if (!painter.begin(&svg)) return false;
    paint(painter);
    return painter.end();
}

bool drawPdf(const Paint& paint, QSize size, QIODevice& out, const QString& title)
{
    QPdfWriter writer(&out);
    writer.setResolution(96);
    writer.setPageSize(QPageSize(QSizeF(size) * 72.0 / 96.0, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(title);
    QPainter painter;
    if (!painter.begin(&writer)) return false;
    paint(painter);
    return painter.end();
}

QImage imageOf(const Paint& paint, QSize size, const QColor& background)
{
    QImage image(size, QImage::Format_RGB32);
    image.fill(background);
    QPainter painter(&image);
    paint(painter);
    return image;
}

bool drawPng(const Paint& paint, QSize size, QIODevice& out, const QString&)
{
    return imageOf(paint, size, Qt::white).save(&out, "PNG");
}

Result<void> write(const Paint& paint, QSize size, const QString& file, const QString& title)
{
    const auto is = [&](const char* ending) { return file.endsWith(ending, Qt::CaseInsensitive); };
    const auto draw = is(".svg") ? drawSvg : is(".pdf") ? drawPdf : is(".png") ? drawPng : nullptr;
    if (!draw) return fail(ErrorCode::InvalidArgument, "The name of a picture ends in .png, .svg or .pdf.");
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    if (!draw(paint, size, bytes, title))
        return fail(ErrorCode::Io, fmt::format("The picture for {} cannot be drawn.", file.toStdString()));
    return writeFile(file.toStdString(), std::string_view(bytes.data().constData(), bytes.size()));
}

Paint paintWidget(QWidget& widget)
{
    return [&widget](QPainter& painter) {
        painter.save();
        painter.scale(widget.devicePixelRatioF(), widget.devicePixelRatioF());
        widget.render(&painter);
        painter.restore();
    };
}

QSize deviceSize(const QWidget& widget)
{
    return (QSizeF(widget.size()) * widget.devicePixelRatioF()).toSize();
}

/// Those on the screen have the size that they have there, until the next turn of the event loop.
void drawScenes(View& view)
{
    QImage nothing(1, 1, QImage::Format_RGB32);
    QPainter painter(&nothing);
    view.render(&painter);  // lays out in the new size
    for (SceneView* scene : view.findChildren<SceneView*>())
        if (scene->isVisibleTo(&view)) scene->drawNow();
}

/// A view in its frame: what to paint, and how large it is.
struct Framed {
    Paint paint;
    QSize size;
};

class Framer {
public:
    Framer(View& view, PictureSize size, const PictureFrame& frame)
        : view_(view),
          wanted_(size),
          frame_(frame),
          style_{themeFor(view.palette()), view.devicePixelRatioF(), {}},
          fonts_(std::make_shared<SceneFonts>(view.font(), style_.scale)),
          measure_(*fonts_)
    {
    }

    Framed framed()
    {
        const Canvas canvas{wanted_.width, wanted_.height.value_or(contentHeight()), style_, measure_};
        const Rect inner = contentRect(frame_, canvas);
        auto content = view_.drawnPicture(wanted_.width, static_cast<int>(inner.height));
        if (content) return ofList(framedPicture(std::move(*content), frame_, canvas));
        const QTreeView* table = shownTable();
        return table ? ofTable(*table) : ofWidget(canvas, inner);
    }

private:
    int around() const { return frameHeight(frame_, Canvas{wanted_.width, 1, style_, measure_}); }

    /// As high as the content is, where the view knows.
    int contentHeight() const
    {
        if (const auto content = view_.pictureHeight(wanted_.width))
            return std::clamp(*content + around(), 1, kHighest);
        return wanted_.otherwise > 0 ? wanted_.otherwise
                                     : std::min(kHighest, deviceSize(view_).height() + around());
    }

    /// Null where the view is no table, or shows a sentence in place of it.
    const QTreeView* shownTable() const
    {
        const QTreeView* table = tableOf(view_);
        const bool shown =
            table && table->isVisibleTo(&view_) && table->model() && table->model()->rowCount() > 0;
        return shown ? table : nullptr;
    }

    /// No wider than the columns and the caption need, where that is much less.
    int croppedWidth(const QTreeView& table) const
    {
        const Canvas canvas{wanted_.width, kHighest, style_, measure_};
        double needed = tablePictureWidth(table, canvas);
        for (const std::string& line : frame_.caption)
            needed = std::max(needed, measure_.width(line, FontStyle::Bold));
        constexpr double kMuchLess = 0.9;
        const double cropped = std::ceil(needed + canvas.px(24));
        return cropped < kMuchLess * wanted_.width ? static_cast<int>(cropped) : wanted_.width;
    }

    Framed ofTable(const QTreeView& table)
    {
        if (!wanted_.height) wanted_.width = croppedWidth(table);
        const int room = wanted_.height.value_or(kHighest) - around();
        DrawList rows = tablePicture(table, Canvas{wanted_.width, std::max(1, room), style_, measure_});
        const int height = wanted_.height.value_or(rows.height + around());
        return ofList(
            framedPicture(std::move(rows), frame_, Canvas{wanted_.width, height, style_, measure_}));
    }

    Framed ofList(DrawList list) const
    {
        const QSize size(list.width, list.height);
        return {
            [list = std::make_shared<const DrawList>(std::move(list)), fonts = fonts_](QPainter& painter) {
                painter.fillRect(QRect(0, 0, list->width, list->height), toQColor(list->background));
                paintDrawList(painter, *list, *fonts);
            },
            size};
    }

    Framed ofWidget(const Canvas& canvas, const Rect& inner)
    {
        const double ratio = view_.devicePixelRatioF();
        const QSize size(static_cast<int>(inner.width / ratio), static_cast<int>(inner.height / ratio));
        const Framed around = ofList(framedPicture({}, frame_, canvas));
        return {[&view = view_, size, around, top = inner.y, widget = paintWidget(view_)](QPainter& painter) {
                    around.paint(painter);
                    // One that stands in a window has the size of the picture only while it is painted.
                    const QSize before = view.size();
                    view.resize(size);
                    drawScenes(view);
                    painter.save();
                    painter.translate(0, top);
                    widget(painter);
                    painter.restore();
                    if (view.parentWidget()) view.resize(before);
                },
                around.size};
    }

    View& view_;
    PictureSize wanted_;
    const PictureFrame& frame_;
    SceneStyle style_;
    std::shared_ptr<SceneFonts> fonts_;
    QtTextMeasure measure_;
};

QString titleOf(const PictureFrame& frame)
{
    return frame.caption.empty() ? QString() : QString::fromStdString(frame.caption.front());
}

/// What a view without a pin of its own shows.
std::string shownSpan(const ViewState& state)
{
    Scope scope;
    if (state.visible) scope = {Scope::Span::Visible, state.visible, {}};
    return spanText(scope);
}

}  // namespace

QImage pictureOf(QWidget& widget)
{
    return imageOf(paintWidget(widget), deviceSize(widget), widget.palette().color(QPalette::Window));
}

Result<void> savePicture(QWidget& widget, const QString& file)
{
    return write(paintWidget(widget), deviceSize(widget), file, widget.windowTitle());
}

PictureFrame frameOfView(const View& view, const QString& title, const SelectionModel& selection,
                         const SessionPtr& session)
{
    PictureFrame frame;
    std::string first = title.toStdString();
    if (!session) return {{first}, {}};
    for (const std::string& archive : experimentTitles(*session)) first += " · " + archive;
    frame.caption.push_back(first);
    const auto* head = ScopeHead::of(view);
    frame.caption.push_back(head ? head->text().toStdString() : shownSpan(selection.state()));
    std::string filters;
    for (const Filter& filter : selection.state().filters)
        filters += (filters.empty() ? "Filters: " : " · ") + filter.label;
    if (!filters.empty()) frame.caption.push_back(filters);
    frame.legend = view.pictureLegend();
    return frame;
}

Result<void> saveViewPicture(View& view, const QString& file, PictureSize size, const PictureFrame& frame)
{
    const Framed framed = Framer(view, size, frame).framed();
    return write(framed.paint, framed.size, file, titleOf(frame));
}

QImage viewImage(View& view, PictureSize size, const PictureFrame& frame)
{
    const Framed framed = Framer(view, size, frame).framed();
    return imageOf(framed.paint, framed.size, view.palette().color(QPalette::Window));
}

}  // namespace skein::gui
