// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/gui/session/clock_correction.h"
#include "core/session/experiment.h"
#include "views/common/task_runner.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;
class QPushButton;

namespace skein {
class CellTable;
}  // namespace skein

namespace skein::gui {

/// Shows how far the clocks of the processes are apart, as messages and collectives tell, and corrects them
/// on demand.
class ClockDialog : public QDialog {
    Q_OBJECT

public:
    ClockDialog(SessionPtr session, TaskRunner& tasks, QWidget* parent);

Q_SIGNALS:
    /// The session with the clocks of all its traces on one.
    void corrected(skein::SessionPtr session);

private:
    void estimate();
    void show(ClockEstimates estimates);
    void correct();

    SessionPtr session_;
    TaskRunner& tasks_;
    ClockEstimates estimates_;
    QLabel* summary_ = nullptr;
    CellTable* table_ = nullptr;
    QPushButton* correct_ = nullptr;
};

}  // namespace skein::gui
