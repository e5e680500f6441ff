// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/session/mark_store.h"

#include <QCryptographicHash>
#include <QFileInfo>
#include <QSettings>
#include <QVariant>

namespace skein::gui {
namespace {

constexpr auto kGroup = "marks";
constexpr auto kOrder = "markedSessions";
constexpr int kKept = 100;

QString keyOf(const QStringList& paths)
{
    QCryptographicHash hash(QCryptographicHash::Sha1);
    for (const QString& path : paths) {
        const QString canonical = QFileInfo(path).canonicalFilePath();
        hash.addData((canonical.isEmpty() ? path : canonical).toUtf8());
        hash.addData("\n");
    }
    return QString::fromLatin1(hash.result().toHex());
}

QString entryOf(const QString& key) { return QString("%1/%2").arg(kGroup, key); }

/// The session moves to the front; the oldest ones are forgotten.
void remember(QSettings& settings, const QString& key)
{
    QStringList order = settings.value(kOrder).toStringList();
    order.removeAll(key);
    order.prepend(key);
    while (order.size() > kKept) settings.remove(entryOf(order.takeLast()));
    settings.setValue(kOrder, order);
}

}  // namespace

std::vector<Mark> MarkStore::load(const QStringList& paths)
{
    std::vector<Mark> marks;
    const QVariantList stored = QSettings().value(entryOf(keyOf(paths))).toList();
    for (const QVariant& entry : stored) {
        const QVariantList fields = entry.toList();
        if (fields.size() != 3) continue;
        marks.push_back(
            {{fields[0].toLongLong(), fields[1].toLongLong()}, fields[2].toString().toStdString()});
    }
    return marks;
}

void MarkStore::save(const QStringList& paths, const std::vector<Mark>& marks)
{
    if (paths.isEmpty()) return;
    QSettings settings;
    const QString key = keyOf(paths);
    if (marks.empty()) return settings.remove(entryOf(key));
    QVariantList stored;
    for (const Mark& mark : marks)
        stored.push_back(QVariantList{qlonglong{mark.span.begin}, qlonglong{mark.span.end},
                                      QString::fromStdString(mark.note)});
    settings.setValue(entryOf(key), stored);
    remember(settings, key);
}

}  // namespace skein::gui
