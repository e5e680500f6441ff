// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QKeySequence>
#include <QString>
#include <QWidget>

#include <functional>
#include <vector>

class QMenu;

namespace skein::gui {

/// Every action of a window, in the order of the menus. The command palette, the list of shortcuts and the
/// menus are made from it, so that nothing can be in one and not in the others.
class ActionRegistry {
public:
    struct Entry {
        QString id;        ///< "file.open"
        QString category;  ///< "File"; for actions of a view its title
        QAction* action = nullptr;
    };

    /// Actions are children of `window` and their shortcuts work wherever the focus is in it.
    explicit ActionRegistry(QWidget& window) : window_(window) {}

    QAction* add(const QString& id, const QString& category, const QString& text,
                 const QKeySequence& shortcut, const QString& hint, std::function<void()> triggered);
    /// The same, as an entry of a menu; its category is the menu's title.
    QAction* addTo(QMenu& menu, const QString& id, const QString& text, const QKeySequence& shortcut,
                   const QString& hint, std::function<void()> triggered);
    /// Takes an action of somebody else in; its shortcut stays as its owner wants it.
    void adopt(const QString& category, QAction* action);

    const std::vector<Entry>& entries() const { return entries_; }
    QAction* find(const QString& id) const;

private:
    QWidget& window_;
    std::vector<Entry> entries_;
};

/// The text of an action without its mnemonic and dots, as lists show it.
QString plainText(const QAction& action);

}  // namespace skein::gui
