// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/picture.h"

#include "views/common/view.h"

#include <QPainter>
#include <QPixmap>
#include <QSvgGenerator>
#include <fmt/format.h>

namespace skein::gui {
namespace {

bool saveVectors(QWidget& widget, const QString& file)
{
    QSvgGenerator svg;
    svg.setFileName(file);
    svg.setSize(widget.size());
    svg.setViewBox(widget.rect());
    svg.setTitle(widget.windowTitle());
    QPainter painter;
    if (!painter.begin(&svg)) return false;
    widget.render(&painter);
    return painter.end();
}

}  // namespace

Result<void> savePicture(QWidget& widget, const QString& file)
{
    const bool vectors = file.endsWith(".svg", Qt::CaseInsensitive);
    if (!vectors && !file.endsWith(".png", Qt::CaseInsensitive))
        return fail(ErrorCode::InvalidArgument, "The name of a picture ends in .png or .svg.");
    if (vectors ? saveVectors(widget, file) : widget.grab().save(file)) return {};
    return fail(ErrorCode::Io, fmt::format("{} cannot be written.", file.toStdString()));
}

Result<void> saveViewPicture(View& view, const QString& file, int widthPixels, int heightPixels)
{
    if (auto saved = view.savePicture(file.toStdString(), widthPixels, heightPixels)) return *saved;
    return savePicture(view, file);
}

}  // namespace skein::gui
