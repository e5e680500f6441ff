// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QImage>
#include <QString>

class QWidget;

namespace skein {
class View;
}

namespace skein::gui {

/// Writes the widget as it stands to a .png, .svg or .pdf, below a line of text where there is one.
/// Errors: InvalidArgument for another ending, those of writeFile().
Result<void> savePicture(QWidget& widget, const QString& file, const QString& caption = {});

/// Writes a view at its size on the screen, as vectors where view and format can. Views that are pictures
/// write their caption themselves; the others get this one. Errors: those of the above.
Result<void> saveViewPicture(View& view, const QString& file, int widthPixels, int heightPixels,
                             const QString& caption = {});

/// The widget as it stands, below the caption.
QImage pictureOf(QWidget& widget, const QString& caption = {});

}  // namespace skein::gui
