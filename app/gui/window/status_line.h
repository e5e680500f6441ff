// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/experiment.h"
#include "views/common/task_runner.h"

#include <QStatusBar>

class QLabel;
class QProgressBar;
class QToolButton;

namespace skein {
class ElidedLabel;
class SelectionModel;
}  // namespace skein

namespace skein::gui {

/// The foot of the window: archive · span shown · selection · memory · progress of the job with its cancel
/// button.
class StatusLine : public QStatusBar {
    Q_OBJECT

public:
    StatusLine(SelectionModel& selection, TaskRunner& tasks, QWidget* parent);

    void setSession(SessionPtr session);

protected:
    bool event(QEvent* event) override;

private:
    void showSelection();
    void showFoot();
    void showMemory();
    void showJob();

    SelectionModel& selection_;
    TaskRunner& tasks_;
    SessionPtr session_;
    JobId shownJob_ = 0;
    ElidedLabel* archive_ = nullptr;
    ElidedLabel* span_ = nullptr;
    ElidedLabel* selected_ = nullptr;
    ElidedLabel* memory_ = nullptr;
    ElidedLabel* stage_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QLabel* left_ = nullptr;
    QToolButton* cancel_ = nullptr;
    int wantedHeightPx_ = 0;
};

/// Resident memory of this program in bytes; 0 where the system does not tell.
double residentBytes();

/// "3 regions · 1 location" in the user's words; empty when nothing is selected.
QString selectionText(const SelectionModel& selection);

}  // namespace skein::gui
