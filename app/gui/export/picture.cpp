// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/export/picture.h"

#include "core/base/output_file.h"
#include "views/common/theme.h"
#include "views/common/view.h"

#include <QBuffer>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <fmt/format.h>

namespace skein::gui {
namespace {

constexpr int kPad = 8;

int captionHeight(const QWidget& widget, const QString& caption)
{
    return caption.isEmpty() ? 0 : widget.fontMetrics().height() + kPad;
}

QSize sizeWith(const QWidget& widget, const QString& caption)
{
    return widget.size() + QSize(0, captionHeight(widget, caption));
}

void paint(QPainter& painter, QWidget& widget, const QString& caption)
{
    const int top = captionHeight(widget, caption);
    const Theme theme = themeFor(widget.palette());
    if (top > 0) {
        painter.fillRect(QRect(0, 0, widget.width(), top), toQColor(theme.background));
        QFont bold = widget.font();
        bold.setBold(true);
        painter.setFont(bold);
        painter.setPen(toQColor(theme.text));
        const QString shown =
            QFontMetrics(bold).elidedText(caption, Qt::ElideMiddle, widget.width() - 2 * kPad);
        painter.drawText(QRect(kPad, 0, widget.width() - 2 * kPad, top), Qt::AlignLeft | Qt::AlignVCenter,
                         shown);
    }
    widget.render(&painter, QPoint(0, top));
}

bool drawSvg(QWidget& widget, QIODevice& out, const QString& caption)
{
    QSvgGenerator svg;
    svg.setOutputDevice(&out);
    svg.setSize(sizeWith(widget, caption));
    svg.setViewBox(QRect(QPoint(), sizeWith(widget, caption)));
    svg.setTitle(caption.isEmpty() ? widget.windowTitle() : caption);
    QPainter painter;
    if (!painter.begin(&svg)) return false;
    paint(painter, widget, caption);
    return painter.end();
}

bool drawPdf(QWidget& widget, QIODevice& out, const QString& caption)
{
    QPdfWriter writer(&out);
    writer.setResolution(96);
    writer.setPageSize(QPageSize(QSizeF(sizeWith(widget, caption)) * 72.0 / 96.0, QPageSize::Point, {},
                                 QPageSize::ExactMatch));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(caption.isEmpty() ? widget.windowTitle() : caption);
    QPainter painter;
    if (!painter.begin(&writer)) return false;
    paint(painter, widget, caption);
    return painter.end();
}

bool drawPng(QWidget& widget, QIODevice& out, const QString& caption)
{
    return pictureOf(widget, caption).save(&out, "PNG");
}

}  // namespace

QImage pictureOf(QWidget& widget, const QString& caption)
{
    const double ratio = widget.devicePixelRatioF();
    QImage image(sizeWith(widget, caption) * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(widget.palette().color(QPalette::Window));
    QPainter painter(&image);
    paint(painter, widget, caption);
    return image;
}

Result<void> savePicture(QWidget& widget, const QString& file, const QString& caption)
{
    const auto is = [&](const char* ending) { return file.endsWith(ending, Qt::CaseInsensitive); };
    const auto draw = is(".svg") ? drawSvg : is(".pdf") ? drawPdf : is(".png") ? drawPng : nullptr;
    if (!draw) return fail(ErrorCode::InvalidArgument, "The name of a picture ends in .png, .svg or .pdf.");
    QBuffer bytes;
    bytes.open(QIODevice::WriteOnly);
    if (!draw(widget, bytes, caption))
        return fail(ErrorCode::Io, fmt::format("The picture for {} cannot be drawn.", file.toStdString()));
    return writeFile(file.toStdString(), std::string_view(bytes.data().constData(), bytes.size()));
}

Result<void> saveViewPicture(View& view, const QString& file, int widthPixels, int heightPixels,
                             const QString& caption)
{
    if (auto saved = view.savePicture(file.toStdString(), widthPixels, heightPixels)) return *saved;
    return savePicture(view, file, caption);
}

}  // namespace skein::gui
