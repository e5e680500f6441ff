// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace skein {

class BehaviorModel;

/// What a replay is controlled with: play and pause, steps, the speed, how much of the past is in sight, and
/// a slider over the run.
class ReplayBar : public QWidget {
    Q_OBJECT

public:
    ReplayBar(BehaviorModel& model, const QString& panel, QWidget* parent);

    /// Plays on from what is shown; plays from the begin where nothing is replayed.
    void play();
    /// Holds what is shown, or jumps to what is by now.
    void pauseOrResume();
    void stepBy(int bins);

private:
    QToolButton* addButton(const char* name, const QString& text, const QString& label);
    void scrub(int place);
    void setSpeed();
    void showState();

    BehaviorModel& model_;
    QString panel_;
    QToolButton* play_ = nullptr;
    QToolButton* pause_ = nullptr;
    QToolButton* end_ = nullptr;
    QSlider* slider_ = nullptr;
    QComboBox* speed_ = nullptr;
    QComboBox* window_ = nullptr;
    QLabel* text_ = nullptr;
};

}  // namespace skein
