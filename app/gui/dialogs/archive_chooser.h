// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDialog>
#include <QStringList>

#include "app/gui/session/session_loader.h"

class QTreeWidget;

namespace skein::gui {

/// Lets the user choose which of the archives below a folder are opened together.
class ArchiveChooser : public QDialog {
    Q_OBJECT

public:
    ArchiveChooser(const ArchiveChoice& choice, QWidget* parent);

    /// Those with a tick; where none has one, the one with the keyboard.
    QStringList chosen() const;

Q_SIGNALS:
    void openWanted(const QStringList& paths);

private:
    void enable();

    ArchiveChoice choice_;
    QTreeWidget* list_ = nullptr;
    QWidget* open_ = nullptr;
};

}  // namespace skein::gui
