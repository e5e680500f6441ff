// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/action_registry.h"

#include <QFrame>
#include <QString>

class QLineEdit;
class QListWidget;

namespace skein::gui {

/// How well `query` matches `text` as a subsequence, ignoring case: higher is better, negative is no match. Letters at
/// the start of words and in a row count more. An empty query matches everything alike.
int matchScore(const QString& query, const QString& text);

/// Type to find an action, Enter to run it. Lies over the window and leaves when it loses the focus.
class CommandPalette : public QFrame {
    Q_OBJECT

public:
    CommandPalette(const ActionRegistry& registry, QWidget* window);

    /// Opens at the top of the window with an empty query.
    void popUp();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void fill();
    void moveCurrent(int step);
    void runCurrent();

    const ActionRegistry& registry_;
    QLineEdit* query_ = nullptr;
    QListWidget* list_ = nullptr;
};

}  // namespace skein::gui
