// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>
#include <QStringList>

#include "core/select/view_state.h"

#include <vector>

namespace skein {
class SelectionModel;
}

namespace skein::gui {

/// Saves the marks of a session whenever they change, and brings them back with it.
class MarkKeeper : public QObject {
    Q_OBJECT

public:
    MarkKeeper(SelectionModel& selection, QObject* parent);

    /// The marks that were kept for the session of these paths; from now on they are its. No paths: nothing
    /// is kept.
    const std::vector<Mark>& take(const QStringList& paths);

private:
    void keep();

    SelectionModel& selection_;
    QStringList paths_;
    std::vector<Mark> kept_;  ///< as they are in the settings
};

}  // namespace skein::gui
