// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/common/task_runner.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QVBoxLayout;

namespace skein::gui {

/// What the window shows while nothing is open: how to open something, what was opened lately, and how far
/// the first import is.
class WelcomePage : public QWidget {
    Q_OBJECT

public:
    explicit WelcomePage(QWidget* parent = nullptr);

    /// It has the room of the panels that it stands for: asked how high its texts become, it would break them
    /// into lines at every change of the window's layout, also while panels are in sight.
    bool hasHeightForWidth() const override { return false; }
    void setRecent(const QList<QStringList>& recent);
    /// Shows the progress of a running import in place of the buttons.
    void showProgress(const JobInfo& job);
    void hideProgress();
    /// Marks the page while something is dragged over it.
    void setDragging(bool dragging);

Q_SIGNALS:
    void openFileWanted();
    void openFolderWanted();
    void openWanted(const QStringList& paths);
    void cancelWanted();

private:
    QWidget* makeInvitation();
    QWidget* makeProgress();

    QWidget* invitation_ = nullptr;
    QWidget* importing_ = nullptr;
    QWidget* recentBox_ = nullptr;
    QVBoxLayout* recentList_ = nullptr;
    QLabel* jobTitle_ = nullptr;
    QLabel* jobStage_ = nullptr;
    QLabel* jobLeft_ = nullptr;
    QProgressBar* jobProgress_ = nullptr;
};

}  // namespace skein::gui
