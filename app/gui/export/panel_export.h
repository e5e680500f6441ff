// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "app/gui/export/picture.h"
#include "app/gui/menus/window_parts.h"
#include "app/gui/window/dock_host.h"
#include "core/select/view_state.h"

namespace skein::gui {

/// Writes the panel with the keyboard, or the window, as a picture or table where the user wants it.
class PanelExport : public QObject {
    Q_OBJECT

public:
    PanelExport(const WindowParts& parts, QObject* parent);

    void choosePicture();
    void chooseTable();
    void copyPicture();
    /// Writes the call tree of an archive for other tools, in the formats of `skein-cli export`: what is
    /// selected tells which archive, the scope of the window which part of it.
    void chooseTree();
    void saveTree(const QString& file, int format);

private:
    void savePictureOf(View* view, const QString& file);
    static PictureSize sizeOf(const View& view);
    PictureFrame frameOf(const DockHost::Panel& panel) const;
    void tell(const QString& sentence);

    WindowParts parts_;
};

}  // namespace skein::gui
