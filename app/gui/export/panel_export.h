// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/export/picture.h"
#include "app/gui/menus/window_parts.h"
#include "app/gui/window/dock_host.h"

namespace skein::gui {

/// Writes the panel with the keyboard, or the window, as a picture or table where the user wants it.
class PanelExport : public QObject {
    Q_OBJECT

public:
    PanelExport(const WindowParts& parts, QObject* parent);

    void choosePicture();
    void chooseTable();
    void copyPicture();

private:
    void savePictureOf(View* view, const QString& file);
    static PictureSize sizeOf(const View& view);
    PictureFrame frameOf(const DockHost::Panel& panel) const;
    void tell(const QString& sentence);

    WindowParts parts_;
};

}  // namespace skein::gui
