// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDialog>

#include "algorithms/behavior/stream_transform.h"

class QComboBox;
class QDoubleSpinBox;
class QFormLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace skein {

/// Asks what is done to a stream before it is looked at: sampling, filtering, joining, and passing on only
/// what has moved. All that can be entered and accepted is as checkStreamTransform() lets pass.
class TransformDialog : public QDialog {
    Q_OBJECT

public:
    TransformDialog(const StreamTransformParams& now, QWidget* parent);

    StreamTransformParams params() const;

private:
    QSpinBox* addCount(QFormLayout& form, const char* name, const QString& label, int least);
    QDoubleSpinBox* addAmount(QFormLayout& form, const char* name, const QString& label,
                              const QString& suffix);
    void addButtons(QFormLayout& form);
    QLineEdit* addText(QFormLayout& form, const char* name, const QString& label, const QString& example);
    void present(const StreamTransformParams& params);
    void checkConditions();

    QSpinBox* every_ = nullptr;
    QDoubleSpinBox* leastInterval_ = nullptr;
    QLineEdit* entities_ = nullptr;
    QLineEdit* where_ = nullptr;
    QLineEdit* messageTypes_ = nullptr;
    QLabel* problem_ = nullptr;
    QPushButton* accept_ = nullptr;
    QSpinBox* level_ = nullptr;
    QSpinBox* rows_ = nullptr;
    QComboBox* join_ = nullptr;
    QDoubleSpinBox* leastChange_ = nullptr;
};

}  // namespace skein
