// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/menus/action_registry.h"
#include "views/common/view.h"

#include <QDialog>
#include <QString>

#include <vector>

namespace skein::gui {

/// Keys and gestures of one view.
struct ViewKeys {
    QString title;
    std::vector<KeyHint> hints;
};

/// The list behind `?`: every action that has a shortcut, and the keys and gestures of the views.
class ShortcutDialog : public QDialog {
    Q_OBJECT

public:
    ShortcutDialog(const ActionRegistry& registry, const std::vector<ViewKeys>& views, QWidget* parent);
};

}  // namespace skein::gui
