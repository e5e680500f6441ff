// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/menus/action_registry.h"

#include <QMenu>

namespace skein::gui {

QAction* ActionRegistry::add(const QString& id, const QString& category, const QString& text,
                             const QKeySequence& shortcut, const QString& hint,
                             std::function<void()> triggered)
{
    auto* action = new QAction(text, &window_);
    action->setObjectName(id);
    action->setShortcut(shortcut);
    action->setStatusTip(hint);
    QObject::connect(action, &QAction::triggered, &window_,
                     [triggered = std::move(triggered)] { triggered(); });
    window_.addAction(action);
    entries_.push_back({id, category, action});
    return action;
}

QAction* ActionRegistry::addTo(QMenu& menu, const QString& id, const QString& text,
                               const QKeySequence& shortcut, const QString& hint,
                               std::function<void()> triggered)
{
    QString category = menu.title();
    category.remove('&');
    QAction* action = add(id, category, text, shortcut, hint, std::move(triggered));
    menu.addAction(action);
    return action;
}

void ActionRegistry::adopt(const QString& category, QAction* action)
{
    entries_.push_back({action->objectName(), category, action});
}

QAction* ActionRegistry::find(const QString& id) const
{
    for (const Entry& entry : entries_)
        if (entry.id == id) return entry.action;
    return nullptr;
}

QString plainText(const QAction& action)
{
    QString text = action.text();
    text.replace("&&", "\x01");
    text.remove('&');
    text.replace('\x01', '&');
    if (text.endsWith("…")) text.chop(1);
    return text;
}

}  // namespace skein::gui
