// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace skein::gui {

/// What was opened lately, newest first, kept in the user's settings. Paths opened together are one entry.
class RecentPaths {
public:
    static constexpr int kMaximum = 12;

    static QList<QStringList> all();
    static void add(const QStringList& paths);
    static void clear();
};

/// Titles for a menu of several such lists, each with as many folders as tell it from the others:
/// "run7/traces.otf2".
QStringList shortTitles(const QList<QStringList>& lists);

/// "lulesh-8/trace-otf2" or "a + b": the last parts of the paths, for menus.
QString shortTitle(const QStringList& paths);

}  // namespace skein::gui
