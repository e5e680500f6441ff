// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/session/experiment.h"
#include "views/common/scene/drawing/picture_frame.h"

#include <QImage>
#include <QSize>
#include <QString>

#include <optional>

class QWidget;

namespace skein {
class SelectionModel;
class View;
}  // namespace skein

namespace skein::gui {

/// Writes the widget as it stands to a .png, .svg or .pdf. Errors: InvalidArgument for another ending, those
/// of writeFile().
Result<void> savePicture(QWidget& widget, const QString& file);

/// The widget as it stands.
QImage pictureOf(QWidget& widget);

/// How large a picture is, in pixels.
struct PictureSize {
    int width = 0;
    /// nullopt: what the content needs: the rows of a table, whose columns may need less than the width, too,
    /// or what View::pictureHeight() says.
    std::optional<int> height;
    /// In that case that of what fills any height; 0: as high as the view stands, and the frame.
    int otherwise = 0;
};

/// What stands around every picture of a view: its title and the archives, how much of them it shows, the
/// filters, and what its colours stand for.
PictureFrame frameOfView(const View& view, const QString& title, const SelectionModel& selection,
                         const SessionPtr& session);

/// Writes a view in such a frame, as vectors with text where the format has them: pictures as they are on the
/// screen but exact, tables whole and cut to their content, everything else as it stands. The file is exactly
/// as large as was asked for; a view without a window around it takes the room that the frame leaves. Errors:
/// as savePicture().
Result<void> saveViewPicture(View& view, const QString& file, PictureSize size, const PictureFrame& frame);

/// The same for the clipboard.
QImage viewImage(View& view, PictureSize size, const PictureFrame& frame);

}  // namespace skein::gui
