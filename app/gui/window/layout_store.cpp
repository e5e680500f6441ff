// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window/layout_store.h"

#include <QSettings>
#include <QVariantMap>

namespace skein::gui {
namespace {

constexpr auto kLayoutsKey = "layouts";

QVariantMap stored() { return QSettings().value(kLayoutsKey).toMap(); }

}  // namespace

QStringList LayoutStore::names() { return stored().keys(); }

void LayoutStore::save(const QString& name, const QByteArray& layout)
{
    QVariantMap layouts = stored();
    layouts.insert(name, layout);
    QSettings().setValue(kLayoutsKey, layouts);
}

QByteArray LayoutStore::load(const QString& name) { return stored().value(name).toByteArray(); }

void LayoutStore::remove(const QString& name)
{
    QVariantMap layouts = stored();
    layouts.remove(name);
    QSettings().setValue(kLayoutsKey, layouts);
}

}  // namespace skein::gui
