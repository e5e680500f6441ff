// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

class QAction;

namespace skein::gui {

/// Looks like a field to type in and opens the search: what is typed next goes there.
class SearchBox : public QPushButton {
    Q_OBJECT

public:
    /// Enabled as long as the action is.
    SearchBox(QAction& search, QWidget* parent);
};

}  // namespace skein::gui
