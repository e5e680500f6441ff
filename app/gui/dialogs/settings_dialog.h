// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDialog>

#include "app/gui/settings/preferences.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QGroupBox;
class QLabel;
class QLineEdit;

namespace skein::gui {

/// Everything that can be chosen once and for all. Each choice counts at once; there is nothing to confirm.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    SettingsDialog(Preferences preferences, QWidget* parent);

    const Preferences& preferences() const { return preferences_; }

Q_SIGNALS:
    void changed(const skein::gui::Preferences& preferences);

private:
    QGroupBox* makeLook();
    QGroupBox* makeMemory();
    QComboBox* addChoice(QFormLayout& form, const QString& label, const char* name, const QStringList& items,
                         int current, std::function<void(int)> take);
    QLineEdit* addSize(QFormLayout& form, const QString& label, const char* name, std::uint64_t& bytes,
                       std::uint64_t least, const QString& none);
    void takeSize(QLineEdit& field, std::uint64_t& bytes, std::uint64_t least);
    void takeFolder();
    void chooseFolder();
    void say(const QString& problem);

    Preferences preferences_;
    QLineEdit* folder_ = nullptr;
    QLabel* problem_ = nullptr;
};

}  // namespace skein::gui
