// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QObject>

#include "algorithms/behavior/change_detector.h"

class QComboBox;
class QWidget;

namespace skein {

/// How a panel looks for changes: at what significance, and how much teaches a level.
class ChangeChoices : public QObject {
    Q_OBJECT

public:
    /// The choices are children of `panel`, and called "ID.alpha" and "ID.burn_in"; `learnt` is what the
    /// latter say: "%1 bins to learn".
    ChangeChoices(QWidget* panel, const QString& id, const QString& learnt);

    QComboBox* alpha() const { return alpha_; }
    QComboBox* burnIn() const { return burnIn_; }
    ChangeParams params() const;
    /// As it is at first, without activated().
    void reset();

Q_SIGNALS:
    /// The user has chosen.
    void activated();

private:
    QComboBox* alpha_ = nullptr;
    QComboBox* burnIn_ = nullptr;
};

}  // namespace skein
