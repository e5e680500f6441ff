// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/recent_paths.h"

#include <QDir>
#include <QFileInfo>
#include <QSettings>

#include <algorithm>

namespace skein::gui {
namespace {

constexpr auto kRecentKey = "recent";

QList<QStringList> readAll(QSettings& settings)
{
    QList<QStringList> result;
    const int count = settings.beginReadArray(kRecentKey);
    for (int i = 0; i < std::min(count, RecentPaths::kMaximum); ++i) {
        settings.setArrayIndex(i);
        const QStringList paths = settings.value("paths").toStringList();
        if (!paths.isEmpty()) result.push_back(paths);
    }
    settings.endArray();
    return result;
}

}  // namespace

QList<QStringList> RecentPaths::all()
{
    QSettings settings;
    return readAll(settings);
}

void RecentPaths::add(const QStringList& paths)
{
    QStringList absolute;
    for (const QString& path : paths) absolute.push_back(QDir::cleanPath(QFileInfo(path).absoluteFilePath()));
    QSettings settings;
    QList<QStringList> recent = readAll(settings);
    recent.removeAll(absolute);
    recent.prepend(absolute);
    while (recent.size() > kMaximum) recent.removeLast();
    settings.remove(kRecentKey);
    settings.beginWriteArray(kRecentKey, static_cast<int>(recent.size()));
    for (int i = 0; i < recent.size(); ++i) {
        settings.setArrayIndex(i);
        settings.setValue("paths", recent[i]);
    }
    settings.endArray();
}

void RecentPaths::clear() { QSettings().remove(kRecentKey); }

namespace {

QString titleWith(const QStringList& paths, qsizetype folders)
{
    QStringList titles;
    for (const QString& path : paths) {
        const QStringList parts = QDir::cleanPath(path).split('/', Qt::SkipEmptyParts);
        titles.push_back(parts.mid(std::max<qsizetype>(0, parts.size() - 1 - folders)).join('/'));
    }
    return titles.join(" + ");
}

}  // namespace

QString shortTitle(const QStringList& paths) { return titleWith(paths, 1); }

QStringList shortTitles(const QList<QStringList>& lists)
{
    constexpr qsizetype kMostFolders = 8;
    QStringList titles;
    for (const QStringList& paths : lists) titles.push_back(shortTitle(paths));
    for (qsizetype folders = 2; folders <= kMostFolders; ++folders) {
        const QStringList before = titles;
        for (qsizetype at = 0; at < lists.size(); ++at)
            if (before.count(before[at]) > 1) titles[at] = titleWith(lists[at], folders);
    }
    return titles;
}

}  // namespace skein::gui
