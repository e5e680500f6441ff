// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/session_loader.h"

#include <QDialog>

namespace skein::gui {

/// Says which paths could not be opened and why, and what was opened all the same.
class ProblemDialog : public QDialog {
    Q_OBJECT

public:
    ProblemDialog(const std::vector<Problem>& problems, const QStringList& opened, QWidget* parent);
};

/// Opens the dialog over a window.
void showProblems(const std::vector<Problem>& problems, const QStringList& opened, QWidget& window);

}  // namespace skein::gui
