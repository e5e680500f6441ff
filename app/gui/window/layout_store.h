// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>

namespace skein::gui {

/// Arrangements of the docks that the user gave a name, in the settings.
class LayoutStore {
public:
    static QStringList names();
    static void save(const QString& name, const QByteArray& layout);
    /// Empty when there is none of that name.
    static QByteArray load(const QString& name);
    static void remove(const QString& name);
};

}  // namespace skein::gui
