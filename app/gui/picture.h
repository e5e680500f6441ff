// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <QString>

class QWidget;

namespace skein {
class View;
}

namespace skein::gui {

/// Writes the widget as it stands to a .png or .svg. Errors: InvalidArgument for another ending, Io.
Result<void> savePicture(QWidget& widget, const QString& file);

/// Writes a view at its size on the screen, as vectors where view and format can. Errors: those of the above.
Result<void> saveViewPicture(View& view, const QString& file, int widthPixels, int heightPixels);

}  // namespace skein::gui
