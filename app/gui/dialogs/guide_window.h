// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// First: the meta object compiler of Qt 6.4 does not parse <concepts> behind some standard headers.
#include <QDialog>

class QLineEdit;
class QListWidget;
class QTextBrowser;

namespace skein::gui {

/// The user guide, as it stands in docs/, with the pages that it leads to: its headings at the left, a field
/// that finds words in it.
class GuideWindow : public QDialog {
    Q_OBJECT

public:
    explicit GuideWindow(QWidget* parent);

    QTextBrowser& text() const { return *text_; }

private:
    void listHeadings();
    void find();

    QTextBrowser* text_ = nullptr;
    QListWidget* headings_ = nullptr;
    QLineEdit* field_ = nullptr;
};

}  // namespace skein::gui
