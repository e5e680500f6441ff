// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDialog>

#include "views/remap/remap_search_scene.h"

#include <optional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QSpinBox;

namespace skein {

/// Writes the map of a candidate for a launcher: shows the file, the job-script snippet, what was checked and
/// what to look out for, before anything is written.
class MapExportDialog : public QDialog {
    Q_OBJECT

public:
    MapExportDialog(SessionPtr session, RemapCandidatePtr candidate, QWidget* parent);

    /// Writes the four files; true, and the dialog ends, where all are there.
    bool writeTo(const QString& file);

private:
    void preview();
    void browse();
    const LauncherFormat& format() const;
    MapFileOptions options() const;

    SessionPtr session_;
    RemapCandidatePtr candidate_;
    std::optional<MapPreview> preview_;
    QComboBox* launcher_ = nullptr;
    QLineEdit* program_ = nullptr;
    QSpinBox* cores_ = nullptr;
    QLineEdit* file_ = nullptr;
    QPlainTextEdit* text_ = nullptr;
    QPlainTextEdit* script_ = nullptr;
    QLabel* check_ = nullptr;
    QLabel* problem_ = nullptr;
    QPushButton* write_ = nullptr;
};

}  // namespace skein
